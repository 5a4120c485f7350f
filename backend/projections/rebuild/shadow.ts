import type { Client, Pool } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { foldBatch, loadRows } from '#projections/fold.ts'
import { copyRows } from './copy-rows.ts'
import { inTransaction, isTransient } from '#database/pool.ts'
import { describeFailure } from '#projections/runner/subscription.ts'
import {
  type AnyProjection,
  applyEvent,
  getRowKeys,
  readHandledEvents,
  type Row,
  type Rows,
} from '#projections/projection.ts'
import { createIndexStatements, createTableSql, buildStatements, quoteTableName } from '#projections/tables.ts'

/** Where a rebuild is. */
export type RebuildStage = 'folding' | 'indexing' | 'catching up' | 'exchanging'

/** A table that is folded beside the one that answers. Only its builder writes to it. */
export type Shadow = {
  client: Client
  pool: Pool
  store: EventStore
  /** Under the name of the shadow. */
  projection: AnyProjection
  /** The ids of the events that were decided to be left out. */
  skippedIds: ReadonlySet<string>
  /** The last event in it; kept in its checkpoint row, together with its rows. */
  position: Position | null
  /** Called after every page, with how many events were read since the last call. */
  onPage: (stage: RebuildStage, events: number, position: Position | null) => void
  signal: AbortSignal
  /** What the rows may weigh, as texts, that are kept in memory before they are written; as many are on their way then. */
  maxBufferedBytes: number
}

/** An event that cannot be folded, as a bug in the fold or a value that fits no column. Holds none of its data. */
export class FoldFailed extends Error {
  readonly event: Recorded
  readonly failure: string
  constructor(event: Recorded, cause: unknown) {
    const failure = describeFailure(event, cause)
    super(`It stops at the event ${event.position} (${failure})`, { cause })
    this.event = event
    this.failure = failure
  }
}

const foldPageSize = 2_000
const catchUpPageSize = 1_000
const sampleSize = 50
/** A rebuild that is killed loses no more than this, in milliseconds. */
const flushIntervalMs = 10_000
const beginSql = 'begin; set local synchronous_commit to off'

/** Makes the shadow's table, or goes on with the one that a rebuild of the same version has left. Answers how far it is. */
export async function openShadow(client: Client, projection: AnyProjection): Promise<Position | null> {
  const { name, version } = projection
  return await inTransaction(client, 'begin', async () => {
    const { rows } = await client.query<{ position: Position | null }>(
      `update read.checkpoints set state = 'rebuilding', stopped_at = null, error = null, since = now()
       where name = $1 and version = $2 and to_regclass($3) is not null returning position`,
      [name, version, quoteTableName(projection)],
    )
    if (rows[0]) return rows[0].position
    await client.query(createTableSql(projection))
    await client.query(
      `insert into read.checkpoints (name, version, state) values ($1, $2, 'rebuilding')
       on conflict (name) do update
       set version = excluded.version, position = null, state = 'rebuilding', stopped_at = null, error = null, since = now()`,
      [name, version],
    )
    return null
  })
}

/**
 * Folds the record up to its end, in memory: rows are read and written once every so many, by COPY. Reading, folding and
 * writing go on side by side. What fails in the database is left to `catchUp`, which finds the event that is to blame.
 */
export async function bulkFold(shadow: Shadow): Promise<void> {
  const { pool, store, projection, skippedIds: skips, signal } = shadow
  let isEmpty = shadow.position === null
  let part: BufferedRows = { rows: new Map(), stored: new Set() }
  let beingWritten = part.rows
  let writing: Promise<void> = Promise.resolve()
  const room = createMemoryLimiter(shadow.maxBufferedBytes)

  /** Rows that are in the table, or on their way there, and that these events build upon. */
  async function bring(events: readonly Recorded[]): Promise<void> {
    if (isEmpty) return
    const { rows, stored } = part
    const missing = new Set<string>()
    for (const event of events) for (const key of getKeysToFold(projection, event)) if (!rows.has(key)) missing.add(key)
    for (const key of missing) {
      if (!beingWritten.has(key)) continue
      missing.delete(key)
      stored.add(key)
      rows.set(key, beingWritten.get(key) ?? null)
    }
    if (missing.size === 0) return
    for (const row of await loadRows(pool, projection, [...missing])) {
      const key = String(row[projection.key])
      stored.add(key)
      rows.set(key, row)
    }
  }

  /** Waits for what is on its way, then sends what has been folded since. Answers whether the database took the former. */
  async function send(position: Position | null): Promise<boolean> {
    if (await isWriteRejected(writing)) return false
    const sent = part
    isEmpty &&= sent.rows.size === 0
    beingWritten = sent.rows
    part = { rows: new Map(), stored: new Set() }
    writing = prefetch(writePart(shadow, sent, position))
    return true
  }

  async function run(): Promise<void> {
    let { position } = shadow
    let sent = performance.now()
    let page = readHandledEvents(store, projection, position, foldPageSize)
    for (let more = true; more;) {
      const { events, next, scanned: seen } = await page
      more = seen === foldPageSize
      if (more) page = prefetch(readHandledEvents(store, projection, next, foldPageSize))
      const news = skips.size === 0 ? events : events.filter(({ id }) => !skips.has(id))
      await bring(news)
      for (const event of news) foldEvent(projection, part.rows, event)
      position = next
      shadow.onPage('folding', seen, position)
      more &&= !signal.aborted
      if (more && room.isLeft(part.rows) && performance.now() - sent < flushIntervalMs) continue
      if (!(await send(position))) return
      sent = performance.now()
    }
    await isWriteRejected(writing)
  }

  await run().finally(() => writing.catch(() => undefined))
  signal.throwIfAborted()
}

