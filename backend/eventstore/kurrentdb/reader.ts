import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  FORWARDS,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client'
import type { EventData, Metadata, Position, Recorded } from '#eventstore/event.ts'
import { ForeignPosition, type EventPage, type ReadAllOptions, StoreUnavailable } from '#eventstore/event-store.ts'
import { type Connection, getErrorType, toStoreUnavailable } from './client.ts'
import { formatPosition, parsePosition } from './position.ts'

const pageSize = 500
const utf8 = new TextDecoder('utf-8', { fatal: true })

type Stored = NonNullable<ResolvedEvent['event']>

const getPosition = ({ position, id }: Stored): Position => {
  if (!position) throw new Error(`The event store is too old: it does not report the position of event ${id}`)
  return formatPosition(position)
}

/** Returns whether an event was written by the server about itself. */
const isSystemEvent = ({ type, streamId }: Stored) => type.startsWith('$') || streamId.startsWith('$')

/** Returns the mark of the attempt that wrote an event; only the first event of an append carries one. */
export const getAttemptMark = ({ metadata }: Stored): string | undefined =>
  (metadata as { attempt?: string } | undefined)?.attempt

/** Returns the stored bytes of an event's data as text. */
export const decodeData = ({ data }: Stored): string =>
  data instanceof Uint8Array ? utf8.decode(data) : JSON.stringify(data)

function toRecorded(stored: Stored): Recorded {
  const { attempt: _, ...metadata } = stored.metadata as Metadata & { attempt?: string }
  return {
    id: stored.id,
    stream: stored.streamId,
    revision: stored.revision,
    position: getPosition(stored),
    type: stored.type,
    data: JSON.parse(decodeData(stored)) as EventData,
    metadata,
    recordedAt: stored.created.toISOString(),
  }
}

/**
 * Collects one page. The library waits 20 seconds for a server that hangs: here a read ends when no event arrives for
 * `timeoutMs`. Events that arrived before a failure stay in `into`.
 */
async function collectEvents<Resolved extends ResolvedEvent | AllStreamResolvedEvent>(
  reading: StreamingRead<Resolved>,
  into: Stored[],
  timeoutMs: number,
): Promise<void> {
  const timer = setTimeout(
    () => reading.destroy(new StoreUnavailable('The event store does not respond in time')),
    timeoutMs,
  )
  // A second error after the first must not end the process.
  reading.on('error', () => undefined)
  try {
    for await (const { event } of reading) {
      timer.refresh()
      if (event) into.push(event)
    }
  } finally {
    clearTimeout(timer)
    void reading.cancel().catch(() => undefined)
  }
}

/** A page of a read, or what arrived of it before it broke. */
type Page = { events: readonly Stored[]; failure: Error | undefined; isLast: boolean }

/**
 * Reads page by page until the caller ends it; `startReading` begins where the page before ended. A read that breaks begins again
 * at once: the library has reconnected by then. A second failure without an event in between, and a server that hangs, are thrown.
 */
async function* readInPages<Resolved extends ResolvedEvent | AllStreamResolvedEvent>(
  getSize: () => number,
  startReading: (size: number) => StreamingRead<Resolved>,
  timeoutMs: number,
): AsyncGenerator<Page> {
  for (let wasBroken = false; ;) {
    const size = getSize()
    const events: Stored[] = []
    const failure = await captureError(collectEvents(startReading(size), events, timeoutMs))
    yield { events, failure, isLast: failure === undefined && events.length < size }
    const isHanging = failure instanceof StoreUnavailable
    if (failure && (isHanging || (wasBroken && events.length === 0))) throw toStoreUnavailable(failure)
    wasBroken = failure !== undefined
  }
}

/** A read of the whole log: the events found, and the positions of the last event that was seen and of the last that is not the server's. */
type Scan = { found: Recorded[]; scanned: number; last: Position | null; next: Position | null }

/** Adds a page to a scan, until it has `limit` events that are not the server's. */
function addPage(scan: Scan, events: readonly Stored[], { limit, types }: ReadAllOptions): void {
  for (const event of events) {
    if (scan.scanned === limit) return
    const position = getPosition(event)
    // A forward read begins with the event at the position itself.
    if (scan.last !== null && position <= scan.last) continue
    scan.last = position
    if (isSystemEvent(event)) continue
    scan.next = position
    scan.scanned += 1
    if (!types || types.includes(event.type)) scan.found.push(toRecorded(event))
  }
}

