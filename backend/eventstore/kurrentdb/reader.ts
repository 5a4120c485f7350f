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
  if (!position) throw new Error(`The event store is too old: it does not say where event ${id} is`)
  return formatPosition(position)
}

/** What the store writes about itself is none of our facts. */
const isSystemEvent = ({ type, streamId }: Stored) => type.startsWith('$') || streamId.startsWith('$')

/** The mark of the try that wrote an event; only the first of an append carries one. */
export const getAttemptId = ({ metadata }: Stored): string | undefined =>
  (metadata as { attempt?: string } | undefined)?.attempt

/** The stored bytes of an event's data, as text. */
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
 * Takes in one page. The library lets a read of a store that hangs wait for 20 seconds: here it ends when nothing comes
 * for `patience` milliseconds. What came before it broke stays in `into`.
 */
async function collectEvents<Resolved extends ResolvedEvent | AllStreamResolvedEvent>(
  reading: StreamingRead<Resolved>,
  into: Stored[],
  patience: number,
): Promise<void> {
  const timer = setTimeout(
    () => reading.destroy(new StoreUnavailable('The event store does not answer in time')),
    patience,
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

/** The reading half of the adapter. */
export function createReader({ client, credentials }: Connection, patience: number) {
  const options = { credentials, requiresLeader: true }
  /** Nothing of ours lies between these two: the store's own events are not read again each time somebody asks. */
  let idle: { after: Position | null; to: Position } | undefined
  let newest: { end: Position; head: Position | null } | undefined

  const fetchStream = (stream: string, from: bigint, maxCount: number) =>
    client.readStream(stream, { ...options, direction: FORWARDS, fromRevision: from, maxCount })

  /** Up to `count` events of a stream; an error of the library's own. */
  async function some(stream: string, from: bigint, count: number, within = patience): Promise<Stored[]> {
    const events: Stored[] = []
    await collectEvents(fetchStream(stream, from, count), events, within)
    return events
  }

  async function* read(stream: string, from = 0n): AsyncIterable<Recorded> {
    let next = from
    for (let broken = false; ;) {
      const events: Stored[] = []
      const failure = await captureError(collectEvents(fetchStream(stream, next, pageSize), events, patience))
      if (getErrorType(failure) === 'stream-not-found') return
      if (failure && !canResume(failure, broken, events)) throw toStoreUnavailable(failure)
      broken = failure !== undefined
      yield* events.map(toRecorded)
      next += BigInt(events.length)
      if (!broken && events.length < pageSize) return
    }
  }

  /** The store could leave events out itself, but would not say how many of ours it has looked at. */
  async function readAll(after: Position | null, { limit, types }: ReadAllOptions): Promise<EventPage> {
    const wanted = types && new Set(types)
    const found: Recorded[] = []
    let seen = 0
    let next = after
    let last = idle && idle.after === after ? idle.to : after
    for (let broken = false; seen < limit;) {
      const fromPosition = last === null ? START : parsePosition(last)
      // Forwards begins with the event at the position itself.
      const maxCount = Math.max(limit - seen, 64) + 1
      const events: Stored[] = []
      const reading = client.readAll({ ...options, direction: FORWARDS, fromPosition, maxCount })
      const failure = await captureError(collectEvents(reading, events, patience))
      if (last !== null && isInvalidPositionError(failure)) throw positionNotFound(last)
      if (failure && !canResume(failure, broken, events)) throw toStoreUnavailable(failure)
      broken = failure !== undefined
      // Our own events stay for ever. Beyond its end the store answers as if nothing had come yet.
      if (last !== null && last === after && !broken && (!events[0] || getPosition(events[0]) !== last))
        throw positionNotFound(last)
      for (const event of events) {
        const position = getPosition(event)
        if ((last !== null && position <= last) || seen === limit) continue
        last = position
        if (isSystemEvent(event)) continue
        next = position
        seen += 1
        if (!wanted || wanted.has(event.type)) found.push(toRecorded(event))
      }
      if (!broken && events.length < maxCount) break
    }
    if (last !== null && last !== next) idle = { after: next, to: last }
    return { events: found, next, scanned: seen }
  }

  async function head(): Promise<Position | null> {
    let end: Position | undefined
    let from: Position | undefined
    for (let size = 16; ; size = Math.min(size * 4, 1_024)) {
      const events: Stored[] = []
      const fromPosition = from === undefined ? END : parsePosition(from)
      const reading = client.readAll({ ...options, direction: BACKWARDS, fromPosition, maxCount: size })
      const failure = await captureError(collectEvents(reading, events, patience))
      if (failure) throw toStoreUnavailable(failure)
      end ??= events[0] && getPosition(events[0])
      for (const event of events) {
        const position = getPosition(event)
        const seen = newest !== undefined && position <= newest.end
        const found = seen ? newest?.head : isSystemEvent(event) ? undefined : position
        if (found !== undefined) return remember(end ?? position, found)
        from = position
      }
      if (events.length < size) return end === undefined ? null : remember(end, null)
    }
  }

  function remember(end: Position, found: Position | null): Position | null {
    newest = { end, head: found }
    return found
  }

  return { some, read, readAll, head }
}

/** How the store answers, by its version, who asks from where no event begins. */
const isInvalidPositionError = (failure: Error | undefined) =>
  failure !== undefined && /Unexpected ReadAllResult: |invalid position/i.test(failure.message)

const positionNotFound = (position: Position) =>
  new ForeignPosition(`Nothing stands at ${position} in this event store`)

const captureError = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

/**
 * A read that breaks is taken up where it stopped, at once: the library has another connection by then. A second break
 * without an event in between, or a store that hangs, is for the caller to wait for.
 */
const canResume = (failure: Error, brokenBefore: boolean, events: readonly Stored[]) =>
  !(failure instanceof StoreUnavailable) && (!brokenBefore || events.length > 0)