/** Whether the database refused what it was sent, for another reason than one that will pass. */
const isWriteRejected = (writing: Promise<void>): Promise<boolean> =>
  writing.then(
    () => false,
    (error: unknown) => {
      if (isTransientFailure(error)) throw error
      return true
    },
  )

/** Rows that have been folded, and the keys of those of them that the table has as they were before. */
type BufferedRows = { rows: Rows; stored: Set<string> }

async function writePart(shadow: Shadow, { rows, stored }: BufferedRows, position: Position | null): Promise<void> {
  const { client, projection } = shadow
  await inTransaction(client, beginSql, async () => {
    if (stored.size > 0) await client.query(buildStatements(projection).remove, [[...stored]])
    await copyRows(
      client,
      projection,
      [...rows.values()].filter((row): row is Row => row !== null),
    )
    await saveShadowPosition(client, projection, position)
  })
  shadow.position = position
}

/** Tells whether there is room in memory for more rows. They are weighed again whenever there are twice as many. */
function createMemoryLimiter(mostBytes: number) {
  let weighed = 0
  let most = 0
  return {
    isLeft(rows: Rows): boolean {
      if (rows.size === 0) return true
      if (rows.size >= weighed * 2 || rows.size < weighed) {
        weighed = rows.size
        most = mostBytes / estimateRowBytes(rows)
      }
      return rows.size < most
    },
  }
}

/** How many bytes rows like these take as texts, on average. */
function estimateRowBytes(rows: Rows): number {
  const some: (Row | null)[] = []
  const step = Math.max(1, Math.floor(rows.size / sampleSize))
  let nr = 0
  for (const row of rows.values()) if (nr++ % step === 0) some.push(row)
  return JSON.stringify(some).length / some.length
}

/** Read while the page before is folded; nobody waits for it when that fails. */
function prefetch<Result>(reading: Promise<Result>): Promise<Result> {
  reading.catch(() => undefined)
  return reading
}

/** Folds one event; names the one that cannot be folded. */
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

const isTransientFailure = (error: unknown) => error instanceof StoreUnavailable || isTransient(error)

/** Writes how far a table that does not answer has been folded. */
export async function saveShadowPosition(
  client: Client,
  { name }: AnyProjection,
  position: Position | null,
): Promise<void> {
  await client.query('update read.checkpoints set position = $2, updated_at = now() where name = $1', [name, position])
}

/** Makes its indexes, all or none, and lets PostgreSQL count its rows, so that the first search is as fast as any other. */
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
  const [found = { pid: 0, indexes: 0 }] = rows
  const wanted = createIndexStatements(projection)
  const interrupt = () => void pool.query('select pg_cancel_backend($1)', [found.pid]).catch(() => undefined)
  signal.addEventListener('abort', interrupt)
  try {
    await inTransaction(client, 'begin', async () => {
      if (found.indexes < wanted.length + 1) for (const statement of wanted) await client.query(statement)
    })
    signal.throwIfAborted()
    await client.query(`vacuum (analyze) ${quoteTableName(projection)}`)
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

/** Follows the record as live read models do, until less than a page is left. Throws FoldFailed. */
export async function catchUp(shadow: Shadow): Promise<void> {
  for (let more = true; more;) {
    shadow.signal.throwIfAborted()
    const { store, position, projection } = shadow
    const { events, next, scanned: seen } = await readHandledEvents(store, projection, position, catchUpPageSize)
    more = seen === catchUpPageSize
    if (seen > 0) await applyBatch(shadow, events, next)
    shadow.onPage('catching up', seen, shadow.position)
  }
}

/** Folds a stretch in a transaction of its own; halves one that fails until the event is found. */
async function applyBatch(shadow: Shadow, events: readonly Recorded[], next: Position | null): Promise<void> {
  try {
    await inTransaction(shadow.client, beginSql, () => applyInTransaction(shadow, events, next))
    shadow.position = next
  } catch (error) {
    const [event] = events
    if (!event || isTransientFailure(error)) throw error
    // A connection that is gone says so here; no event is to blame for it.
    await shadow.client.query('select 1')
    if (events.length === 1) throw new FoldFailed(event, error)
    const middle = Math.floor(events.length / 2)
    const left = events.slice(0, middle)
    await applyBatch(shadow, left, left.at(-1)?.position ?? null)
    await applyBatch(shadow, events.slice(middle), next)
  }
}

/** Folds a stretch within the caller's transaction. */
export async function applyInTransaction(
  { client, projection, skippedIds: skips }: Shadow,
  events: readonly Recorded[],
  next: Position | null,
): Promise<void> {
  await foldBatch(
    client,
    projection,
    events.filter(({ id }) => !skips.has(id)),
  )
  await saveShadowPosition(client, projection, next)
}
