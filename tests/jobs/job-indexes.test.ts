import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Pool } from 'pg'
import { createJobIndexes } from '#jobs/job-table.ts'
import { createTestDatabase, openTestPool, type TestDatabase } from '#tests/support/test-database.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 16)
  await pool.query(`
    create schema jobs;
    create table jobs.job_common (name text, start_after timestamptz, state text, blocked boolean)`)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const findIndexes = async () =>
  (await pool.query<{ indexname: string }>(`select indexname from pg_indexes where schemaname = 'jobs' order by 1`))
    .rows

it('creates the indexes of the jobs once, however many instances start at the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    await pool.query('drop index if exists jobs.everchart_due_jobs, jobs.everchart_running_jobs')
    await Promise.all(Array.from({ length: 16 }, () => createJobIndexes(pool)))
  }
  expect(await findIndexes()).toEqual([{ indexname: 'everchart_due_jobs' }, { indexname: 'everchart_running_jobs' }])
})
