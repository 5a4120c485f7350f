import { isDeepStrictEqual } from 'node:util'
import type { NewEvent, Position, Recorded } from '#eventstore/event.ts'
import {
  type Appended,
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  ForeignPosition,
  maxAppendBytes,
} from '#eventstore/event-store.ts'

/**
 * An event store that forgets, held to the same contract as the real ones. For tests that try thousands of orders in
 * which things can happen.
 */
export function createMemoryStore(): EventStore {
  const all: Recorded[] = []
  const streams = new Map<string, Recorded[]>()
  const listeners = new Set<() => void>()
  const ids = new Set<string>()

  /** Whether the same events are already at the same place. Nothing but that place is looked at. */
  function before(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Appended | undefined {
    const start = expected === 'no-stream' ? 0 : Number(expected) + 1
    const there = (streams.get(stream) ?? []).slice(start, start + events.length)
    const last = there.at(-1)
    if (!last || there.length < events.length || there.some(({ id }, index) => id !== events[index]?.id))
      return undefined
    const same = there.every(
      ({ type, data }, index) => type === events[index]?.type && isDeepStrictEqual(data, events[index]?.data),
    )
    if (!same) throw new EventIdConflict('Another event has this id')
    return { status: 'already-appended', revision: last.revision, position: last.position }
  }

  const isOwnPosition = (position: Position) => /^memory-\d{12}$/.test(position)

  return {
    async append(stream, expected, events) {
      const size = events.reduce((bytes, { data }) => bytes + Buffer.byteLength(JSON.stringify(data)), 0)
      if (size > maxAppendBytes) return { status: 'too-large' }
      const earlier = before(stream, expected, events)
      if (earlier) return earlier
      const history = streams.get(stream) ?? []
      const actual = history.at(-1)?.revision ?? 'no-stream'
      if (actual !== expected) return { status: 'conflict', actual }
      if (events.some(({ id }) => ids.has(id))) throw new EventIdConflict('Another event has this id')
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
      for (const listener of listeners) listener()
      const last = history.at(-1) as Recorded
      return { status: 'appended', revision: last.revision, position: last.position }
    },
    async *read(stream, from = 0n) {
      yield* (streams.get(stream) ?? []).slice(Number(from))
    },
    async readAll(after, { limit, types }) {
      if (after !== null && !isOwnPosition(after)) throw new ForeignPosition(`Not a position in memory: ${after}`)
      const seen = all.filter(({ position }) => after === null || position > after).slice(0, limit)
      const events = types ? seen.filter(({ type }) => types.includes(type)) : seen
      return { events, next: seen.at(-1)?.position ?? after, scanned: seen.length }
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
