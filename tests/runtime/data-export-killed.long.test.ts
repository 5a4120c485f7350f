import { Client as Database } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { downloadFile, readArchive, requestExport, waitForState } from '#tests/modules/data-exports/export-archive.ts'
import { createClient } from '#tests/support/client.ts'
import {
  createTemporaryDataDir,
  expectStopped,
  killAllProcesses,
  readDatabaseUrl,
  startEverchart,
} from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

const holdLock = 4_712

/** Blocks the job after half of the pieces are stored, until the connection ends. */
async function holdExport(databaseUrl: string) {
  const holder = new Database({ connectionString: databaseUrl })
  // The test kills the database.
  holder.on('error', () => undefined)
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [holdLock])
  await holder.query(`
    create function app.hold_export() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${holdLock});
      return new;
    end $$;
    create trigger hold before insert on app.data_export_chunks for each row when (new.entry = 9)
      execute function app.hold_export()`)
  return async () =>
    await waitUntil(async () => {
      const { rowCount } = await holder.query(
        `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
        [holdLock],
      )
      return rowCount !== 0
    })
}

test('killed while an export is written: it is written once, from the start', async () => {
  const first = startEverchart(data.folder)
  await first.ready
  const { client } = await newOwner({ newClient: () => createClient(first.url()) })
  await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  const reached = await holdExport(await readDatabaseUrl(data.folder))
  const exportId = await requestExport(client)
  await reached()
  await killAllProcesses(data.folder)
  await first.ended

  const second = startEverchart(data.folder)
  const again = createClient(await second.ready)
  again.setCookie(client.cookie())
  await waitForState(again, exportId, 'ready')
  const { bytes } = await downloadFile(again, exportId)
  expect(readArchive(bytes).tables['patients']).toHaveLength(1)
  const database = new Database({ connectionString: await readDatabaseUrl(data.folder) })
  await database.connect()
  const count = async (text: string) => (await database.query<{ n: number }>(text)).rows[0]?.n
  // Nothing is left of the attempt that was killed; it is deleted after the export is ready.
  await waitUntil(
    async () => (await count('select count(distinct file_id)::int as n from app.data_export_chunks')) === 1,
  )
  expect(await count(`select count(*)::int as n from es.events where type = 'DataExportReady'`)).toBe(1)
  await database.end()
  second.kill('SIGTERM')
  await expectStopped(second)
})
