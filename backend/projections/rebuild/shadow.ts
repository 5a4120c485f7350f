import type { Client, Pool } from 'pg'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { foldBatch, loadRows } from '#projections/fold.ts'
import { copyRows } from './copy-rows.ts'
import { inTransaction } from '#database/pool.ts'
import { describeFailure, isTransientFailure, splitBatch } from '#projections/runner/failure.ts'
import {
  type AnyProjection,
  applyEvent,
  getRowKeys,
  readHandledEvents,
  type Row,
  type Rows,
} from '#projections/projection.ts'
import { sealRows } from '#projections/sealed-columns.ts'
import { getTotalsName, quoteTableName } from '#projections/table-names.ts'
import { buildStatements, createIndexStatements, createTableSql } from '#projections/tables.ts'

/** The stages of a rebuild, in order. */
export type RebuildStage = 'folding' | 'indexing' | 'catching up' | 'swapping'

/** A shadow table. Only the rebuild writes to it. */
export type Shadow = {
  client: Client
  pool: Pool
  keyStore: KeyStore | undefined
  store: EventStore
  /** The projection under the name of the shadow table. */
  projection: AnyProjection
  /** The ids of skipped events. */
  skippedIds: ReadonlySet<string>
  /** The last event folded; saved in its checkpoint together with its rows. */
  position: Position | null
  /** Called after every page with the number of events read since the last call. */
  onPage: (stage: RebuildStage, events: number, position: Position | null) => void
  signal: AbortSignal
  /** Limit of the buffered rows in bytes of JSON text. As many may be in the process of being written. */
  maxBufferedBytes: number
}

/** Thrown at an event that cannot be folded: a bug in the fold, or a value that no column accepts. Contains no data. */
export class FoldFailed extends Error {
  readonly event: Recorded
  readonly failure: string
  constructor(event: Recorded, cause: unknown) {
    const failure = describeFailure(event, cause)
    super(`Failed at event ${event.position} (${failure})`, { cause })
    this.event = event
    this.failure = failure
  }
}

const foldPageSize = 2_000
const catchUpPageSize = 1_000
const sampleSize = 50
/** Milliseconds of work that a killed rebuild loses at most. */
const flushIntervalMs = 10_000
const beginSql = 'begin; set local synchronous_commit to off'

/** Creates the shadow table, or continues one that a rebuild of the same version left. Returns its position. */
export async function openShadow(client: Client, projection: AnyProjection): Promise<Position | null> {
  const { name, version } = projection
  return await inTransaction(client, 'begin', async () => {
    const { rows } = await client.query<{ position: Position | null }>(
      `update read.checkpoints set state = 'rebuilding', failed_at_position = null, error = null, state_since = now()
       where name = $1 and version = $2 and to_regclass($3) is not null returning position`,
      [name, version, quoteTableName(projection)],
    )
    if (rows[0]) return rows[0].position
    await client.query(createTableSql(projection))
    await client.query(
      `insert into read.checkpoints (name, version, state) values ($1, $2, 'rebuilding')
       on conflict (name) do update
       set version = excluded.version, position = null, state = 'rebuilding', failed_at_position = null, error = null,
         state_since = now()`,
      [name, version],
    )
    return null
  })
}

/**
 * Folds all events in memory and copies the rows to the table in large parts. Reading, folding and writing overlap. A
 * row that the database refuses is left to `catchUp`, which finds the event that caused it.
 */
