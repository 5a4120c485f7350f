import { pino } from 'pino'
import type { Pool } from 'pg'
import { afterEach, beforeEach } from 'vitest'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { endlessTimeouts } from './endless-timeouts.ts'
import { createTestDatabase, type TestDatabase, openTestPool } from './test-database.ts'
import { validAppointments, tags, generateAppointmentEvents } from './appointments.ts'

const logger = pino({ level: 'silent' })

/** Provides every test of a suite with a database, an event store and functions that start runners on them. */
export function useRebuildFixture() {
  let database: TestDatabase
  let pool: Pool
  let store: PostgresStore
  const runners: ProjectionRunner[] = []

  beforeEach(async () => {
    database = await createTestDatabase()
    pool = openTestPool(database.url, 20)
    store = await openPostgresStore(pool)
  })
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop()
    await store.close()
    await pool.end()
    await database.drop()
  })

  async function write(...events: NewEvent[]): Promise<string> {
    const appended = await store.append(`appointment-${crypto.randomUUID()}`, 'no-stream', events)
    if (appended.status !== 'appended') throw new Error(appended.status)
    return appended.position
  }

  return {
    write,
    get database() {
      return database
    },
    get pool() {
      return pool
    },
    get store() {
      return store
    },
    async startRunner(
      projections: readonly AnyProjection[] = [validAppointments, tags],
      signal?: AbortSignal,
    ): Promise<ProjectionRunner> {
      const runner = createProjectionRunner({
        store,
        pool,
        projections,
        logger,
        signal,
        catchUpTimeoutMs: endlessTimeouts.catchUpMs,
      })
      // A runner whose start was aborted needs no stop.
      await runner.start()
      runners.push(runner)
      return runner
    },
    async writeHistory(events = 10_000, rows = 1_500): Promise<void> {
      for (const some of generateAppointmentEvents(events, rows)) await write(...some)
    },
    async checkpoint(name: string) {
      return (await pool.query('select version, position, state from read.checkpoints where name = $1', [name])).rows[0]
    },
  }
}
