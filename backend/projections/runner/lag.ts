import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { isBehind } from '#projections/position.ts'

/** The number of events up to which lag is counted exactly. */
export const maxCountedLag = 1_000

/**
 * Counts the events after positions, up to a thousand. Remembers each count, so that a health check of a projection
 * that failed days ago does not read the same events again.
 */
export function createLagCounter(store: EventStore) {
  let known: ReadonlyMap<Position | null, { lag: number; upTo: Position | null }> = new Map()
  return async (positions: readonly (Position | null)[], head: Position | null) => {
    const counts = await Promise.all(
      [...new Set(positions)].map(async (position) => {
        const previous = known.get(position) ?? { lag: 0, upTo: position }
        if (previous.lag >= maxCountedLag || !isBehind(previous.upTo, head)) return [position, previous] as const
        const { next, scanned } = await store.readAll(previous.upTo, {
          limit: maxCountedLag - previous.lag,
          types: [],
        })
        return [position, { lag: previous.lag + scanned, upTo: next }] as const
      }),
    )
    const counted = new Map(counts)
    known = counted
    return (position: Position | null): number => counted.get(position)?.lag ?? 0
  }
}
