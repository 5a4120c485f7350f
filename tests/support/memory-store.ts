import { isDeepStrictEqual } from 'node:util'
import type { NewEvent, Recorded } from '#eventstore/event.ts'
import { type Appended, EventIdTaken, type EventStore, largestAppend } from '#eventstore/event-store.ts'

/**
 * An event store that forgets, held to the same contract as the real ones. For tests that try thousands of orders in
 * which things can happen.
 */
export function memoryStore(): EventStore {
  const all: Recorded[] = []
  const streams = new Map<string, Recorded[]>()
  const listeners = new Set<() => void>()
  const written = new Map<string, Recorded>()

  function before(stream: string, events: readonly NewEvent[]): Appended | undefined {
    const known = events.map(({ id }) => written.get(id))
    if (known.every((event) => event === undefined)) return undefined
    const same = known.every(
      (event, index) =>
        event?.stream === stream &&
        event.type === events[index]?.type &&
        isDeepStrictEqual(event.data, events[index]?.data),
    )
    const last = known.at(-1)
    if (!same || !last) throw new EventIdTaken('Another event has this id')
    return { status: 'already-appended', revision: last.revision, position: last.position }
  }

  return {
    async append(stream, expected, events) {
      const size = events.reduce((bytes, { data }) => bytes + Buffer.byteLength(JSON.stringify(data)), 0)
      if (size > largestAppend) return { status: 'too-large' }
      const earlier = before(stream, events)
      if (earlier) return earlier
      const history = streams.get(stream) ?? []
      const actual = history.at(-1)?.revision ?? 'no-stream'
      if (actual !== expected) return { status: 'conflict', actual }
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
        written.set(event.id, recorded)
      }
      streams.set(stream, history)
      for (const listener of listeners) listener()
      const last = history.at(-1) as Recorded
      return { status: 'appended', revision: last.revision, position: last.position }
    },
    async *read(stream, from = 0n) {
      yield* (streams.get(stream) ?? []).slice(Number(from))
    },
    async readAll(after, limit) {
      const events = all.filter(({ position }) => after === null || position > after).slice(0, limit)
      return { events, next: events.at(-1)?.position ?? after }
    },
    head: async () => all.at(-1)?.position ?? null,
    onWake(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
