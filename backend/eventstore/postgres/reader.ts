import type { CustomTypesConfig, Pool } from 'pg'
import { groupCalls } from '#database/group-calls.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import type { Metadata, Position, Recorded } from '#eventstore/event.ts'
import { type EventPage, type ReadAllOptions, StoreDamaged } from '#eventstore/event-store.ts'
import { formatPosition, parsePosition } from './position.ts'
import { toUnavailable } from './unavailable.ts'

const pageSize = 500

/** The most streams of which one statement reads the first page. */
const maxGroupedStreams = 20

/** Selected columns in their order: rows as arrays of text are the fastest to read. */
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

/** The first pages of some streams; each row begins with the number of its stream, from 1. */
const firstPagesSql = `select s.number, ${eventColumns}
  from unnest((select $1::text[])) with ordinality as s(name, number)
  cross join lateral (select * from es.events where stream = s.name order by revision limit $2) as e
  order by s.number, revision`

/** Keeps every column as the text that PostgreSQL sent: parsing dates costs more than everything else. */
const rawTextTypes: CustomTypesConfig = { getTypeParser: () => String }

/** Creates the read side of the adapter. */
export function createReader(pool: Pool, onDamaged: () => void) {
  const selectEvents = (name: string, where: string, values: unknown[]) =>
    queryRows<EventRow>(name, `select ${eventColumns} from es.events ${where}`, values)

  /** Reads up to `limit` events of a stream, as stored. */
  const readPage = (stream: string, from: bigint, limit: number): Promise<EventRow[]> =>
    selectEvents('es-read', 'where stream = $1 and revision >= $2 order by revision limit $3', [stream, from, limit])

  async function readFirstPages(streams: readonly string[]): Promise<readonly (EventRow[] | Promise<EventRow[]>)[]> {
    const readAlone = () => streams.map((stream) => readPage(stream, 0n, pageSize))
    if (streams.length === 1) return readAlone()
    const pages: EventRow[][] = streams.map(() => [])
    try {
      const values = [streams, pageSize]
      const rows = await queryRows<[number: string, ...EventRow]>('es-read-first-pages', firstPagesSql, values)
      for (const [number, ...row] of rows) pages[Number(number) - 1]?.push(row)
      return pages
    } catch (error) {
      // Only one of the streams may be damaged.
      if (error instanceof StoreDamaged) return readAlone()
      throw error
    }
  }

  /** Reads the first page of a stream; those that commands and jobs read side by side are read in one statement. */
  const readFirstPage = groupCalls(readFirstPages, maxGroupedStreams)

  async function* read(stream: string, from = 0n): AsyncIterable<Recorded> {
    for (let next = from; ;) {
      const rows = next === 0n ? await readFirstPage(stream) : await readPage(stream, next, pageSize)
      yield* rows.map(toRecorded)
      if (rows.length < pageSize) return
      next += BigInt(rows.length)
    }
  }

  async function readAll(after: Position | null, { limit, types }: ReadAllOptions): Promise<EventPage> {
    if (types) return await readFiltered(after, limit, types)
    const where = 'where position > (select $1::int8) order by position limit (select $2::int8)'
    const events = (await selectEvents('es-read-all', where, [parsePosition(after), limit])).map(toRecorded)
    return { events, next: events.at(-1)?.position ?? after, scanned: events.length }
  }

  /** Reads a page of some types. Positions have no gaps: the end of the page is known without fetching the other events. */
  async function readFiltered(after: Position | null, limit: number, types: readonly string[]): Promise<EventPage> {
    const from = parsePosition(after)
    const newest = parsePosition(await head())
    const to = newest < from + BigInt(limit) ? newest : from + BigInt(limit)
    if (to <= from) return { events: [], next: after, scanned: 0 }
    const where = 'where position > $1 and position <= $2 and type = any($3) order by position'
    const rows = await selectEvents('es-read-filtered', where, [from, to, types])
    return { events: rows.map(toRecorded), next: formatPosition(to), scanned: Number(to - from) }
  }

  const headOfAll = groupCalls(async (calls: readonly undefined[]) => {
    const [row] = await queryRows<[string | null]>('es-head', 'select max(position) from es.events', [])
    const position = row?.[0] ?? null
    return calls.map(() => (position === null ? null : formatPosition(position)))
  })

  const head = (): Promise<Position | null> => headOfAll(undefined)

  /** Runs a named statement, which is parsed and planned once per connection. Throws StoreUnavailable, StoreDamaged. */
  async function queryRows<Row extends unknown[]>(name: string, text: string, values: unknown[]) {
    try {
      return (await queryWithTimeout<Row>(pool, { name, text, values, rowMode: 'array', types: rawTextTypes })).rows
    } catch (error) {
      const unavailable = toUnavailable(error)
      if (unavailable instanceof StoreDamaged) onDamaged()
      throw unavailable
    }
  }

  return { readPage, read, readAll, head }
}

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
