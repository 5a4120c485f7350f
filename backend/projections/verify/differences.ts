import type { Position } from '#eventstore/event.ts'
import { inTransaction, withConnection } from '#database/pool.ts'
import { isBehind } from '#projections/runner/subscription.ts'
import { type AnyProjection, getRowKeys, type Row } from '#projections/projection.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { asShadow, quoteIdentifier, quoteTableName } from '#projections/tables.ts'

/** A row that is not as it should be. `found` is null where it is missing, `expected` where it should not be there. */
export type Difference = { key: string; found: Row | null; expected: Row | null }

/** The columns in which the two sides of a difference are not the same; all of them where one side has no row. */
export function listDifferingColumns({ found, expected }: Difference): string[] {
  const names = [...new Set([...Object.keys(expected ?? {}), ...Object.keys(found ?? {})])]
  const text = (row: Row | null, name: string) => JSON.stringify(row?.[name])
  return names.filter((name) => text(found, name) !== text(expected, name))
}

const fetchSize = 500
const maxInFlightEvents = 1_000

/**
 * Compares the table that answers with the one that is folded beside it, and tells of every row that an exchange would
 * change. Holds up nobody. What is being written at this very moment, which one of them has taken in and the other has not
 * yet, is left out. Answers how many rows differ.
 */
export async function compareWithShadow(
  { store, pool }: EngineContext,
  projection: AnyProjection,
  tell: (difference: Difference) => void,
): Promise<number> {
  const next = asShadow(projection)
  return await withConnection(pool, (client) =>
    inTransaction(client, 'begin isolation level repeatable read, read only', async () => {
      // The locks come before the first look, so that no exchange can come in between.
      await client.query(`lock table ${quoteTableName(projection)}, ${quoteTableName(next)} in access share mode`)
      const { rows } = await client.query<{ name: string; position: Position | null }>(
        'select name, position from read.checkpoints where name = any($1)',
        [[projection.name, next.name]],
      )
      const positionOf = ({ name }: AnyProjection) => rows.find((row) => row.name === name)?.position ?? null
      const underWay = await keysBetween(positionOf(projection), positionOf(next))
      await client.query(differencesSql(projection, next), [underWay])
      let count = 0
      for (;;) {
        const found = await client.query<Difference>(`fetch ${fetchSize} from differing`)
        found.rows.forEach(tell)
        count += found.rows.length
        if (found.rows.length < fetchSize) return count
      }
    }),
  )

  /** A table that stands still is far behind: what it lacks is a difference. */
  async function keysBetween(a: Position | null, b: Position | null): Promise<string[]> {
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
