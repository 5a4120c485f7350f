import type { ClientBase } from 'pg'
import type { Recorded } from '#eventstore/event.ts'
import { type AnyProjection, applyEvent, getRowKeys, type Row, type Rows } from './projection.ts'
import { listColumns, buildStatements } from './tables.ts'

/**
 * Folds a batch into a read model within the caller's transaction: the rows it touches are loaded at once, folded in
 * memory, and written back at once.
 */
export async function foldBatch(
  client: ClientBase,
  projection: AnyProjection,
  events: readonly Recorded[],
): Promise<void> {
  const keys = [...new Set(events.flatMap((event) => getRowKeys(projection, event)))]
  if (keys.length === 0) return
  const { save, remove } = buildStatements(projection)
  const before = await loadRows(client, projection, keys)
  const rows: Rows = new Map(before.map((row) => [String(row[projection.key]), row]))
  for (const event of events) applyEvent(projection, rows, event)

  const kept = [...rows.values()].filter((row) => row !== null)
  const known = new Set(before.map((row) => String(row[projection.key])))
  const gone = keys.filter((key) => known.has(key) && !rows.get(key))
  if (kept.length > 0) await client.query(save, [JSON.stringify(kept)])
  if (gone.length > 0) await client.query(remove, [gone])
}

/** The rows with these keys that are there, as the folds write them. */
export async function loadRows(
  client: Pick<ClientBase, 'query'>,
  projection: AnyProjection,
  keys: readonly string[],
): Promise<Row[]> {
  const { rows } = await client.query<{ row: Row }>(buildStatements(projection).load, [keys])
  const asFolded = createRowNormalizer(projection)
  return rows.map(({ row }) => asFolded(row))
}

/** Rows as the folds write them: PostgreSQL gives instants back with an offset, folds write them with Z. */
export function createRowNormalizer(projection: AnyProjection): (row: Row) => Row {
  const instants = listColumns(projection).flatMap(([name, type]) => (type === 'timestamptz' ? [name] : []))
  return (row) => {
    const result = { ...row }
    for (const name of instants) {
      const value = row[name]
      if (typeof value === 'string') result[name] = new Date(value).toISOString()
    }
    return result
  }
}
