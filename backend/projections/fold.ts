import type { ClientBase } from 'pg'
import { statement } from '#database/prepared.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Recorded } from '#eventstore/event.ts'
import { type AnyProjection, applyEvent, getRowKeys, type Row, type Rows } from './projection.ts'
import { sealRows, wrapSealed } from './sealed-columns.ts'
import { listColumns, buildStatements } from './tables.ts'

/** Rows of one statement: PostgreSQL ends a transaction in which encrypting the rows takes too long (ADR 11). */
const maxRowsPerWrite = 500

/**
 * Folds a batch into a table within the caller's transaction: loads the affected rows in one query, folds in memory,
 * and writes them back, 500 rows in a statement. Sealed columns need the key store.
 */
export async function foldBatch(
  client: ClientBase,
  projection: AnyProjection,
  events: readonly Recorded[],
  keyStore?: KeyStore,
): Promise<void> {
  const keys = [...new Set(events.flatMap((event) => getRowKeys(projection, event)))]
  if (keys.length === 0) return
  const { save, remove } = buildStatements(projection)
  const stored = await loadRows(client, projection, keys)
  const rows: Rows = new Map(stored.map((row) => [String(row[projection.key]), row]))
  for (const event of events) applyEvent(projection, rows, event)

  const changed = [...rows.values()].filter((row) => row !== null)
  const storedKeys = new Set(stored.map((row) => String(row[projection.key])))
  const removed = keys.filter((key) => storedKeys.has(key) && !rows.get(key))
  for (let from = 0; from < changed.length; from += maxRowsPerWrite) {
    // oxlint-disable-next-line no-await-in-loop -- one write after the other
    const sealed = await sealRows(projection, changed.slice(from, from + maxRowsPerWrite), keyStore)
    // oxlint-disable-next-line no-await-in-loop
    await client.query(statement(save, [JSON.stringify(sealed)]))
  }
  if (removed.length > 0) await client.query(statement(remove, [removed]))
}

/** Loads the existing rows with these keys, normalized as the folds write them, with sealed values as they are stored. */
export async function loadRows(
  client: Pick<ClientBase, 'query'>,
  projection: AnyProjection,
  keys: readonly string[],
): Promise<Row[]> {
  const { rows } = await client.query<{ row: Row }>(statement(buildStatements(projection).load, [keys]))
  const normalize = createRowNormalizer(projection)
  return rows.map(({ row }) => wrapSealed(projection, normalize(row)))
}

/** Creates a function that writes instants as folds do: PostgreSQL returns them with an offset, folds use Z. */
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
