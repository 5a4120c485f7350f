import { Client as Database } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { productionTimeouts } from '#database/timeouts.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { holdAppendsAt } from '#tests/support/held-appends.ts'
import { hurryJobs } from '#tests/support/job-delays.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { importFile, importOf, settled, statusOf } from './import-fixtures.ts'

let app: TestApp
let client: Client
let practiceId: string
let ends: (() => Promise<void>)[]

beforeEach(async () => {
  app = await startTestApp({ timeouts: productionTimeouts })
  ends = [app.dispose]
  await hurryJobs(app.databaseUrl)
  const owner = await newSubscriber(app)
  client = owner.client
  practiceId = owner.practice.id
})
afterEach(async () => {
  for (const end of ends.toReversed()) await end().catch(() => undefined)
})

const state = async (asking: Client, importId: string) => (await statusOf(asking, importId)).state
const health = async (asking: Client) => (await asking.get('/api/health')).body as { deadLetters: number }

/** Requests an import while another one of the practice runs, and deletes its file, so that it can never succeed. */
async function importWithoutFile(): Promise<{ importId: string; csv: string }> {
  const busy = new Database({ connectionString: app.databaseUrl })
  await busy.connect()
  await busy.query('select pg_advisory_lock($1, hashtext($2))', [advisoryLocks.patientImport, practiceId])
  const importId = await importFile(client, importOf(5))
  const { rows } = await busy.query('delete from app.import_files where import_id = $1 returning csv', [importId])
  await busy.end()
  await waitUntil(async () => (await state(client, importId)) === 'failed')
  return { importId, csv: rows[0].csv }
}

test('an import that cannot continue is marked as failed, and continues when it is resumed', async () => {
  const { importId, csv } = await importWithoutFile()
  expect(await statusOf(client, importId)).toMatchObject({ state: 'failed', done: 0, total: 5, finishedAt: null })
  await waitUntil(async () => (await health(client)).deadLetters === 1)
  // In vain: what was wrong is still wrong.
  expect((await client.post(`/api/patients/import/${importId}/resume`)).status).toBe(202)
  await waitUntil(async () => (await state(client, importId)) === 'failed')

  await app.services.pool.query('insert into app.import_files (import_id, practice_id, csv) values ($1, $2, $3)', [
    importId,
    practiceId,
    csv,
  ])
  await waitUntil(async () => {
    await client.post(`/api/patients/import/${importId}/resume`)
    return (await state(client, importId)) === 'done'
  })
  expect(await settled(client, importId)).toMatchObject({ created: 5, failed: [] })
  expect((await client.get('/api/patients')).body).toHaveLength(5)
  // Nothing is left for an operator to decide.
  await waitUntil(async () => (await health(client)).deadLetters === 0)
})

test('one that was given up stays on the list however many came after it', async () => {
  const { importId } = await importWithoutFile()
  // Rows as later imports leave them, without the time it takes to carry out so many.
  await app.services.pool.query(
    `insert into read.patient_imports
     select (jsonb_populate_record(t, jsonb_build_object(
       'import_id', gen_random_uuid(), 'state', 'done', 'started_at', now() + n * interval '1 second'))).*
     from read.patient_imports t, generate_series(1, 21) n where import_id = $1`,
    [importId],
  )
  const listed = (await client.get('/api/patients/import')).body as { importId: string; state: string }[]
  expect(listed.length).toBe(21)
  expect(listed.at(-1)).toMatchObject({ importId, state: 'failed' })
})

test('an operator can have it tried again, too', async () => {
  const { importId, csv } = await importWithoutFile()
  await waitUntil(async () => (await health(client)).deadLetters === 1)
  await app.services.pool.query('insert into app.import_files (import_id, practice_id, csv) values ($1, $2, $3)', [
    importId,
    practiceId,
    csv,
  ])
  await app.services.jobs.send('patient-imports', { importId })
  expect(await settled(client, importId)).toMatchObject({ state: 'done', created: 5 })
})

test('a failed import can be undone: also patients of rows without recorded progress', async () => {
  const appends = await holdAppendsAt(app.databaseUrl, 'PatientRegistered', 400)
  const importId = await importFile(client, importOf(3_000))
  await appends.reached()
  expect((await statusOf(client, importId)).done).toBeGreaterThan(0)
  await app.stopInstance()
  await appends.release()
  const database = new Database({ connectionString: app.databaseUrl })
  await database.connect()
  await database.query('delete from app.import_files')
  await database.end()
  const copy = await startTestApp({ databaseUrl: app.databaseUrl, timeouts: productionTimeouts })
  ends.push(copy.stopInstance)
  const there = copy.newClient()
  there.setCookie(client.cookie())
  await waitUntil(async () => (await state(there, importId)) === 'failed')
  expect(Number((await there.get('/api/patients?limit=1')).headers.get('x-total-count'))).toBeGreaterThan(0)
  expect((await there.post(`/api/patients/import/${importId}/undo`)).status).toBe(202)
  expect(await settled(there, importId)).toMatchObject({ state: 'undone', kept: 0 })
  expect((await there.get('/api/patients?limit=1')).headers.get('x-total-count')).toBe('0')
})

test('deletes the files that are no longer needed, and only those', async () => {
  const { pool, jobs } = app.services
  const given = await importWithoutFile()
  const unknownImportId = crypto.randomUUID()
  const recent = crypto.randomUUID()
  const keep = (importId: string, age: string) =>
    pool.query(
      `insert into app.import_files (import_id, practice_id, csv, created_at) values ($1, $2, 'x', now() - $3::interval)`,
      [importId, practiceId, age],
    )
  await keep(unknownImportId, '1 hour')
  await keep(recent, '1 minute')
  await keep(given.importId, '6 days')
  // The files of earlier tests may not be deleted yet.
  const own = [unknownImportId, recent, given.importId]
  const left = async () =>
    (await pool.query('select import_id as id from app.import_files where import_id = any($1)', [own])).rows.map(
      ({ id }) => id,
    )
  await jobs.send('forget-import-files', {})
  await waitUntil(async () => !(await left()).includes(unknownImportId))
  expect((await left()).toSorted()).toEqual([recent, given.importId].toSorted())
  await pool.query(`update app.import_files set created_at = now() - interval '8 days' where import_id = $1`, [
    given.importId,
  ])
  await jobs.send('forget-import-files', {})
  await waitUntil(async () => (await left()).length === 1)
  expect(await left()).toEqual([recent])
})
