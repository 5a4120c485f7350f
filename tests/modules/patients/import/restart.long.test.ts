import { Client as Database } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { productionTimeouts } from '#database/timeouts.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { holdAppendsAt } from '#tests/support/held-appends.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { importFile, importOf, settled } from './import-fixtures.ts'
import { itLong } from '#tests/support/long.ts'

const rows = 1_000

let first: TestApp
let client: Client
let ends: (() => Promise<void>)[]

beforeEach(async () => {
  first = await startTestApp({ timeouts: productionTimeouts })
  client = (await newSubscriber(first)).client
  ends = [first.dispose]
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Another copy of the application on the same database, in which the same person is signed in. */
async function anotherCopy(): Promise<Client> {
  const copy = await startTestApp({ databaseUrl: first.databaseUrl, timeouts: productionTimeouts })
  ends.push(copy.stopInstance)
  const there = copy.newClient()
  there.setCookie(client.cookie())
  return there
}

async function stopFirst(): Promise<void> {
  await first.stopInstance()
  // Its database is dropped at the end all the same.
  const [end] = ends
  ends = [async () => end?.().catch(() => undefined)]
}

/** Returns the events of an import's patients, read without the application. */
async function patientsOf(importId: string): Promise<{ events: number; rows: number; removed: number }> {
  const database = new Database({ connectionString: first.databaseUrl })
  await database.connect()
  try {
    const found = await database.query(
      `select count(*)::int as events, count(distinct data::jsonb ->> 'importRow')::int as rows,
         (select count(*)::int from es.events r where r.type = 'PatientRemoved') as removed
       from es.events where type = 'PatientRegistered' and data::jsonb ->> 'importId' = $1`,
      [importId],
    )
    return found.rows[0]
  } finally {
    await database.end()
  }
}

test('stopped in the middle and started again, every row is there exactly once', async () => {
  const appends = await holdAppendsAt(first.databaseUrl, 'PatientRegistered', 400)
  const importId = await importFile(client, importOf(rows))
  await appends.reached()
  // It stops while an append is held: it does not wait for the import, which cannot end.
  await stopFirst()
  const before = await patientsOf(importId)
  expect(before.events).toBeGreaterThan(0)
  expect(before.events).toBeLessThan(rows)
  await appends.release()

  const there = await anotherCopy()
  expect(await settled(there, importId)).toMatchObject({
    state: 'done',
    done: rows,
    created: rows,
    skipped: 0,
    failed: [],
  })
  expect(await patientsOf(importId)).toEqual({ events: rows, rows, removed: 0 })
  expect((await there.get('/api/patients?limit=1')).headers.get('x-total-count')).toBe(String(rows))
})

itLong('an undo that is stopped in the middle counts everyone once', async () => {
  const importId = await importFile(client, importOf(rows))
  await settled(client, importId)
  const [touched] = (await client.get('/api/patients?limit=1')).body
  await client.patch(`/api/patients/${touched.id}`, { notes: 'Called about the results' })
  const appends = await holdAppendsAt(first.databaseUrl, 'PatientRemoved', 100)
  await client.post(`/api/patients/import/${importId}/undo`)
  await appends.reached()
  await stopFirst()
  const { removed } = await patientsOf(importId)
  expect(removed).toBeGreaterThan(0)
  expect(removed).toBeLessThan(rows - 1)
  await appends.release()

  const there = await anotherCopy()
  expect(await settled(there, importId)).toMatchObject({ state: 'undone', removed: rows - 1, kept: 1 })
  expect((await patientsOf(importId)).removed).toBe(rows - 1)
  expect((await there.get('/api/patients')).body.map(({ id }: { id: string }) => id)).toEqual([touched.id])
})

itLong('while it runs it cannot be taken back', async () => {
  const appends = await holdAppendsAt(first.databaseUrl, 'PatientRegistered', 400)
  const importId = await importFile(client, importOf(rows))
  await appends.reached()
  const refused = await client.post(`/api/patients/import/${importId}/undo`)
  expect(refused).toMatchObject({ status: 409, problem: { code: 'import-running' } })
  await appends.release()
  expect(await settled(client, importId)).toMatchObject({ state: 'done', created: rows })
})
