import type { Pool } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { withConnection } from '#database/pool.ts'

/**
 * Runs a function while no other import of the practice runs, in any instance. Returns `busy` at once when one does.
 * The lock ends with its connection, so a dead process holds none.
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
