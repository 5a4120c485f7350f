import type { Pool } from 'pg'
import type { KeyStore } from '#encryption/key-store.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { createRowNormalizer } from '#projections/fold.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { sealRows } from '#projections/sealed-columns.ts'
import { quoteTableName } from '#projections/table-names.ts'
import { readAllEvents } from './events.ts'

const sortRows = (rows: Row[], key: string) => rows.toSorted((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1))

/** Returns the rows of a projection, folded from all events; with a key store, as they are stored. */
export async function foldRows(store: EventStore, projection: AnyProjection, keyStore?: KeyStore): Promise<Row[]> {
  const rows: Rows = new Map()
  for (const event of await readAllEvents(store)) applyEvent(projection, rows, event)
  const remaining = [...rows.values()].filter((row) => row !== null)
  return sortRows(keyStore ? [...(await sealRows(projection, remaining, keyStore))] : remaining, projection.key)
}

/** Returns the rows of its table. */
export async function readTableRows(pool: Pool, projection: AnyProjection): Promise<Row[]> {
  const normalize = createRowNormalizer(projection)
  const { rows } = await pool.query<{ row: Row }>(`select to_jsonb(t) as row from ${quoteTableName(projection)} t`)
  return sortRows(
    rows.map(({ row }) => normalize(row)),
    projection.key,
  )
}
