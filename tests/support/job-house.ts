import type { Pool } from 'pg'
import { pino } from 'pino'
import { type PostgresStore, postgresStore } from '#eventstore/postgres.ts'
import { deadLettersMigration } from '#jobs/dead-letters.ts'
import { type JobEngine, openJobs } from '#jobs/engine.ts'
import type { AnyJob } from '#jobs/job.ts'
import { openPool } from '#projections/database.ts'
import { createFeed, type Feed } from '#projections/feed.ts'
import { migrate } from '#projections/migrations.ts'
import { reactorOf } from '#projections/reacting.ts'
import type { AnyProcessManager } from '#projections/reactor.ts'
import { createTestDatabase } from './test-database.ts'

/** Queues, an event store and feeds on a database of its own, without the rest of the application. */
export type JobHouse = {
  url: string
  pool: Pool
  store: PostgresStore
  /** The queues of one copy; its workers run once `work` was called. */
  open(kinds: readonly AnyJob<null>[], more?: { alone: boolean }): Promise<JobEngine<null>>
  /** A feed of one copy that reacts. */
  react(managers: readonly AnyProcessManager[], jobs: JobEngine<null>, store?: PostgresStore): Promise<Feed>
  /** Every job of a queue there is, oldest first. */
  jobsIn(queue: string): Promise<{ id: string; state: string; data: object; retryCount: number }[]>
  end(): Promise<void>
}

/** Opens one; call in `beforeEach`, and `end` in `afterEach`. */
export async function jobHouse(): Promise<JobHouse> {
  const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
  const database = await createTestDatabase()
  const pool = openPool(database.url, 20)
  const store = await postgresStore(pool)
  await migrate(pool, [deadLettersMigration])
  const ends: (() => Promise<unknown>)[] = []
  return {
    url: database.url,
    pool,
    store,
    async open(kinds, more = { alone: false }) {
      const jobs = await openJobs({ databaseUrl: database.url, pool, kinds, logger, ...more })
      ends.push(jobs.stop, jobs.rest)
      return jobs
    },
    async react(managers, jobs, own = store) {
      const reactors = managers.map((manager) => reactorOf(manager, jobs.enqueue))
      const feed = createFeed({ store: own, pool, projections: [], reactors, logger })
      ends.push(feed.stop)
      await feed.start()
      return feed
    },
    async jobsIn(queue) {
      const { rows } = await pool.query(
        `select id, state::text, data, retry_count as "retryCount" from jobs.job where name = $1 order by created_on, id`,
        [queue],
      )
      return rows
    },
    async end() {
      for (const end of ends.splice(0).toReversed()) await end()
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}
