import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Metadata, NewEvent, Position, Recorded } from './event.ts'
import {
  type Appended,
  EventIdTaken,
  type EventStore,
  type ExpectedRevision,
  ForeignPosition,
  largestAppend,
  StoreUnavailable,
} from './event-store.ts'
import { appendGroups, type Outcome, type Waiting } from './postgres-groups.ts'
import { schema } from './postgres-schema.ts'
import { announcer, listen } from './postgres-wake.ts'

const setUpLock = 7_274_330
const page = 500
const channel = 'es'

type EventRow = {
  position: string
  stream: string
  revision: string
  event_id: string
  type: string
  data: string
  metadata: string
  recorded_at: Date
}

const columns = 'position, stream, revision, event_id, type, data, metadata, recorded_at'

/** Sorts as text, and tells which kind of store it comes from. */
const positionOf = (position: string | bigint): Position => `pg-${String(position).padStart(19, '0')}`

const isPosition = (position: Position) => /^pg-\d{19}$/.test(position)

function numberOf(position: Position | null): bigint {
  if (position === null) return 0n
  if (!isPosition(position)) throw new ForeignPosition(`Not a position of the PostgreSQL store: ${position}`)
  return BigInt(position.slice(3))
}

const recordedOf = (row: EventRow): Recorded => ({
  id: row.event_id,
  stream: row.stream,
  revision: BigInt(row.revision),
  position: positionOf(row.position),
  type: row.type,
  data: JSON.parse(row.data) as Recorded['data'],
  metadata: JSON.parse(row.metadata) as Metadata,
  recordedAt: row.recorded_at.toISOString(),
})

/** The event store in PostgreSQL, and how to close it. The pool stays its owner's. */
export type PostgresStore = EventStore & { close(): Promise<void> }

/** Opens the record kept in PostgreSQL, making its table when it is not there yet. */
export async function postgresStore(pool: Pool): Promise<PostgresStore> {
  await setUp(pool)
  const listeners = new Set<() => void>()
  const wake = () => listeners.forEach((listener) => listener())
  const self = randomUUID()
  const others = announcer(pool, channel, self)
  const stopListening = listen(pool.options.connectionString ?? '', channel, self, wake)
  const enqueue = appendGroups(pool)

  async function append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<Appended> {
    const rows = events.map(({ id, type, data, metadata }) => ({
      id,
      type,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    }))
    if (rows.reduce((bytes, { data }) => bytes + Buffer.byteLength(data), 0) > largestAppend)
      return { status: 'too-large' }
    const waiting: Waiting = { stream, expected: expected === 'no-stream' ? -1n : expected, rows }
    const outcome = await enqueue(waiting)
    if (outcome.ok && rows.length > 0) {
      wake()
      others.tell()
      return { status: 'appended', revision: outcome.revision, position: positionOf(outcome.position) }
    }
    if (outcome.ok)
      return { status: 'already-appended', revision: outcome.revision, position: (await head()) ?? positionOf(0n) }
    return (await writtenBefore(waiting)) ?? conflict(outcome)
  }

  /** Whether a refused append was written by an earlier try: the same ids at the same place. */
  async function writtenBefore({ stream, expected, rows }: Waiting): Promise<Appended | null> {
    if (rows.length === 0) return null
    const { rows: there } = await query<EventRow>(
      `select ${columns} from es.events where stream = $1 and revision > $2 and revision <= $3 order by revision`,
      [stream, expected, expected + BigInt(rows.length)],
    )
    const last = there.at(-1)
    if (!last || there.length !== rows.length || there.some((row, index) => row.event_id !== rows[index]?.id))
      return null
    if (there.some((row, index) => row.data !== rows[index]?.data || row.type !== rows[index]?.type))
      throw new EventIdTaken(`Event ${last.event_id} is already there with other content`)
    return { status: 'already-appended', revision: BigInt(last.revision), position: positionOf(last.position) }
  }

  async function* read(stream: string, from = 0n): AsyncIterable<Recorded> {
    for (let next = from; ;) {
      const { rows } = await query<EventRow>(
        `select ${columns} from es.events where stream = $1 and revision >= $2 order by revision limit ${page}`,
        [stream, next],
      )
      yield* rows.map(recordedOf)
      if (rows.length < page) return
      next += BigInt(rows.length)
    }
  }

  async function readAll(after: Position | null, limit: number) {
    const { rows } = await query<EventRow>(
      `select ${columns} from es.events where position > $1 order by position limit $2`,
      [numberOf(after), limit],
    )
    const events = rows.map(recordedOf)
    return { events, next: events.at(-1)?.position ?? after }
  }

  async function head(): Promise<Position | null> {
    const { rows } = await query<{ head: string | null }>('select max(position) as head from es.events', [])
    const position = rows[0]?.head ?? null
    return position === null ? null : positionOf(position)
  }

  async function query<Row extends object>(text: string, values: unknown[]): Promise<{ rows: Row[] }> {
    try {
      return await pool.query<Row>(text, values)
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

const conflict = ({ revision }: Extract<Outcome, { ok: false }>): Appended => ({
  status: 'conflict',
  actual: revision === -1n ? 'no-stream' : revision,
})

/** Copies of the app that start together wait for each other. */
async function setUp(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [setUpLock])
    await client.query(schema)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
