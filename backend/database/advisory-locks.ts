import pLimit from 'p-limit'
import { escapeLiteral, type Pool } from 'pg'
import { withConnection } from './pool.ts'

/**
 * Keys of the advisory locks, by purpose; each is unique within the database. All instances of the app must use the same
 * number, also during an upgrade: never change one.
 */
export const advisoryLocks = {
  eventStoreSchema: 7_274_330,
  append: 7_274_331,
  migrations: 7_274_332,
  readModelSchema: 7_274_333,
  roles: 7_274_335,
  jobIndexes: 7_274_336,
  /** First part of a two-part key; the second is the hash of the projection's name. */
  rebuild: 7_274_334,
  /** First part of a two-part key; the second is the hash of the practice's id. */
  patientImport: 7_274_340,
  /** Held shared by every process that uses data keys, exclusively while the master key is rotated. */
  keyStore: 7_274_350,
} as const

/** Runs tasks that share a name one after the other, across all instances of the app; all others concurrently. */
export type RunWithLocks = <Result>(names: readonly string[], run: () => Promise<Result>) => Promise<Result>

/**
 * Serializes check-then-write sequences, so that two requests that register the same person at the same moment do not
 * both succeed. Within this process tasks wait in memory and hold no connection; against other instances an advisory lock
 * of PostgreSQL is taken for each name. At most `maxConnections` of the shared pool's twenty are in use this way, and a
 * task that holds one never waits for another of them, so there is no starvation. An instance that dies releases its
 * locks with its connection.
 */
export function withAdvisoryLocks(pool: Pool, maxConnections: number): RunWithLocks {
  const last = new Map<string, Promise<void>>()
  const limit = pLimit(maxConnections)

  return async (names, run) => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
    const predecessors = names.map((name) => last.get(name))
    // A task joins all of its queues in one step: two tasks can never wait for each other.
    for (const name of names) last.set(name, finished)
    await Promise.all(predecessors)
    try {
      return await limit(() => runWithDatabaseLocks(pool, names, run))
    } finally {
      for (const name of names) if (last.get(name) === finished) last.delete(name)
      finish()
    }
  }
}

async function runWithDatabaseLocks<Result>(pool: Pool, names: readonly string[], run: () => Promise<Result>) {
  return await withConnection(pool, async (client) => {
    try {
      // In the same order everywhere, so that two instances cannot deadlock. Both at once: this is a part of many requests.
      const keys = names.toSorted().map((name, place) => `(hashtextextended(${escapeLiteral(name)}, 0), ${place})`)
      await client.query(
        `begin; select pg_advisory_xact_lock(key) from (
           select key from (values ${keys.join(', ')}) as named (key, place) order by place) as ordered`,
      )
      return await run()
    } finally {
      await client.query('rollback').catch(() => undefined)
    }
  })
}
