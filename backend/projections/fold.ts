import type { ClientBase, QueryConfig } from 'pg'
import { statement } from '#database/prepared.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Recorded } from '#eventstore/event.ts'
import { type AnyProjection, applyEvent, getRowKeys, type Row, type Rows } from './projection.ts'
import { sealRows, wrapSealed } from './sealed-columns.ts'
import { buildCombinedStatements, buildStatements, listColumns } from './tables.ts'

/** Rows of one statement: PostgreSQL ends a transaction in which encrypting the rows takes too long (ADR 11). */
const maxRowsPerWrite = 500

/** A projection, and the events to fold into its table. */
export type Fold = { readonly projection: AnyProjection; readonly events: readonly Recorded[] }

/** The rows of a table that a fold has changed, and the keys of those that it removed. */
type Changes = { projection: AnyProjection; changed: readonly Row[]; removed: readonly string[] }

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
  const keys = findKeys({ projection, events })
  if (keys.length === 0) return
  const stored = await loadRows(client, projection, keys)
  await writeChanges(client, foldRows({ projection, events }, keys, stored), keyStore)
}

/** The rows of several tables that events affect, by projection. */
type LoadedRows = ReadonlyMap<AnyProjection, readonly Row[]>

/**
 * Returns the statement that loads the affected rows of all tables at once, and a function that reads its result; null when the
 * events affect none. For a short batch, a statement costs more than its rows.
 */
export function loadTogether(
  folds: readonly Fold[],
): { statement: QueryConfig; read: (rows: readonly { part: number; row: Row }[]) => LoadedRows } | null {
  const parts = folds
    .map((fold) => ({ projection: fold.projection, keys: findKeys(fold) }))
    .filter(({ keys }) => keys.length > 0)
  if (parts.length === 0) return null
  const { load } = buildCombinedStatements(parts.map(({ projection }) => projection))
  const values = parts.map(({ keys }) => keys)
  return {
    statement: statement(load, values),
    read(rows) {
      const byPart = Map.groupBy(rows, ({ part }) => part)
      return new Map(
        parts.map(({ projection }, part) => {
          const normalize = normalizerOf(projection)
          return [projection, (byPart.get(part) ?? []).map(({ row }) => normalize(row))]
        }),
      )
    },
  }
}

/** A writing statement that is run with the upserts of rows. `build` gets the number of its first parameter. */
export type AlsoWritten = { build: (first: number) => string; values: readonly unknown[] }

/**
 * Folds into several tables within the caller's transaction, from rows that `loadTogether` has loaded, and returns the statement that
 * upserts them, all tables and `also` at once. Rows that are removed, and those that are too many for one statement, are written
 * before it returns.
 */
export async function foldTogether(
  client: ClientBase,
  folds: readonly Fold[],
  loaded: LoadedRows,
  also: AlsoWritten,
  keyStore: KeyStore | undefined,
): Promise<QueryConfig> {
  const changes = folds.map((fold) => {
    const keys = new Set(findKeys(fold))
    const { projection } = fold
    const stored = (loaded.get(projection) ?? []).filter((row) => keys.has(String(row[projection.key])))
    return foldRows(fold, [...keys], stored)
  })
  const saved: { projection: AnyProjection; rows: readonly Row[] }[] = []
  for (const { projection, changed, removed } of changes) {
    const isLong = changed.length > maxRowsPerWrite
    // oxlint-disable no-await-in-loop -- one connection
    if (isLong) await writeChanges(client, { projection, changed, removed }, keyStore)
    else {
      if (changed.length > 0) saved.push({ projection, rows: await sealRows(projection, changed, keyStore) })
      await removeRows(client, projection, removed)
    }
    // oxlint-enable no-await-in-loop
  }
  const projections = saved.map(({ projection }) => projection)
  const { save } = buildCombinedStatements(projections, also.build)
  return statement(save, [...saved.map(({ rows }) => JSON.stringify(rows)), ...also.values])
}

const findKeys = ({ projection, events }: Fold): readonly string[] => [
  ...new Set(events.flatMap((event) => getRowKeys(projection, event))),
]

/** Folds in memory. `stored` has the rows with these keys. */
function foldRows({ projection, events }: Fold, keys: readonly string[], stored: readonly Row[]): Changes {
  const rows: Rows = new Map(stored.map((row) => [String(row[projection.key]), row]))
  for (const event of events) applyEvent(projection, rows, event)
  const storedKeys = new Set(stored.map((row) => String(row[projection.key])))
  return {
    projection,
    changed: [...rows.values()].filter((row) => row !== null),
    removed: keys.filter((key) => storedKeys.has(key) && !rows.get(key)),
  }
}

async function writeChanges(
  client: ClientBase,
  { projection, changed, removed }: Changes,
  keyStore: KeyStore | undefined,
): Promise<void> {
  const { save } = buildStatements(projection)
  for (let from = 0; from < changed.length; from += maxRowsPerWrite) {
    // oxlint-disable-next-line no-await-in-loop -- one write after the other
    const sealed = await sealRows(projection, changed.slice(from, from + maxRowsPerWrite), keyStore)
    // oxlint-disable-next-line no-await-in-loop
    await client.query(statement(save, [JSON.stringify(sealed)]))
  }
  await removeRows(client, projection, removed)
}

async function removeRows(client: ClientBase, projection: AnyProjection, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await client.query(statement(buildStatements(projection).remove, [keys]))
}

/** Loads the existing rows with these keys, normalized as the folds write them, with sealed values as they are stored. */
export async function loadRows(
  client: Pick<ClientBase, 'query'>,
  projection: AnyProjection,
  keys: readonly string[],
): Promise<Row[]> {
  const { rows } = await client.query<{ row: Row }>(statement(buildStatements(projection).load, [keys]))
  const normalize = normalizerOf(projection)
  return rows.map(({ row }) => normalize(row))
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

const normalizers = new WeakMap<AnyProjection, (row: Row) => Row>()

/** Returns the function that makes a loaded row one that a fold can take. */
function normalizerOf(projection: AnyProjection): (row: Row) => Row {
  const normalize = normalizers.get(projection) ?? createRowNormalizer(projection)
  normalizers.set(projection, normalize)
  return (row) => wrapSealed(projection, normalize(row))
}
