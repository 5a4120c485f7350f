import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { type EverchartProcess, startEverchart } from '#tests/support/everchart-process.ts'
import { parseEdits } from '#tests/support/how-to.ts'
import { type HowToCopy, performHowTo } from '#tests/support/how-to-copy.ts'
import { newOwner } from '#tests/support/practice.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'

const page = 'docs/how-to/add-a-record.md'

let copy: HowToCopy
let database: TestDatabase
let app: EverchartProcess | undefined

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

describe('docs/how-to/add-a-record.md', () => {
  it('takes at most 450 lines, and changes at most six files outside of its own', async () => {
    const edits = parseEdits(await readFile(page, 'utf8'))
    const lines = edits.flatMap(({ old, replacement }) => replacement.slice(old.length).split('\n'))
    expect(lines.length).toBeLessThanOrEqual(450)
    expect(new Set(edits.filter(({ old }) => old !== '').map(({ file }) => file)).size).toBeLessThanOrEqual(6)
  })

  it('type-checks', { timeout: 600_000 }, async () => {
    expect(await copy.checkTypes()).toBe('')
  })

  it('passes the common specification of records, the rules of the language and the golden check', async () => {
    await copy.run('tests/golden/main.ts', ['--check'])
    const files = ['tests/modules/records', 'tests/modules/devices', 'tests/golden']
    const output = await copy.run('node_modules/vitest/vitest.mjs', ['run', '--project', 'unit', ...files])
    expect(output).toMatch(/Tests.*\d+ passed/)
  })

  it('lists a device that was added, with its history, and keeps one that is retired', async () => {
    const dataDir = path.join(copy.folder, 'data')
    app = startEverchart(dataDir, { DATABASE_URL: database.url }, copy.folder)
    await app.ready
    const { client } = await newOwner({ newClient: () => createClient(app?.url() ?? '') })
    const added = await client.post('/api/devices', { name: ' Defibrillator ' })
    expect(added).toMatchObject({ status: 201, body: { name: 'Defibrillator', deviceStatus: 'in-use', revision: 0 } })
    const address = `/api/devices/${added.body.id}`
    expect((await client.patch(address, { nextInspection: '2027-03-01' })).status).toBe(200)
    expect((await client.patch(address, { deviceStatus: 'retired' })).body).toMatchObject({ deviceStatus: 'retired' })
    expect(await client.patch(address, { name: 'Other' })).toMatchObject({ status: 409, problem: { code: 'retired' } })
    expect((await client.get('/api/devices?search=defib')).body).toMatchObject([{ nextInspection: '2027-03-01' }])
    expect((await client.get(address)).body.history).toHaveLength(3)
    const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir }
    expect(await copy.run('backend/cli/projections.ts', ['verify', 'devices'], settings)).toContain(
      'all rows are correct',
    )
  })
})
