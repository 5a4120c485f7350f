import pg from 'pg'
import { createPool, type DatabasePool } from 'slonik'
import { parseInstant } from './parse-instant.ts'
import { isDriverTimeout, setEventStoreTimeout } from './query-timeout.ts'
import { checkAllRows } from './row-checks.ts'
import { withSessionSettings } from './session-settings.ts'
import { separateTls } from './tls.ts'
import { withQueryTimeout } from './slonik-timeout.ts'
import { cancelAheadMs, productionTimeouts, type Timeouts } from './timeouts.ts'

/** Connections for reads of the screens. */
const maxConnections = 10

/** Types as in the contracts: instants as ISO text in UTC, dates as YYYY-MM-DD, counts as numbers. */
const typeParsers = [
  { name: 'timestamptz', parse: parseInstant },
  { name: 'date', parse: (value: string) => value },
  { name: 'int8', parse: Number },
  { name: 'numeric', parse: Number },
]

/**
 * Opens the pool for the modules' typed queries, whose rows are validated by `rowChecks`. They leave no state on a connection, so it is not reset after each query,
 * as slonik would do: that costs a second round trip for every read.
 */
export async function openDatabase(
  url: string,
  { queryMs } = productionTimeouts,
  rowChecks = checkAllRows,
): Promise<DatabasePool> {
  const { url: address, ssl } = separateTls(url)
  const database = await createPool(withSessionSettings(address), {
    ...(ssl && { ssl }),
    interceptors: [rowChecks],
    typeParsers,
    maximumPoolSize: maxConnections,
    captureStackTrace: false,
    resetConnection: () => Promise.resolve(),
    connectionTimeout: queryMs,
    // A retry would take as long again, beyond the time-out of the request.
    connectionRetryLimit: 0,
    // The server cancels statements whose caller has given up.
    statementTimeout: queryMs + 1_000,
    gracefulTerminationTimeout: 1_000,
  })
  return withQueryTimeout(database, { timeoutMs: queryMs, maxConnections })
}

/** Name of a running application's connections, by which tools detect it. */
export const applicationName = 'everchart'

type PoolOptions = {
  /** Runs first on every connection. */
  connectSql?: string
  /** Statements on one connection do not wait for each other's replies (`sendTogether`). Such a connection cannot copy tables. */
  isPipelined?: boolean
}

/**
 * Opens a pool of plain connections for the event store, projections and everything else that is not a typed query. With
 * `timeouts` a query without a reply fails, as in a network that drops every packet.
 */
export function openPool(
  url: string,
  max: number,
  name?: string,
  timeouts?: Timeouts,
  { connectSql = '', isPipelined = false }: PoolOptions = {},
): pg.Pool {
  const settings = {
    connectionString: withSessionSettings(url),
    max,
    connectionTimeoutMillis: timeouts?.queryMs ?? 5_000,
    idleTimeoutMillis: 30_000,
    pipeline: isPipelined,
    ...(timeouts && { query_timeout: timeouts.queryMs }),
  }
  // Overrides a name in the URL.
  const onConnect = async (client: pg.ClientBase) =>
    void (await client.query(`set application_name to '${name}'; ${connectSql}`))
  const pool = new pg.Pool(name === undefined ? settings : { ...settings, onConnect })
  // An idle connection that breaks is replaced by the next query; without this listener it would end the process.
  pool.on('error', () => undefined)
  // The same for one that breaks while it is handed over: the pool removes its own listener before the caller can add one.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  if (timeouts) setEventStoreTimeout(pool, timeouts.eventStoreMs)
  return pool
}

/**
 * Opens a pool whose commits do not wait for the disk. For counters that may lose their last half second when PostgreSQL
 * crashes: a sign-in changes several of them, each of which would otherwise wait for the disk. The server cancels a statement
 * before its caller gives up, so that it does not take effect later.
 */
export const openRelaxedPool = (url: string, max: number, name: string, timeouts: Timeouts): pg.Pool =>
  openPool(url, max, name, timeouts, {
    connectSql: `set synchronous_commit to off; set statement_timeout to ${timeouts.queryMs - cancelAheadMs}`,
  })

/** Connections for appends: they are sent one after the other, and a second one replaces a connection that hangs. */
const maxAppendConnections = 2

/**
 * Opens the pool on which events are appended. It is separate, so that an append never queues behind other queries, and the
 * server cancels and rolls back an append that waits for a lock before its caller gives up.
 */
export const openAppendPool = (url: string, name: string, timeouts: Timeouts): pg.Pool =>
  openPool(url, maxAppendConnections, name, timeouts, {
    connectSql: `set statement_timeout to ${timeouts.eventStoreMs - cancelAheadMs}`,
  })

/** Runs a function with a connection of the pool. A connection that breaks is discarded; its error does not end the process. */
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
    // It is still waiting for its reply, and the next query would wait behind it.
    if (isDriverTimeout(error)) broken = error
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Runs a function within a transaction on a connection of the pool; rolls back when it throws. */
export const withTransaction = <Result>(
  pool: pg.Pool,
  begin: string,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => withConnection(pool, (client) => inTransaction(client, begin, () => run(client)))

/** Runs a function within a transaction on a connection; rolls back when it throws. */
export const inTransaction = <Result>(
  client: pg.ClientBase,
  begin: string,
  run: () => Promise<Result>,
): Promise<Result> =>
  rollingBack(client, async () => {
    await client.query(begin)
    const result = await run()
    await client.query('commit')
    return result
  })

/** Runs a function that begins and commits a transaction itself; rolls back when it throws. */
export async function rollingBack<Result>(client: pg.ClientBase, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
