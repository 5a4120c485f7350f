import pg from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'

/**
 * Runs on a connection that holds the rebuild lock of a projection. Returns null at once when another process holds it.
 * A process that is killed or loses the connection loses the lock with it.
 */
export async function withProjectionLock<Result>(
  pool: pg.Pool,
  name: string,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result | null> {
  const client = new pg.Client({ connectionString: pool.options.connectionString ?? '', keepAlive: true })
  // The next query reports a broken connection; an unhandled 'error' event would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ isLocked: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as "isLocked", set_config($3, $4, false)',
      [advisoryLocks.rebuild, name, 'plan_cache_mode', 'force_custom_plan'],
    )
    return rows[0]?.isLocked ? await run(client) : null
  } finally {
    await client.end().catch(() => undefined)
  }
}
