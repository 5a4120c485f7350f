import type { Pool } from 'pg'
import { withConnection } from '#database/pool.ts'

const lockSpace = 7_274_340

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
      lockSpace,
      practiceId,
    ])
    if (!rows[0]?.held) return 'busy'
    try {
      await run()
      return 'done'
    } finally {
      // On failure the connection is broken, and its locks are released.
      await client.query('select pg_advisory_unlock($1, hashtext($2))', [lockSpace, practiceId]).catch(() => undefined)
    }
  })
}
