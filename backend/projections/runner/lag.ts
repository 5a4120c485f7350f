import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { isBehind } from './subscription.ts'

/** The most events that are counted one by one. */
export const maxCountedLag = 1_000

/**
 * Counts the events after positions, up to a thousand. What was counted is remembered: a read model that stands still for
 * days costs nobody who asks how it is a second look at the same events.
 */
export function createLagCounter(store: EventStore) {
  let known: ReadonlyMap<Position | null, { lag: number; upTo: Position | null }> = new Map()
  return async (positions: readonly (Position | null)[], head: Position | null) => {
    const counted = await Promise.all(
      [...new Set(positions)].map(async (position) => {
        const before = known.get(position) ?? { lag: 0, upTo: position }
        if (before.lag >= maxCountedLag || !isBehind(before.upTo, head)) return [position, before] as const
        const { next, scanned: seen } = await store.readAll(before.upTo, {
          limit: maxCountedLag - before.lag,
          types: [],
        })
        return [position, { lag: before.lag + seen, upTo: next }] as const
      }),
    )
    const found = new Map(counted)
    known = found
    return (position: Position | null): number => found.get(position)?.lag ?? 0
  }
}
