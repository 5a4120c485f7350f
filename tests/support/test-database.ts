import { randomBytes } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import { openPool } from '#database/pool.ts'
import { endlessTimeouts } from './endless-timeouts.ts'
import { waitUntil } from './wait-until.ts'

/** An empty database with the extensions, on the PostgreSQL of this test run. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/** Creates a database. Call it in `beforeAll`, and `drop` in `afterAll`, which terminates open connections. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name} template everchart_template`)
  const address = new URL(server)
  address.pathname = `/${name}`
  return { url: address.href, drop: () => runOnServer(server, `drop database if exists ${name} with (force)`) }
}

/** Opens a pool whose queries and appends take as long as they need, however slow the machine is. */
export const openTestPool = (url: string, max: number): Pool => openPool(url, max, undefined, endlessTimeouts)

async function runOnServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // Test files may call this concurrently, but PostgreSQL copies a template for one session at a time.
    await client.query(`select pg_advisory_lock(hashtext('everchart test databases'))`)
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Waits until PostgreSQL has closed the given sessions, or all sessions of a database. After a client disconnects, its
 * session stays in pg_stat_activity for a moment, and a restore refuses to run while there is one.
 */
export async function waitUntilSessionsEnd(databaseUrl: string, processIds?: readonly number[]): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  const server = new Client({ connectionString: inject('databaseUrl') })
  await server.connect()
  try {
    const sessions = `select from pg_stat_activity
      where datname = $1 and ($2::int[] is null or pid = any($2)) and backend_type = 'client backend'`
    await waitUntil(async () => (await server.query(sessions, [name, processIds ?? null])).rowCount === 0)
  } finally {
    await server.end()
  }
}
