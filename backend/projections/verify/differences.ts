import type { Position } from '#eventstore/event.ts'
import { withTransaction } from '#database/pool.ts'
import { isBehind } from '#projections/position.ts'
import { type AnyProjection, getRowKeys, type Row } from '#projections/projection.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { quoteIdentifier, quoteTableName } from '#projections/table-names.ts'
import { asShadow } from '#projections/tables.ts'

/** A row that differs. `found` is null when the row is missing, `expected` when it is extra. */
export type Difference = { key: string; found: Row | null; expected: Row | null }

/** Returns the columns in which both sides differ; all columns when one side has no row. */
export function listDifferingColumns({ found, expected }: Difference): string[] {
  const names = [...new Set([...Object.keys(expected ?? {}), ...Object.keys(found ?? {})])]
  const toText = (row: Row | null, name: string) => JSON.stringify(row?.[name])
  return names.filter((name) => toText(found, name) !== toText(expected, name))
}

const fetchSize = 500
const maxInFlightEvents = 1_000

/**
 * Compares the current table with its shadow table, and reports every row that a swap would change. Blocks no reader or
 * writer. Leaves out rows of events that only one of the two tables has processed yet. Returns the number of
 * differences.
 */
export async function compareWithShadow(
  { store, pool }: EngineContext,
  projection: AnyProjection,
  onDifference: (difference: Difference) => void,
): Promise<number> {
  const next = asShadow(projection)
  return await withTransaction(pool, 'begin isolation level repeatable read, read only', async (client) => {
    // Locked before the first read, so that no swap happens in between.
    await client.query(`lock table ${quoteTableName(projection)}, ${quoteTableName(next)} in access share mode`)
    const { rows } = await client.query<{ name: string; position: Position | null }>(
      'select name, position from read.checkpoints where name = any($1)',
      [[projection.name, next.name]],
    )
    const findPosition = ({ name }: AnyProjection) => rows.find((row) => row.name === name)?.position ?? null
    const inFlight = await findKeysBetween(findPosition(projection), findPosition(next))
    await client.query(differencesSql(projection, next), [inFlight])
    let count = 0
    for (;;) {
      const found = await client.query<Difference>(`fetch ${fetchSize} from differing`)
      found.rows.forEach(onDifference)
      count += found.rows.length
      if (found.rows.length < fetchSize) return count
    }
  })

  /**
   * Returns the keys of rows affected between two positions; none when they are far apart, as when one table failed.
   */
  async function findKeysBetween(a: Position | null, b: Position | null): Promise<string[]> {
    const [from, to] = isBehind(a, b) ? [a, b] : [b, a]
    if (from === to) return []
    const { events } = await store.readAll(from, { limit: maxInFlightEvents })
    const between = events.filter(({ position }) => !isBehind(to, position))
    return events.length === between.length && isBehind(events.at(-1)?.position ?? null, to)
      ? []
      : between.flatMap((event) => getRowKeys(projection, event))
  }
}

function differencesSql(live: AnyProjection, next: AnyProjection): string {
  const key = quoteIdentifier(live.key)
  return `
    declare differing no scroll cursor for
    select coalesce(n.${key}, l.${key}::text) as key, to_jsonb(l) as found, n.row as expected
    from ${quoteTableName(live)} l
    full join (select ${key}::text, to_jsonb(t) as row from ${quoteTableName(next)} t) n on n.${key} = l.${key}::text
    where to_jsonb(l) is distinct from n.row and coalesce(n.${key}, l.${key}::text) <> all($1::text[])`
}
