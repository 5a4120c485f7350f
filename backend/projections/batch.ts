import type { PoolClient } from 'pg'
import type { Recorded } from '#eventstore/event.ts'
import { type AnyProjection, applyEvent, keysOf, type Row, type Rows } from './projection.ts'
import { columnsOf, statementsOf } from './tables.ts'

/**
 * Folds a batch into a read model within the caller's transaction: the rows it touches are loaded at once, folded in
 * memory, and written back at once.
 */
export async function foldBatch(
  client: PoolClient,
  projection: AnyProjection,
  events: readonly Recorded[],
): Promise<void> {
  const keys = [...new Set(events.flatMap((event) => keysOf(projection, event)))]
  if (keys.length === 0) return
  const { load, save, remove } = statementsOf(projection)
  const found = await client.query<{ row: Row }>(load, [keys])
  const before = found.rows.map(({ row }) => asFolded(projection, row))
  const rows: Rows = new Map(before.map((row) => [String(row[projection.key]), row]))
  for (const event of events) applyEvent(projection, rows, event)

  const kept = [...rows.values()].filter((row) => row !== null)
  const known = new Set(before.map((row) => String(row[projection.key])))
  const gone = keys.filter((key) => known.has(key) && !rows.get(key))
  if (kept.length > 0) await client.query(save, [JSON.stringify(kept)])
  if (gone.length > 0) await client.query(remove, [gone])
}

/** A row as the folds write it: PostgreSQL gives instants back with an offset, folds write them with Z. */
export function asFolded(projection: AnyProjection, row: Row): Row {
  const result = { ...row }
  for (const [name, type] of columnsOf(projection)) {
    const value = row[name]
    if (type === 'timestamptz' && typeof value === 'string') result[name] = new Date(value).toISOString()
  }
  return result
}
