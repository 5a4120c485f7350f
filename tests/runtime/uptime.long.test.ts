import { Client } from 'pg'
import { expect, it } from 'vitest'
import { createTemporaryDataDir, expectStopped, startEverchart } from '#tests/support/everchart-process.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

it('records the minutes in which the application runs, also after a restart', async () => {
  const database = await createTestDatabase()
  const data = await createTemporaryDataDir()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const countMinutes = async (): Promise<number> => {
    const { rows } = await client.query<{ minutes: number }>(
      'select coalesce(sum(bit_count(minutes::bit(64))), 0)::int4 as minutes from app.uptime_hours',
    )
    return rows[0]?.minutes ?? 0
  }
  /** Runs the application until it has recorded one more minute. */
  const run = async (before: number) => {
    const app = startEverchart(data.folder, { DATABASE_URL: database.url })
    await app.ready
    await waitUntil(async () => (await countMinutes()) > before)
    app.kill('SIGTERM')
    await expectStopped(app)
  }
  await run(0)
  // As if the application had been stopped for a day.
  await client.query("update app.uptime_hours set hour = hour - interval '1 day'")
  await run(await countMinutes())
  expect(await countMinutes()).toBeGreaterThanOrEqual(2)
  await client.end()
  await database.drop()
  await data.remove()
})
