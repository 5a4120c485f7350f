import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runImports } from '#modules/patients/import/jobs.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { holdAppendsAt } from '#tests/support/held-appends.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { importFile, importOf, settled } from './import-fixtures.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

test('a practice has five imports under way at most, and others have theirs all the same', async () => {
  const { client, practice } = await newSubscriber(app)
  // Files without a running import: a few that wait, independent of the speed of the workers.
  await app.services.pool.query(
    `insert into app.import_files (import_id, practice_id, csv) select gen_random_uuid(), $1, 'x' from generate_series(1, 4)`,
    [practice.id],
  )
  // The fifth is at work until the sixth was refused.
  const appends = await holdAppendsAt(app.databaseUrl, 'PatientRegistered', 100)
  const fifth = await importFile(client, importOf(1_000))
  await appends.reached()
  const sixth = await client.post('/api/patients/import', { csv: importOf(1) })
  expect([sixth.status, sixth.problem.code]).toEqual([409, 'too-many-imports'])
  await appends.release()
  const other = (await newOwner(app)).client
  expect((await settled(other, await importFile(other, importOf(1)))).created).toBe(1)
  await settled(client, fifth)
  // The file counts until it is deleted, which is after the event that ends the import.
  await waitUntil(async () => {
    const { rowCount } = await app.services.pool.query('select from app.import_files where import_id = $1', [fifth])
    return rowCount === 0
  })
  await importFile(client, importOf(1))
})

test('another instance does not work at an import that is under way', async () => {
  const { client } = await newSubscriber(app)
  const other = await startTestApp({ databaseUrl: app.databaseUrl })
  const { rows } = await app.services.pool.query<{ earlier: number }>(
    `select count(*)::int as earlier from es.events where type = 'PatientRegistered'`,
  )
  const appends = await holdAppendsAt(app.databaseUrl, 'PatientRegistered', Number(rows[0]?.earlier) + 100)
  const importId = await importFile(client, importOf(600))
  await appends.reached()
  // One of the two holds the import. A second attempt that did any of its work would wait for the held append.
  for (const { services } of [app, other])
    await runImports.run(services, { importId }, { id: randomUUID(), signal: new AbortController().signal, attempt: 1 })
  await appends.release()
  expect(await settled(client, importId)).toMatchObject({ created: 600, skipped: 0, failed: [] })
  await other.stopInstance()
})
