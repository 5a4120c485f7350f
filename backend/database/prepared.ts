import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import type { QuerySqlToken } from 'slonik'

const names = new Map<string, string>()

/** Returns the name of a statement. Each text has its own, because a connection knows one text per name. */
function nameStatement(text: string): string {
  const name = names.get(text) ?? `q-${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}

/**
 * Returns a named statement, which PostgreSQL parses once per connection and soon plans no more: for a small statement, that
 * costs more than its execution.
 */
export const statement = (text: string, values: unknown[]): QueryConfig => ({ name: nameStatement(text), text, values })

/**
 * Makes a typed query a named statement. Only for queries of which there are few texts, and whose best plan is the same for
 * practices of any size: PostgreSQL may keep a plan for an average one.
 */
export const prepared = <Query extends QuerySqlToken>(query: Query): Query =>
  Object.freeze({ ...query, name: nameStatement(query.sql) })
