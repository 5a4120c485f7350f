import type { Pool } from 'pg'
import { type Logger, pino } from 'pino'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { deadLettersMigration } from '#jobs/dead-letters.ts'
import { type JobEngine, openJobEngine } from '#jobs/engine.ts'
import type { AnyJob } from '#jobs/job.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { migrate } from '#database/migrations.ts'
import { createProcessManagerSubscriber } from '#process-managers/subscriber.ts'
import type { AnyProcessManager } from '#process-managers/process-manager.ts'
import { createTestDatabase, openTestPool } from './test-database.ts'

/** Job queues, an event store and runners on a database of their own, without the rest of the application. */
export type JobsFixture = {
  url: string
  pool: Pool
  store: PostgresStore
  /** Opens the queues of one instance. Its workers run after `startWorkers`. */
  openJobs(definitions: readonly AnyJob<null>[], options?: JobsOptions): Promise<JobEngine<null>>
  /** Starts the process managers of one instance. */
  startProcessManagers(
    managers: readonly AnyProcessManager[],
    jobs: JobEngine<null>,
    store?: PostgresStore,
  ): Promise<ProjectionRunner>
  /** Returns all jobs of a queue, oldest first. */
  listJobs(queue: string): Promise<{ id: string; state: string; data: object; retryCount: number }[]>
  dispose(): Promise<void>
}

type JobsOptions = { isExclusive?: boolean; isAvailable?: () => Promise<boolean>; logger?: Logger }

/** Creates a fixture; call it in `beforeEach`, and `dispose` in `afterEach`. */
export async function createJobsFixture(): Promise<JobsFixture> {
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const database = await createTestDatabase()
  const pool = openTestPool(database.url, 20)
  const store = await openPostgresStore(pool)
  await migrate(pool, [deadLettersMigration])
  const disposers: (() => Promise<unknown>)[] = []
  return {
    url: database.url,
    pool,
    store,
    async openJobs(definitions, options = {}) {
      const isAvailable = () => Promise.resolve(true)
      const defaults = { databaseUrl: database.url, pool, logger, isAvailable }
      const jobs = await openJobEngine({ ...defaults, jobs: definitions, ...options })
      disposers.push(jobs.stop, jobs.drain)
      return jobs
    },
    async startProcessManagers(managers, jobs, own = store) {
      const processManagers = managers.map((manager) => createProcessManagerSubscriber(manager, jobs.enqueue))
      const runner = createProjectionRunner({ store: own, pool, projections: [], processManagers, logger })
      disposers.push(runner.stop)
      await runner.start()
      return runner
    },
    async listJobs(queue) {
      const { rows } = await pool.query(
        `select id, state::text, data, retry_count as "retryCount" from jobs.job where name = $1 order by created_on, id`,
        [queue],
      )
      return rows
    },
    async dispose() {
      for (const dispose of disposers.splice(0).toReversed()) await dispose()
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}
