import { createHash } from 'node:crypto'
import type { QueryConfig } from 'pg'
import { type QuerySqlToken, sql } from 'slonik'

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
 * Returns a list for a named statement, for which PostgreSQL then keeps a plan: `any(${listOf(ids, 'uuid')})` or `unnest(${…})`. It
 * does not see how long the list is. Otherwise it would plan each time, because a plan for a single value costs less than one for
 * any number of them; and planning costs more than either.
 */
export const listOf = (values: readonly string[], type: 'date' | 'text' | 'timestamptz' | 'uuid') =>
  sql.fragment`(select ${sql.array(values, type)})::${sql.identifier([type])}[]`

/**
 * Makes a typed query a named statement. Only for queries of which there are few texts, and whose best plan is the same for
 * practices of any size: PostgreSQL may keep a plan for an average one.
 */
export const prepared = <Query extends QuerySqlToken>(query: Query): Query =>
  Object.freeze({ ...query, name: nameStatement(query.sql) })
