import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult, QueryConfig, QueryResult, QueryResultRow } from 'pg'

/**
 * How long PostgreSQL may take to answer one call of the event store, in milliseconds. An append is tried twice, and a
 * command still answers within five seconds.
 */
export const eventStoreTimeoutMs = 2_200

/** PostgreSQL has not answered in time. Whether it does what it was asked to is not known. */
export class QueryTimeout extends Error {
  override readonly name = 'NoAnswer'
  readonly code = 'ETIMEDOUT'
}

/** The driver's own words where it gave up waiting. Its connection still waits, and is good for nothing. */
export const isDriverTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

type QueryWithTimeout = {
  <Row extends unknown[]>(pool: Pool, query: QueryArrayConfig, within?: number): Promise<QueryArrayResult<Row>>
  <Row extends QueryResultRow>(pool: Pool, query: QueryConfig, within?: number): Promise<QueryResult<Row>>
}

/**
 * One query that is answered or failed within a time, also where the network swallows everything and nobody is told, and
 * where every connection is in use. A connection that did not answer is thrown away. Throws NoAnswer.
 */
export const queryWithTimeout: QueryWithTimeout = async (
  pool: Pool,
  query: QueryConfig,
  within = eventStoreTimeoutMs,
) => {
  const due = performance.now() + within
  const client = await acquire(pool, within)
  const ignore = () => undefined
  // Without a listener, one that breaks would end the process; the query says it anyhow.
  client.on('error', ignore)
  let failure: Error | undefined
  try {
    const rest = Math.max(1, Math.ceil(due - performance.now()))
    return (await client.query({ ...query, query_timeout: rest } as QueryConfig)) as never
  } catch (error) {
    failure = error as Error
    throw isDriverTimeout(error) ? new QueryTimeout('PostgreSQL does not answer in time', { cause: error }) : error
  } finally {
    client.off('error', ignore)
    client.release(failure)
  }
}

async function acquire(pool: Pool, within: number): Promise<PoolClient> {
  const connecting = pool.connect()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new QueryTimeout('No connection to PostgreSQL in time'))
    // One that comes after all is for the next who asks.
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
  }, within)
  try {
    return await Promise.race([connecting, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
