import { randomBytes } from 'node:crypto'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import { openPool } from '#database/pool.ts'
import { parseRole } from '#database/roles.ts'
import { toApplicationUrl } from '#runtime/embedded-postgres.ts'
import { createTurns } from '#eventstore/turns.ts'
import { endlessTimeouts } from './endless-timeouts.ts'
import { waitUntil } from './wait-until.ts'

/** An empty database with the extensions, on the PostgreSQL of this test run. */
export type TestDatabase = { url: string; drop(): Promise<void> }

const takeTurn = createTurns()

/** Creates a database. Call it in `beforeAll`, and `drop` in `afterAll`, which terminates open connections. */
export const createTestDatabase = (): Promise<TestDatabase> => copyTemplate('everchart_template')

async function copyTemplate(template: string, applicationRole?: string): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await runOnServer(server, async (client) => {
    await client.query(`create database ${name} template ${template} strategy file_copy`)
    // The only right that a copy does not have.
    if (applicationRole) await client.query(`grant create on database ${name} to ${applicationRole}`)
  })
  return {
    url: toAddress(server, name),
    drop: () => runOnServer(server, async (client) => void (await client.query(dropSql(name)))),
  }
}

const dropSql = (name: string) => `drop database if exists ${name} with (force)`

/**
 * Creates a database in which the application has been started and stopped once in this test run, by `startAndStop`, and which is
 * prepared for its role: creating its tables and queues takes longer than most test files.
 */
export async function createStartedDatabase(startAndStop: (url: string) => Promise<void>): Promise<TestDatabase> {
  const server = inject('databaseUrl')
  await (started ??= runOnServer(server, async (client) => {
    const { rowCount } = await client.query(`select from pg_database where datname = 'everchart_started'`)
    if (rowCount !== 0) return
    await client.query(dropSql('everchart_starting'))
    await client.query('create database everchart_starting template everchart_template')
    await startAndStop(toAddress(server, 'everchart_starting'))
    await client.query('alter database everchart_starting rename to everchart_started')
  }))
  return await copyTemplate('everchart_started', parseRole(toApplicationUrl(server)).name)
}

function toAddress(server: string, database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.href
}

/** Opens a pool whose queries and appends take as long as they need, however slow the machine is. */
export const openTestPool = (url: string, max: number, options: { isPipelined?: boolean } = {}): Pool =>
  openPool(url, max, undefined, endlessTimeouts, options)

/** Resolves when the database of `createStartedDatabase` exists. */
let started: Promise<void> | undefined

/** The connection of this worker to the server: opening one takes longer than most statements. It ends with the worker. */
let admin: Promise<Client> | undefined

async function openAdmin(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  // A test may stop the server that it was given.
  client.on('error', () => (admin = undefined))
  await client.connect()
  // A run does not wait for it; the types of the driver do not know the function.
  ;(client as Client & { unref(): void }).unref()
  return client
}

async function runOnServer<Result>(url: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = await (admin ??= openAdmin(url))
  // Test files may call this concurrently, but PostgreSQL copies a template for one session at a time.
  return await takeTurn('server', async () => {
    await client.query(`select pg_advisory_lock(hashtext('everchart test databases'))`)
    try {
      return await run(client)
    } finally {
      await client.query('select pg_advisory_unlock_all()')
    }
  })
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
