import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { timeStep } from '#runtime/step-times.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { productionTimeouts } from './timeouts.ts'

/** The time-out of the event store's calls on each pool that has one of its own. */
const eventStoreTimeouts = new WeakMap<Pool, number>()

/** Sets the time-out in milliseconds of the calls that `queryWithTimeout` makes on a pool. */
export const setEventStoreTimeout = (pool: Pool, timeoutMs: number): void =>
  void eventStoreTimeouts.set(pool, timeoutMs)

const getEventStoreTimeout = (pool: Pool) => eventStoreTimeouts.get(pool) ?? productionTimeouts.eventStoreMs

/** PostgreSQL did not reply in time. Whether it executes the query is unknown. */
export class QueryTimeout extends Error {
  override readonly name = 'QueryTimeout'
  readonly code = 'ETIMEDOUT'
}

/** A query did not get a connection: it was certainly not sent. */
export class QueryNotSent extends Error {
  override readonly name = 'QueryNotSent'
}

/** Returns whether the driver gave up waiting for a reply. Its connection is still waiting and must not be reused. */
export const isDriverTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

type QueryWithTimeout = {
  <Row extends unknown[]>(pool: Pool, query: QueryArrayConfig, timeoutMs?: number): Promise<QueryArrayResult<Row>>
  <Row extends QueryResultRow>(pool: Pool, query: QueryConfig, timeoutMs?: number): Promise<QueryResult<Row>>
}

/**
 * Runs one query within a time-out, by default that of the event store on this pool. It also covers a network that drops
 * every packet and a pool whose connections are all in use. A connection that did not reply is discarded. Throws
 * QueryTimeout.
 */
export const queryWithTimeout: QueryWithTimeout = async (
  pool: Pool,
  query: QueryConfig,
  timeoutMs = getEventStoreTimeout(pool),
) => {
  const deadline = performance.now() + timeoutMs
  const client = await timeStep('connection', () => acquire(pool, timeoutMs))
  return await runQuery(client, query, () => deadline - performance.now())
}

/**
 * Runs one writing query. The wait for a connection is not part of its time-out, so that the server can always cancel it
 * before the caller gives up. Throws QueryNotSent without a connection, and QueryTimeout.
 */
export async function writeWithTimeout<Row extends QueryResultRow>(
  pool: Pool,
  query: QueryConfig,
): Promise<QueryResult<Row>> {
  const timeoutMs = getEventStoreTimeout(pool)
  const client = await acquire(pool, timeoutMs / 2).catch((error: unknown) => {
    throw new QueryNotSent('No connection to PostgreSQL', { cause: error })
  })
  return (await runQuery(client, query, () => timeoutMs)) as QueryResult<Row>
}

/** Runs a query on an acquired connection and releases it; one that did not reply is discarded. */
async function runQuery(client: PoolClient, query: QueryConfig, getRemainingMs: () => number): Promise<never> {
  const ignore = () => undefined
  // Without a listener, a connection that breaks would end the process; the query rejects anyway.
  client.on('error', ignore)
  let failure: Error | undefined
  try {
    const timedQuery = { ...query, query_timeout: Math.max(1, Math.ceil(getRemainingMs())) } as QueryConfig
    return (await timeStep('event store', () => client.query(timedQuery))) as never
  } catch (error) {
    failure = error as Error
    throw isDriverTimeout(error) ? new QueryTimeout('PostgreSQL does not respond in time', { cause: error }) : error
  } finally {
    client.off('error', ignore)
    client.release(failure)
  }
}

async function acquire(pool: Pool, timeoutMs: number): Promise<PoolClient> {
  const connecting = pool.connect()
  return await withTimeout(connecting, timeoutMs, () => {
    // A connection that arrives late goes back to the pool.
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    throw new QueryTimeout('No connection to PostgreSQL in time')
  })
}
