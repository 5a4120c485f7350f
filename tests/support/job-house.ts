import type { Pool } from 'pg'
import { pino } from 'pino'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { deadLettersMigration } from '#jobs/dead-letters.ts'
import { type JobEngine, openJobEngine } from '#jobs/engine.ts'
import type { AnyJob } from '#jobs/job.ts'
import { openPool } from '#database/pool.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { migrate } from '#database/migrations.ts'
import { createProcessManagerSubscriber } from '#process-managers/subscription.ts'
import type { AnyProcessManager } from '#process-managers/process-manager.ts'
import { createTestDatabase } from './test-database.ts'

/** Queues, an event store and feeds on a database of its own, without the rest of the application. */
export type JobsFixture = {
  url: string
  pool: Pool
  store: PostgresStore
  /** The queues of one copy; its workers run once `work` was called. */
  openJobs(kinds: readonly AnyJob<null>[], more?: { alone: boolean }): Promise<JobEngine<null>>
  /** A feed of one copy that reacts. */
  startProcessManagers(
    managers: readonly AnyProcessManager[],
    jobs: JobEngine<null>,
    store?: PostgresStore,
  ): Promise<ProjectionRunner>
  /** Every job of a queue there is, oldest first. */
  listJobs(queue: string): Promise<{ id: string; state: string; data: object; retryCount: number }[]>
  dispose(): Promise<void>
}

/** Opens one; call in `beforeEach`, and `end` in `afterEach`. */
export async function createJobsFixture(): Promise<JobsFixture> {
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const database = await createTestDatabase()
  const pool = openPool(database.url, 20)
  const store = await openPostgresStore(pool)
  await migrate(pool, [deadLettersMigration])
  const ends: (() => Promise<unknown>)[] = []
  return {
    url: database.url,
    pool,
    store,
    async openJobs(kinds, more = { alone: false }) {
      const jobs = await openJobEngine({ databaseUrl: database.url, pool, jobs: kinds, logger, ...more })
      ends.push(jobs.stop, jobs.drain)
      return jobs
    },
    async startProcessManagers(managers, jobs, own = store) {
      const reactors = managers.map((manager) => createProcessManagerSubscriber(manager, jobs.enqueue))
      const feed = createProjectionRunner({ store: own, pool, projections: [], processManagers: reactors, logger })
      ends.push(feed.stop)
      await feed.start()
      return feed
    },
    async listJobs(queue) {
      const { rows } = await pool.query(
        `select id, state::text, data, retry_count as "retryCount" from jobs.job where name = $1 order by created_on, id`,
        [queue],
      )
      return rows
    },
    async dispose() {
      for (const end of ends.splice(0).toReversed()) await end()
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}
