import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { withTimeout } from '#runtime/with-timeout.ts'

/**
 * Time-out in milliseconds of one PostgreSQL call of the event store. An append is tried twice, and a command must still
 * reply within five seconds.
 */
export const eventStoreTimeoutMs = 2_200

/** PostgreSQL did not reply in time. Whether it executes the query is unknown. */
export class QueryTimeout extends Error {
  override readonly name = 'QueryTimeout'
  readonly code = 'ETIMEDOUT'
}

/** Returns whether the driver gave up waiting for a reply. Its connection is still waiting and must not be reused. */
export const isDriverTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

type QueryWithTimeout = {
  <Row extends unknown[]>(pool: Pool, query: QueryArrayConfig, timeoutMs?: number): Promise<QueryArrayResult<Row>>
  <Row extends QueryResultRow>(pool: Pool, query: QueryConfig, timeoutMs?: number): Promise<QueryResult<Row>>
}

/**
 * Runs one query within a time-out, which also covers a network that drops every packet and a pool whose connections are
 * all in use. A connection that did not reply is discarded. Throws QueryTimeout.
 */
export const queryWithTimeout: QueryWithTimeout = async (
  pool: Pool,
  query: QueryConfig,
  timeoutMs = eventStoreTimeoutMs,
) => {
  const deadline = performance.now() + timeoutMs
  const client = await acquire(pool, timeoutMs)
  const ignore = () => undefined
  // Without a listener, a connection that breaks would end the process; the query rejects anyway.
  client.on('error', ignore)
  let failure: Error | undefined
  try {
    const remainingMs = Math.max(1, Math.ceil(deadline - performance.now()))
    return (await client.query({ ...query, query_timeout: remainingMs } as QueryConfig)) as never
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