/**
 * Throws ForeignPosition when a read did not begin with the event at its position. Events are never deleted. A read beyond the end of the
 * log returns nothing, as if no event had been written yet.
 */
function requireBeginning(position: Position, { events: [first], failure }: Page): void {
  const isThere = failure ? !isInvalidPositionError(failure) : first !== undefined && getPosition(first) === position
  if (!isThere) throw new ForeignPosition(`There is no event at ${position} in this event store`)
}

/** Creates the read side of the adapter. `callTimeoutMs` limits the wait for the next event. */
export function createReader({ client, credentials }: Connection, callTimeoutMs: number) {
  const options = { credentials, requiresLeader: true }
  /** A range that holds system events only, so that polling at the end does not read them each time. */
  let systemRange: { after: Position | null; to: Position } | undefined
  /** The end of the log at the last `head` call, and the newest non-system event up to it. */
  let lastHead: { end: Position; head: Position | null } | undefined

  const fetchStream = (stream: string, from: bigint, maxCount: number) =>
    client.readStream(stream, { ...options, direction: FORWARDS, fromRevision: from, maxCount })

  const fetchAll = (from: Position | null, maxCount: number) =>
    client.readAll({
      ...options,
      direction: FORWARDS,
      fromPosition: from === null ? START : parsePosition(from),
      maxCount,
    })

  /** Reads up to `count` events of a stream; throws the library's own errors. */
  async function readPage(stream: string, from: bigint, count: number, timeoutMs = callTimeoutMs): Promise<Stored[]> {
    const events: Stored[] = []
    await collectEvents(fetchStream(stream, from, count), events, timeoutMs)
    return events
  }

  async function* read(stream: string, from = 0n): AsyncIterable<Recorded> {
    let next = from
    const getSize = () => pageSize
    for await (const page of readInPages(getSize, (size) => fetchStream(stream, next, size), callTimeoutMs)) {
      if (getErrorType(page.failure) === 'stream-not-found') return
      yield* page.events.map(toRecorded)
      if (page.isLast) return
      next += BigInt(page.events.length)
    }
  }

  /** Filters here: the server can filter, but would not report how many of our events it has scanned. */
  async function readAll(after: Position | null, pageOptions: ReadAllOptions): Promise<EventPage> {
    const { limit } = pageOptions
    const begin = systemRange && systemRange.after === after ? systemRange.to : after
    const scan: Scan = { found: [], scanned: 0, last: begin, next: after }
    const getSize = () => Math.max(limit - scan.scanned, 64) + 1
    for await (const page of readInPages(getSize, (size) => fetchAll(scan.last, size), callTimeoutMs)) {
      if (scan.last !== null && (scan.last === after || page.failure)) requireBeginning(scan.last, page)
      addPage(scan, page.events, pageOptions)
      if (page.isLast || scan.scanned === limit) break
    }
    const { found, scanned, last, next } = scan
    if (last !== null && last !== next) systemRange = { after: next, to: last }
    return { events: found, next, scanned }
  }

  async function head(): Promise<Position | null> {
    let end: Position | undefined
    let from: Position | undefined
    for (let size = 16; ; size = Math.min(size * 4, 1_024)) {
      const events: Stored[] = []
      const fromPosition = from === undefined ? END : parsePosition(from)
      const reading = client.readAll({ ...options, direction: BACKWARDS, fromPosition, maxCount: size })
      const failure = await captureError(collectEvents(reading, events, callTimeoutMs))
      if (failure) throw toStoreUnavailable(failure)
      end ??= events[0] && getPosition(events[0])
      for (const event of events) {
        const position = getPosition(event)
        const isKnown = lastHead !== undefined && position <= lastHead.end
        const found = isKnown ? lastHead?.head : isSystemEvent(event) ? undefined : position
        if (found !== undefined) return remember(end ?? position, found)
        from = position
      }
      if (events.length < size) return end === undefined ? null : remember(end, null)
    }
  }

  function remember(end: Position, found: Position | null): Position | null {
    lastHead = { end, head: found }
    return found
  }

  return { readPage, read, readAll, head }
}

/** Returns whether the server refused a position at which no event begins; the message depends on its version. */
const isInvalidPositionError = (failure: Error) => /Unexpected ReadAllResult: |invalid position/i.test(failure.message)

const captureError = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
