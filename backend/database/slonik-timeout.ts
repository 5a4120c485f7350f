import pLimit from 'p-limit'
import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { timeStep } from '#runtime/step-times.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { QueryTimeout } from './query-timeout.ts'

/** `timeoutMs` includes the wait for a connection; `maxConnections` is the size of the pool. */
type Limits = { timeoutMs: number; maxConnections: number }

/**
 * Wraps a pool so that reads reply or throw QueryTimeout within `timeoutMs`, also where every connection is in use, a
 * table is locked, or the network drops every packet. Slonik alone would wait indefinitely.
 *
 * Reads queue here for a connection and not in slonik: an expired read then never takes one, and slonik's own queue ends
 * the process when a new connection breaks while it is handed over.
 */
export function withQueryTimeout(database: DatabasePool, { timeoutMs, maxConnections }: Limits): DatabasePool {
  const limit = pLimit(maxConnections)

  async function read<Result>(query: (connection: CommonQueryMethods) => Promise<Result>): Promise<Result> {
    const deadline = performance.now() + timeoutMs
    const queued = limit(async () => {
      const remainingMs = deadline - performance.now()
      if (remainingMs <= 0) throw createTimeout()
      // On this time-out slonik discards the connection; the outer one does not even wait for that.
      return await database.connect((connection) => withTimeout(query(connection), remainingMs, throwTimeout))
    })
    return await timeStep('read models', () => withTimeout(queued, timeoutMs, throwTimeout))
  }

  return {
    ...database,
    any: (query) => read((connection) => connection.any(query)),
    anyFirst: (query) => read((connection) => connection.anyFirst(query)),
    maybeOne: (query) => read((connection) => connection.maybeOne(query)),
    one: (query) => read((connection) => connection.one(query)),
  }
}

const createTimeout = () => new QueryTimeout('PostgreSQL does not respond in time')

function throwTimeout(): never {
  throw createTimeout()
}
