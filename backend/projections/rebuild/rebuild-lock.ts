import pg from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'

/**
 * Lends a connection of its own to the one who rebuilds a read model, or exchanges its tables. Nobody else gets it for the
 * same read model meanwhile: answers null at once. Whoever is killed, or loses the connection, has lost the right with it.
 */
export async function withProjectionLock<Result>(
  pool: pg.Pool,
  name: string,
  run: (client: pg.Client) => Promise<Result>,
): Promise<Result | null> {
  const client = new pg.Client({ connectionString: pool.options.connectionString ?? '', keepAlive: true })
  // A connection that breaks is noticed by the next query; without this it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as mine, set_config($3, $4, false)',
      [advisoryLocks.rebuild, name, 'plan_cache_mode', 'force_custom_plan'],
    )
    return rows[0]?.mine ? await run(client) : null
  } finally {
    await client.end().catch(() => undefined)
  }
}
