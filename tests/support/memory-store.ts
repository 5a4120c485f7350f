import { isDeepStrictEqual } from 'node:util'
import type { NewEvent, Position, Recorded } from '#eventstore/event.ts'
import {
  type Appended,
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  ForeignPosition,
  maxAppendBytes,
  type StreamAppend,
} from '#eventstore/event-store.ts'

const toPlace = ({ revision, position }: Pick<Recorded, 'revision' | 'position'>) => ({ revision, position })

/** Creates an event store in memory that satisfies the same contract as the real ones, for tests with thousands of cases. */
export function createMemoryStore(): EventStore {
  const all: Recorded[] = []
  const streams = new Map<string, Recorded[]>()
  const listeners = new Set<() => void>()
  const ids = new Set<string>()

  /** Returns the result of an earlier append of the same events at the same place, if there is one. */
  function findDuplicate(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Appended | undefined {
    const start = expected === 'no-stream' ? 0 : Number(expected) + 1
    const stored = (streams.get(stream) ?? []).slice(start, start + events.length)
    const last = stored.at(-1)
    if (!last || stored.length < events.length || stored.some(({ id }, index) => id !== events[index]?.id))
      return undefined
    const isEqual = stored.every(
      ({ type, data }, index) => type === events[index]?.type && isDeepStrictEqual(data, events[index]?.data),
    )
    if (!isEqual) throw new EventIdConflict('Another event has this id')
    return { status: 'already-appended', revision: last.revision, position: last.position }
  }

  const isOwnPosition = (position: Position) => /^memory-\d{12}$/.test(position)

  const isTooLarge = (events: readonly NewEvent[]) =>
    events.reduce((bytes, { data }) => bytes + Buffer.byteLength(JSON.stringify(data)), 0) > maxAppendBytes

  const getRevision = (stream: string): ExpectedRevision => streams.get(stream)?.at(-1)?.revision ?? 'no-stream'

  function refuseUsedIds(events: readonly NewEvent[]): void {
    if (events.some(({ id }) => ids.has(id))) throw new EventIdConflict('Another event has this id')
  }

  function write({ stream, events }: StreamAppend): Recorded {
    const history = streams.get(stream) ?? []
    for (const event of events) {
      const recorded: Recorded = {
        ...structuredClone(event),
        stream,
        revision: BigInt(history.length),
        position: `memory-${String(all.length + 1).padStart(12, '0')}`,
        recordedAt: event.metadata.at,
      }
      history.push(recorded)
      all.push(recorded)
      ids.add(event.id)
    }
    streams.set(stream, history)
    return history.at(-1) as Recorded
  }

  return {
    async append(stream, expected, events) {
      if (isTooLarge(events)) return { status: 'too-large' }
      const earlier = findDuplicate(stream, expected, events)
      if (earlier) return earlier
      const actual = getRevision(stream)
      if (actual !== expected) return { status: 'conflict', actual }
      refuseUsedIds(events)
      const { revision, position } = write({ stream, expected, events })
      for (const listener of listeners) listener()
      return { status: 'appended', revision, position }
    },
    async appendTogether(appends) {
      const events = appends.flatMap((each) => each.events)
      if (isTooLarge(events)) return { status: 'too-large' }
      const writes = appends.filter((each) => each.events.length > 0)
      const conflicts = appends.filter(({ stream, expected }) => getRevision(stream) !== expected)
      if (conflicts.length > 0) {
        const earlier = writes.map((each) => findDuplicate(each.stream, each.expected, each.events))
        const written = earlier.flatMap((each) => (each?.status === 'already-appended' ? [toPlace(each)] : []))
        return written.length === writes.length
          ? { status: 'already-appended', written }
          : { status: 'conflict', streams: conflicts.map(({ stream }) => stream) }
      }
      refuseUsedIds(events)
      const written = writes.map((each) => toPlace(write(each)))
      for (const listener of listeners) listener()
      return { status: 'appended', written }
    },
    async *read(stream, from = 0n) {
      yield* (streams.get(stream) ?? []).slice(Number(from))
    },
    async readAll(after, { limit, types }) {
      if (after !== null && !isOwnPosition(after)) throw new ForeignPosition(`Not a position in memory: ${after}`)
      const scanned = all.filter(({ position }) => after === null || position > after).slice(0, limit)
      const events = types ? scanned.filter(({ type }) => types.includes(type)) : scanned
      return { events, next: scanned.at(-1)?.position ?? after, scanned: scanned.length }
    },
    isOwnPosition,
    estimateOffset(position) {
      if (position !== null && !isOwnPosition(position))
        throw new ForeignPosition(`Not a position in memory: ${position}`)
      return position === null ? 0 : Number(position.slice('memory-'.length))
    },
    head: async () => all.at(-1)?.position ?? null,
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
