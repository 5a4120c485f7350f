import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { type EverchartProcess, startEverchart } from '#tests/support/everchart-process.ts'
import { applyEdits, parseEdits } from '#tests/support/how-to.ts'
import { newOwner } from '#tests/support/practice.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

const copied = ['backend', 'contracts', 'web', 'tests', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const run = promisify(execFile)

let scratch: string
let database: TestDatabase
let app: EverchartProcess | undefined

/** Runs a program of the project in the scratch copy and returns what it printed. Throws when it fails. */
const inScratch = async (program: string, args: readonly string[], settings: Record<string, string> = {}) => {
  const { stdout } = await run(process.execPath, [program, ...args], {
    cwd: scratch,
    env: { ...processEnvironment, ...settings },
    maxBuffer: 16 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
  })
  return stdout
}
const settings = () => ({ DATABASE_URL: database.url, DATA_DIR: path.join(scratch, 'data') })

beforeAll(async () => {
  database = await createTestDatabase()
  scratch = await mkdtemp(path.join(os.tmpdir(), 'everchart-how-to-'))
  await Promise.all(copied.map((name) => cp(name, path.join(scratch, name), { recursive: true })))
  await symlink(path.resolve('node_modules'), path.join(scratch, 'node_modules'))
  await mkdir(path.join(scratch, 'dist'))
  await applyEdits(scratch, parseEdits(await readFile('docs/how-to/add-an-event.md', 'utf8')))
  await inScratch('tests/golden/main.ts', [])
})
afterAll(async () => {
  app?.kill('SIGTERM')
  await app?.ended
  await database.drop()
  await rm(scratch, { recursive: true, force: true })
})

describe('docs/how-to/add-an-event.md', () => {
  it('changes at most seven files by hand', async () => {
    const edits = parseEdits(await readFile('docs/how-to/add-an-event.md', 'utf8'))
    expect(new Set(edits.map(({ file }) => file)).size).toBeLessThanOrEqual(7)
  })

  it('type-checks', { timeout: 600_000 }, async () => {
    for (const project of ['tsconfig.json', 'web/tsconfig.json'])
      expect(await inScratch('node_modules/typescript/bin/tsc', ['-p', project])).toBe('')
  })

  it('passes the unit tests of the module and the golden check', async () => {
    await inScratch('tests/golden/main.ts', ['--check'])
    const files = ['tests/modules/patients', 'tests/golden', 'tests/web/features/patients']
    const output = await inScratch('node_modules/vitest/vitest.mjs', ['run', '--project', 'unit', ...files])
    expect(output).toMatch(/Tests.*\d+ passed/)
  })

  it('stores and replies the field when a patient is registered and when it is changed', async () => {
    app = startEverchart(settings().DATA_DIR, { DATABASE_URL: database.url }, scratch)
    await app.ready
    const { client } = await newOwner({ newClient: () => createClient(app?.url() ?? '') })
    const added = await client.post('/api/patients', {
      firstName: 'Ana',
      lastName: 'Lee',
      preferredLanguage: ' Portuguese ',
    })
    expect(added).toMatchObject({ status: 201, body: { preferredLanguage: 'Portuguese' } })
    const address = `/api/patients/${added.body.id}`
    const changed = await client.patch(address, { preferredLanguage: 'Spanish', revision: added.body.revision })
    expect(changed).toMatchObject({ status: 200, body: { preferredLanguage: 'Spanish', revision: 1 } })
    expect((await client.get(address)).body).toEqual(changed.body)
    expect(await readRow(added.body.id)).toEqual([{ preferred_language: 'Spanish' }])
    expect(await readEventTypes(added.body.id)).toEqual(['PatientRegistered', 'PatientLanguageChanged'])
  })

  it('verifies the read model against the events', async () => {
    const output = await inScratch('backend/cli/projections.ts', ['verify', 'patients'], settings())
    expect(output).toContain('patients: all rows are correct')
  })
})

const query = async <Row extends object>(text: string, value: string) => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text, [value])).rows
  } finally {
    await client.end()
  }
}
const readRow = (id: string) => query('select preferred_language from read.patients where id = $1', id)
const readEventTypes = async (id: string) => {
  const sql = 'select type from es.events where stream = $1 order by revision'
  return (await query<{ type: string }>(sql, `patient-${id}`)).map(({ type }) => type)
}
