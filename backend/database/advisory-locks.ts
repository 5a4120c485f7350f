import type { Pool } from 'pg'
import { withConnection } from './pool.ts'

/** Runs what concerns the same names one after the other, in all copies of the app; everything else at once. */
export type RunWithLocks = <Result>(names: readonly string[], run: () => Promise<Result>) => Promise<Result>

/**
 * Look, then write, without somebody else writing in between, so that two who register the same person at the same moment
 * do not both succeed. Within this process those who wait queue in memory and hold no connection; against other copies
 * of the app an advisory lock of PostgreSQL is taken for each name. At most `mostHeld` of the twenty connections of the shared
 * pool are ever held this way, and who holds one never waits for another of them, so nobody can be starved. A copy that dies lets go
 * of its locks with its connection.
 */
export function withAdvisoryLocks(pool: Pool, mostHeld: number): RunWithLocks {
  const last = new Map<string, Promise<void>>()
  const waiting: (() => void)[] = []
  let free = mostHeld

  async function connectionFree(): Promise<void> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  function giveBack(): void {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  return async (names, run) => {
    const { promise: mine, resolve: done } = Promise.withResolvers<void>()
    const before = names.map((name) => last.get(name))
    // All places in all queues are taken at once: two can never wait for each other.
    for (const name of names) last.set(name, mine)
    await Promise.all(before)
    try {
      await connectionFree()
      try {
        return await runWithDatabaseLocks(pool, names, run)
      } finally {
        giveBack()
      }
    } finally {
      for (const name of names) if (last.get(name) === mine) last.delete(name)
      done()
    }
  }
}

async function runWithDatabaseLocks<Result>(pool: Pool, names: readonly string[], run: () => Promise<Result>) {
  return await withConnection(pool, async (client) => {
    try {
      await client.query('begin')
      // In one order everywhere, so that two copies cannot wait for each other either.
      for (const name of names.toSorted())
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
      return await run()
    } finally {
      await client.query('rollback').catch(() => undefined)
    }
  })
}
