import { randomUUID } from 'node:crypto'
import type { CustomTypesConfig, Pool } from 'pg'
import type { Metadata, NewEvent, Position, Recorded } from '#eventstore/event.ts'
import {
  type Appended,
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  maxAppendBytes,
  type EventPage,
  type ReadAllOptions,
  StoreUnavailable,
} from '#eventstore/event-store.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import { createGroupAppender, type AppendOutcome, type PendingAppend } from './group-append.ts'
import { formatPosition, isPosition, parsePosition } from './position.ts'
import { schemaSql } from './schema.ts'
import { createNotifier, listenForNotifications } from '#database/listen-notify.ts'

const pageSize = 500
const channel = 'es'

/** What is selected, in its order: rows as arrays of texts are the quickest to read. */
type EventRow = [
  position: string,
  stream: string,
  revision: string,
  id: string,
  type: string,
  data: string,
  metadata: string,
  recordedAt: string,
]

const eventColumns = `position, stream, revision, event_id, type, data, metadata,
  to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Leaves every column the text that PostgreSQL sent: parsing dates costs more than all the rest. */
const rawTextTypes: CustomTypesConfig = { getTypeParser: () => String }

const toRecorded = ([position, stream, revision, id, type, data, metadata, recordedAt]: EventRow): Recorded => ({
  id,
  stream,
  revision: BigInt(revision),
  position: formatPosition(position),
  type,
  data: JSON.parse(data) as Recorded['data'],
  metadata: JSON.parse(metadata) as Metadata,
  recordedAt,
})

/** The event store in PostgreSQL, and how to close it. The pool stays its owner's. */
export type PostgresStore = EventStore & { close(): Promise<void> }

/** Opens the record kept in PostgreSQL, making its table when it is not there yet. */
export async function openPostgresStore(pool: Pool): Promise<PostgresStore> {
  await createSchema(pool)
  const listeners = new Set<() => void>()
  const wake = () => listeners.forEach((listener) => listener())
  const self = randomUUID()
  const others = createNotifier(pool, channel, self)
  const stopListening = listenForNotifications(
    pool.options.connectionString ?? '',
    channel,
    (from) => from === self || wake(),
  )
  const enqueue = createGroupAppender(pool)

  async function append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    const rows = events.map(({ id, type, data, metadata }) => ({
      id,
      type,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    }))
    if (rows.reduce((bytes, { data }) => bytes + Buffer.byteLength(data), 0) > maxAppendBytes)
      return { status: 'too-large' }
    const waiting: PendingAppend = { stream, expected: expected === 'no-stream' ? -1n : expected, rows }
    const outcome = await enqueue(waiting)
    if (outcome.ok && rows.length > 0) {
      wake()
      others.notify()
      return { status: 'appended', revision: outcome.revision, position: formatPosition(outcome.position) }
    }
    if (outcome.ok)
      return { status: 'already-appended', revision: outcome.revision, position: (await head()) ?? formatPosition(0n) }
    return (await writtenBefore(waiting)) ?? toConflict(outcome)
  }

  /** Whether a refused append was written by an earlier try: the same ids at the same place. */
  async function writtenBefore({ stream, expected, rows }: PendingAppend): Promise<Appended | null> {
    if (rows.length === 0) return null
    const there = await events(
      'es-written-before',
      'where stream = $1 and revision > $2 and revision <= $3 order by revision',
      [stream, expected, expected + BigInt(rows.length)],
    )
    const last = there.at(-1)
    if (!last || there.length !== rows.length || there.some(([, , , id], index) => id !== rows[index]?.id)) return null
    if (there.some(([, , , , type, data], index) => data !== rows[index]?.data || type !== rows[index]?.type))
      throw new EventIdConflict(`Event ${last[3]} is already there with other content`)
    return { status: 'already-appended', revision: BigInt(last[2]), position: formatPosition(last[0]) }
  }

  async function* read(stream: string, from = 0n): AsyncIterable<Recorded> {
    for (let next = from; ;) {
      const rows = await events('es-read', 'where stream = $1 and revision >= $2 order by revision limit $3', [
        stream,
        next,
        pageSize,
      ])
      yield* rows.map(toRecorded)
      if (rows.length < pageSize) return
      next += BigInt(rows.length)
    }
  }

  async function readAll(after: Position | null, { limit, types }: ReadAllOptions): Promise<EventPage> {
    const from = parsePosition(after)
    if (types) return await readSome(after, from, limit, types)
    const rows = await events('es-read-all', 'where position > $1 order by position limit $2', [from, limit])
    const read = rows.map(toRecorded)
    return { events: read, next: read.at(-1)?.position ?? after, scanned: read.length }
  }

  /** Positions have no gaps: where the page ends is known before it is read, and what is left out is never fetched. */
  async function readSome(
    after: Position | null,
    from: bigint,
    limit: number,
    types: readonly string[],
  ): Promise<EventPage> {
    const newest = parsePosition(await head())
    const to = newest < from + BigInt(limit) ? newest : from + BigInt(limit)
    if (to <= from) return { events: [], next: after, scanned: 0 }
    const where = 'where position > $1 and position <= $2 and type = any($3) order by position'
    const rows = await events('es-read-some', where, [from, to, types])
    return { events: rows.map(toRecorded), next: formatPosition(to), scanned: Number(to - from) }
  }

  async function head(): Promise<Position | null> {
    const [row] = await query<[string | null]>('es-head', 'select max(position) from es.events', [])
    const position = row?.[0] ?? null
    return position === null ? null : formatPosition(position)
  }

  const events = (name: string, where: string, values: unknown[]) =>
    query<EventRow>(name, `select ${eventColumns} from es.events ${where}`, values)

  /** A named statement is parsed and planned once a connection. */
  async function query<Row extends unknown[]>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await queryWithTimeout<Row>(pool, { name, text, values, rowMode: 'array', types: rawTextTypes })).rows
    } catch (error) {
      throw new StoreUnavailable('The event store does not answer', { cause: error })
    }
  }

  return {
    append,
    read,
    readAll,
    head,
    isOwnPosition: isPosition,
    estimateOffset: (position) => Number(parsePosition(position)),
    onWake(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await others.close()
      await stopListening()
    },
  }
}

const toConflict = ({ revision }: Extract<AppendOutcome, { ok: false }>): Appended => ({
  status: 'conflict',
  actual: revision === -1n ? 'no-stream' : revision,
})

/** Copies of the app that start together wait for each other. */
async function createSchema(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.eventStoreSchema])
    await client.query(schemaSql)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
