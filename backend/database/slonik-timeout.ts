import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { QueryTimeout } from './query-timeout.ts'

/** `patience` in milliseconds; `mostAtOnce` as many as the pool has connections. */
type Limits = { timeoutMs: number; maxConnections: number }

/**
 * A pool whose reads are answered, or fail with NoAnswer, within the patience of whoever asked: also where every connection
 * is in use, a table is locked, or the network swallows everything. Slonik alone would wait for ever.
 *
 * Who has to wait for a connection waits here and not in slonik: whoever gave up then never costs one, and slonik's own
 * queue ends the process when a new connection breaks in the moment in which it is handed on.
 */
export function withQueryTimeout(
  database: DatabasePool,
  { timeoutMs: patience, maxConnections: mostAtOnce }: Limits,
): DatabasePool {
  const waiting = new Set<() => void>()
  let free = mostAtOnce

  function giveBack(): void {
    const [next] = waiting
    if (!next) {
      free++
      return
    }
    waiting.delete(next)
    next()
  }

  async function turn(late: Promise<never>): Promise<void> {
    if (free > 0) {
      free--
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    try {
      await Promise.race([promise, late])
    } catch (error) {
      // It may have come in the very moment in which nobody wanted it any more.
      if (!waiting.delete(resolve)) giveBack()
      throw error
    }
  }

  async function inTime<Result>(ask: (connection: CommonQueryMethods) => Promise<Result>): Promise<Result> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new QueryTimeout('PostgreSQL does not answer in time')), patience)
    try {
      await turn(late.promise)
      // The inner race gives up the connection, which slonik then throws away; the outer one waits for neither.
      const answer = database.connect((connection) => Promise.race([ask(connection), late.promise]))
      answer.then(giveBack, giveBack)
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    ...database,
    any: (query) => inTime((connection) => connection.any(query)),
    anyFirst: (query) => inTime((connection) => connection.anyFirst(query)),
    maybeOne: (query) => inTime((connection) => connection.maybeOne(query)),
    one: (query) => inTime((connection) => connection.one(query)),
  }
}
