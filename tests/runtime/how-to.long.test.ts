import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { type EverchartProcess, startEverchart } from '#tests/support/everchart-process.ts'
import { parseEdits } from '#tests/support/how-to.ts'
import { type HowToCopy, performHowTo } from '#tests/support/how-to-copy.ts'
import { newOwner } from '#tests/support/practice.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

const page = 'docs/how-to/add-an-event.md'

let copy: HowToCopy
let database: TestDatabase
let app: EverchartProcess | undefined

const settings = () => ({ DATABASE_URL: database.url, DATA_DIR: path.join(copy.folder, 'data') })

beforeAll(async () => {
  database = await createTestDatabase()
  copy = await performHowTo(page)
})
afterAll(async () => {
  app?.kill('SIGTERM')
  await app?.ended
  await database.drop()
  await copy.remove()
})

describe('docs/how-to/add-an-event.md', () => {
  it('changes at most seven files by hand', async () => {
    const edits = parseEdits(await readFile(page, 'utf8'))
    expect(new Set(edits.map(({ file }) => file)).size).toBeLessThanOrEqual(7)
  })

  it('type-checks', { timeout: 600_000 }, async () => {
    expect(await copy.checkTypes()).toBe('')
  })

  it('passes the unit tests of the module and the golden check', async () => {
    await copy.run('tests/golden/main.ts', ['--check'])
    const files = ['tests/modules/patients', 'tests/golden', 'tests/web/features/patients']
    const output = await copy.run('node_modules/vitest/vitest.mjs', ['run', '--project', 'unit', ...files])
    expect(output).toMatch(/Tests.*\d+ passed/)
  })

  it('stores and replies the field when a patient is registered and when it is changed', async () => {
    app = startEverchart(settings().DATA_DIR, { DATABASE_URL: database.url }, copy.folder)
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
    const output = await copy.run('backend/cli/projections.ts', ['verify', 'patients'], settings())
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