export async function bulkFold(shadow: Shadow): Promise<void> {
  const { pool, store, projection, skippedIds, signal } = shadow
  let isTableEmpty = shadow.position === null
  let buffer: BufferedRows = { rows: new Map(), stored: new Set() }
  let rowsBeingWritten = buffer.rows
  let writing: Promise<void> = Promise.resolve()
  const memory = createMemoryLimiter(shadow.maxBufferedBytes)

  /** Loads the rows that these events change, from the table or from the part that is being written. */
  async function loadAffectedRows(events: readonly Recorded[]): Promise<void> {
    if (isTableEmpty) return
    const { rows, stored } = buffer
    const missing = new Set<string>()
    for (const event of events) for (const key of getKeysToFold(projection, event)) if (!rows.has(key)) missing.add(key)
    for (const key of missing) {
      if (!rowsBeingWritten.has(key)) continue
      missing.delete(key)
      stored.add(key)
      rows.set(key, rowsBeingWritten.get(key) ?? null)
    }
    if (missing.size === 0) return
    for (const row of await loadRows(pool, projection, [...missing])) {
      const key = String(row[projection.key])
      stored.add(key)
      rows.set(key, row)
    }
  }

  /** Waits for the previous write and starts the next. Returns false when the database refused the previous one. */
  async function flush(position: Position | null): Promise<boolean> {
    if (await isWriteRejected(writing)) return false
    const part = buffer
    isTableEmpty &&= part.rows.size === 0
    rowsBeingWritten = part.rows
    buffer = { rows: new Map(), stored: new Set() }
    writing = prefetch(writePart(shadow, part, position))
    return true
  }

  async function run(): Promise<void> {
    let { position } = shadow
    let flushedAt = performance.now()
    let page = readHandledEvents(store, projection, position, foldPageSize)
    for (let hasMore = true; hasMore;) {
      const { events, next, scanned } = await page
      hasMore = scanned === foldPageSize
      if (hasMore) page = prefetch(readHandledEvents(store, projection, next, foldPageSize))
      const included = skippedIds.size === 0 ? events : events.filter(({ id }) => !skippedIds.has(id))
      await loadAffectedRows(included)
      for (const event of included) foldEvent(projection, buffer.rows, event)
      position = next
      shadow.onPage('folding', scanned, position)
      hasMore &&= !signal.aborted
      if (hasMore && memory.hasRoom(buffer.rows) && performance.now() - flushedAt < flushIntervalMs) continue
      if (!(await flush(position))) return
      flushedAt = performance.now()
    }
    await isWriteRejected(writing)
  }

  await run().finally(() => writing.catch(() => undefined))
  signal.throwIfAborted()
}

/** Returns whether the database refused rows. Throws transient errors. */
const isWriteRejected = (writing: Promise<void>): Promise<boolean> =>
  writing.then(
    () => false,
    (error: unknown) => {
      if (isTransientFailure(error)) throw error
      return true
    },
  )

/** Folded rows, and the keys of those that the table already contains in an earlier version. */
type BufferedRows = { rows: Rows; stored: Set<string> }

async function writePart(shadow: Shadow, { rows, stored }: BufferedRows, position: Position | null): Promise<void> {
  const { client, projection, keyStore } = shadow
  const remaining = [...rows.values()].filter((row): row is Row => row !== null)
  const sealed = await sealRows(projection, remaining, keyStore)
  await inTransaction(client, beginSql, async () => {
    if (stored.size > 0) await client.query(buildStatements(projection).remove, [[...stored]])
    await copyRows(client, projection, sealed)
    await saveShadowPosition(client, projection, position)
  })
  shadow.position = position
}

/** Limits the memory of buffered rows. Their size is estimated again each time their number has doubled. */
function createMemoryLimiter(maxBytes: number) {
  let estimatedAt = 0
  let maxRows = 0
  return {
    hasRoom(rows: Rows): boolean {
      if (rows.size === 0) return true
      if (rows.size >= estimatedAt * 2 || rows.size < estimatedAt) {
        estimatedAt = rows.size
        maxRows = maxBytes / estimateRowBytes(rows)
      }
      return rows.size < maxRows
    },
  }
}

/** Estimates the average size of a row from a sample, in bytes of JSON text. */
function estimateRowBytes(rows: Rows): number {
  const sample: (Row | null)[] = []
  const step = Math.max(1, Math.floor(rows.size / sampleSize))
  let index = 0
  for (const row of rows.values()) if (index++ % step === 0) sample.push(row)
  return JSON.stringify(sample).length / sample.length
}

