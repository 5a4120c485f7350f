import type { Pool } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { withConnection } from '#database/pool.ts'

/**
 * Runs something while no other import of the practice is at work, in this copy of the app or another. Answers `busy`
 * at once when one is. The lock goes with its connection: a process that dies holds none.
 */
export async function withPracticeLock(
  pool: Pool,
  practiceId: string,
  run: () => Promise<void>,
): Promise<'done' | 'busy'> {
  return await withConnection(pool, async (client) => {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as held', [
      advisoryLocks.patientImport,
      practiceId,
    ])
    if (!rows[0]?.held) return 'busy'
    try {
      await run()
      return 'done'
    } finally {
      // Where this fails the connection is broken, and its locks went with it.
      await client
        .query('select pg_advisory_unlock($1, hashtext($2))', [advisoryLocks.patientImport, practiceId])
        .catch(() => undefined)
    }
  })
}
