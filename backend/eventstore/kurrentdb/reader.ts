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

/** Creates the read side of the adapter. `callTimeoutMs` limits the wait for the next event. */
export function createReader({ client, credentials }: Connection, callTimeoutMs: number) {
  const options = { credentials, requiresLeader: true }
  /** A range that holds system events only, so that polling at the end does not read them each time. */
  let systemRange: { after: Position | null; to: Position } | undefined
  /** The end of the log at the last `head` call, and the newest non-system event up to it. */
  let lastHead: { end: Position; head: Position | null } | undefined

  const fetchStream = (stream: string, from: bigint, maxCount: number) =>
    client.readStream(stream, { ...options, direction: FORWARDS, fromRevision: from, maxCount })

  /** Reads up to `count` events of a stream; throws the library's own errors. */
  async function readPage(stream: string, from: bigint, count: number, timeoutMs = callTimeoutMs): Promise<Stored[]> {
    const events: Stored[] = []
    await collectEvents(fetchStream(stream, from, count), events, timeoutMs)
    return events
  }

  async function* read(stream: string, from = 0n): AsyncIterable<Recorded> {
    let next = from
    for (let broken = false; ;) {
      const events: Stored[] = []
      const failure = await captureError(collectEvents(fetchStream(stream, next, pageSize), events, callTimeoutMs))
      if (getErrorType(failure) === 'stream-not-found') return
      if (failure && !canResume(failure, broken, events)) throw toStoreUnavailable(failure)
      broken = failure !== undefined
      yield* events.map(toRecorded)
      next += BigInt(events.length)
      if (!broken && events.length < pageSize) return
    }
  }

  /** Filters here: the server can filter, but would not report how many of our events it has scanned. */
  async function readAll(after: Position | null, { limit, types }: ReadAllOptions): Promise<EventPage> {
    const includedTypes = types && new Set(types)
    const found: Recorded[] = []
    let scanned = 0
    let next = after
    let last = systemRange && systemRange.after === after ? systemRange.to : after
    for (let broken = false; scanned < limit;) {
      const fromPosition = last === null ? START : parsePosition(last)
      // A forward read begins with the event at the position itself.
      const maxCount = Math.max(limit - scanned, 64) + 1
      const events: Stored[] = []
      const reading = client.readAll({ ...options, direction: FORWARDS, fromPosition, maxCount })
      const failure = await captureError(collectEvents(reading, events, callTimeoutMs))
      if (last !== null && isInvalidPositionError(failure)) throw positionNotFound(last)
      if (failure && !canResume(failure, broken, events)) throw toStoreUnavailable(failure)
      broken = failure !== undefined
      // Events are never deleted. A read beyond the end of the log returns nothing, as if no event had been written yet.
      if (last !== null && last === after && !broken && (!events[0] || getPosition(events[0]) !== last))
        throw positionNotFound(last)
      for (const event of events) {
        const position = getPosition(event)
        if ((last !== null && position <= last) || scanned === limit) continue
        last = position
        if (isSystemEvent(event)) continue
        next = position
        scanned += 1
        if (!includedTypes || includedTypes.has(event.type)) found.push(toRecorded(event))
      }
      if (!broken && events.length < maxCount) break
    }
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
const isInvalidPositionError = (failure: Error | undefined) =>
  failure !== undefined && /Unexpected ReadAllResult: |invalid position/i.test(failure.message)

const positionNotFound = (position: Position) =>
  new ForeignPosition(`There is no event at ${position} in this event store`)

const captureError = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

/**
 * Returns whether a broken read can resume immediately where it stopped: the library has reconnected by then. A second
 * failure without an event in between, or a server that hangs, is left to the caller.
 */
const canResume = (failure: Error, brokenBefore: boolean, events: readonly Stored[]) =>
  !(failure instanceof StoreUnavailable) && (!brokenBefore || events.length > 0)