/** Returns a promise that is awaited later; a rejection until then does not count as unhandled. */
function prefetch<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined)
  return work
}

/** Folds one event. Throws FoldFailed. */
export function foldEvent(projection: AnyProjection, rows: Rows, event: Recorded): void {
  try {
    applyEvent(projection, rows, event)
  } catch (error) {
    throw new FoldFailed(event, error)
  }
}

function getKeysToFold(projection: AnyProjection, event: Recorded): readonly string[] {
  try {
    return getRowKeys(projection, event)
  } catch (error) {
    throw new FoldFailed(event, error)
  }
}

/** Saves the position of a shadow table. */
export async function saveShadowPosition(
  client: Client,
  { name }: AnyProjection,
  position: Position | null,
): Promise<void> {
  await client.query('update read.checkpoints set position = $2, updated_at = now() where name = $1', [name, position])
}

/** Creates all indexes or none, and analyzes the table, so that the first query is as fast as any other. */
export async function buildShadowIndexes({
  client,
  pool,
  projection,
  onPage,
  position,
  signal,
}: Shadow): Promise<void> {
  onPage('indexing', 0, position)
  const { rows } = await client.query<{ pid: number; indexes: number }>(
    'select pg_backend_pid() as pid, count(*)::int as indexes from pg_index where indrelid = to_regclass($1)',
    [quoteTableName(projection)],
  )
  const [existing = { pid: 0, indexes: 0 }] = rows
  const statements = createIndexStatements(projection)
  const interrupt = () => void pool.query('select pg_cancel_backend($1)', [existing.pid]).catch(() => undefined)
  signal.addEventListener('abort', interrupt)
  try {
    await inTransaction(client, 'begin', async () => {
      // The primary key is the one that exists from the start.
      if (existing.indexes < statements.length + 1) for (const statement of statements) await client.query(statement)
    })
    signal.throwIfAborted()
    for (const table of [projection.name, ...(projection.totals ? [getTotalsName(projection)] : [])])
      await client.query(`vacuum (analyze) ${quoteTableName({ name: table })}`)
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

/** Folds page by page as live updates do, until less than a page is left. Throws FoldFailed. */
export async function catchUp(shadow: Shadow): Promise<void> {
  for (let hasMore = true; hasMore;) {
    shadow.signal.throwIfAborted()
    const { store, position, projection } = shadow
    const { events, next, scanned } = await readHandledEvents(store, projection, position, catchUpPageSize)
    hasMore = scanned === catchUpPageSize
    if (scanned > 0) await applyBatch(shadow, events, next)
    shadow.onPage('catching up', scanned, shadow.position)
  }
}

/**
 * Folds events in a separate transaction. Bisects them when that fails, to find the event that cannot be folded.
 */
async function applyBatch(shadow: Shadow, events: readonly Recorded[], next: Position | null): Promise<void> {
  try {
    await inTransaction(shadow.client, beginSql, () => applyInTransaction(shadow, events, next))
    shadow.position = next
  } catch (error) {
    const [event] = events
    if (!event || isTransientFailure(error)) throw error
    // Throws when the connection is broken, which is not the fault of an event.
    await shadow.client.query('select 1')
    if (events.length === 1) throw new FoldFailed(event, error)
    for (const half of splitBatch({ events, next })) await applyBatch(shadow, half.events, half.next)
  }
}

/** Folds events within the caller's transaction. */
export async function applyInTransaction(
  { client, projection, keyStore, skippedIds }: Shadow,
  events: readonly Recorded[],
  next: Position | null,
): Promise<void> {
  await foldBatch(
    client,
    projection,
    events.filter(({ id }) => !skippedIds.has(id)),
    keyStore,
  )
  await saveShadowPosition(client, projection, next)
}
