import pg from 'pg'
import { createPool, type DatabasePool, type Interceptor, SchemaValidationError } from 'slonik'
import { isDriverTimeout } from './query-timeout.ts'
import { withQueryTimeout } from './slonik-timeout.ts'

/** Rows are held to the schema their query names: a column that was renamed fails here, not on a screen. */
const validateRows: Interceptor = {
  name: 'check rows',
  transformRow: ({ resultParser }, { sql }, row) => {
    if (!resultParser) return row
    const result = resultParser['~standard'].validate(row) as { value?: unknown; issues?: readonly unknown[] }
    if (result.issues) throw new SchemaValidationError({ sql, values: [] }, row as never, result.issues as never)
    return result.value as typeof row
  },
}

/** Milliseconds after which a query fails that nobody answers: whoever asked is told within five seconds. */
export const queryTimeoutMs = 4_000

/** Connections for what is on screen. */
const maxConnections = 10

/** As the contracts have them: instants as ISO texts in UTC, dates as YYYY-MM-DD, counts as numbers. */
const typeParsers = [
  { name: 'timestamptz', parse: (value: string) => new Date(value).toISOString() },
  { name: 'date', parse: (value: string) => value },
  { name: 'int8', parse: Number },
  { name: 'numeric', parse: Number },
]

/**
 * Typed reads for the modules' queries. They leave nothing behind on a connection, so none is reset after each query, as
 * slonik would: that is a second way to the database and back for everything on screen.
 */
export async function openDatabase(url: string): Promise<DatabasePool> {
  const database = await createPool(url, {
    interceptors: [validateRows],
    typeParsers,
    maximumPoolSize: maxConnections,
    captureStackTrace: false,
    resetConnection: () => Promise.resolve(),
    connectionTimeout: queryTimeoutMs,
    // Once more would take as long again, and nobody waits that long.
    connectionRetryLimit: 0,
    // The database works no longer for those who were told that it does not answer.
    statementTimeout: queryTimeoutMs + 1_000,
    gracefulTerminationTimeout: 1_000,
  })
  return withQueryTimeout(database, { timeoutMs: queryTimeoutMs, maxConnections: maxConnections })
}

/** What the connections of a running application are called, so that a tool can see that there is one. */
export const applicationName = 'everchart'

/**
 * Plain connections, under a name if there is one: for the event store, projections and whatever is no read model.
 * `patience`: milliseconds after which a query fails that was not answered, as where the network swallows everything.
 */
export function openPool(url: string, max: number, name?: string, patience?: number): pg.Pool {
  const settings = {
    connectionString: url,
    max,
    connectionTimeoutMillis: patience ?? 5_000,
    idleTimeoutMillis: 30_000,
    ...(patience === undefined ? {} : { query_timeout: patience }),
  }
  // Whatever name the address gives.
  const onConnect = async (client: pg.ClientBase) => void (await client.query(`set application_name to '${name}'`))
  const pool = new pg.Pool(name === undefined ? settings : { ...settings, onConnect })
  // A connection that breaks while idle is replaced by the next query; without this it would end the process.
  pool.on('error', () => undefined)
  // Nor may one that breaks in the moment in which it is handed on: the pool takes its own listener away before whoever
  // waits for it can have set one.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/**
 * Lends a connection of the pool. One that breaks meanwhile is thrown away; without a listener of its own its error would
 * end the process.
 */
export async function withConnection<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    return await run(client)
  } catch (error) {
    // It still waits for its answer, and whoever came next would wait with it.
    if (isDriverTimeout(error)) broken = error
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Runs within a transaction on a connection one has; what it throws undoes everything. */
export async function inTransaction<Result>(
  client: pg.ClientBase,
  begin: string,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    await client.query(begin)
    const result = await run()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Lost connections, deadlocks, full disks, somebody's intervention: PostgreSQL's own classes of what will pass. */
export const isTransient = (error: unknown): boolean =>
  isDriverTimeout(error) || /^(08|25|40|53|55|57|58)...$/.test((error as { code?: string } | null)?.code ?? '')
