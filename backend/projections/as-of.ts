import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { isBehind } from './position.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from './projection.ts'
import { loadSkippedIds } from './skips.ts'

/** An inclusive end: the position of an event, or an ISO instant such as 2026-11-20T08:00:00.000Z. */
export type PointInTime = { position: Position } | { at: string }

/**
 * Folds one stream up to a point in time and returns its rows by key: the data that screens showed then, for the audit
 * trail. Uses the fold of the live table and leaves out the same events. An instant is compared with the time at which
 * an event happened, not with that at which a copy was stored. Throws the errors of the fold, and RangeError for an
 * invalid instant.
 */
export async function foldAsOf(
  store: EventStore,
  projection: AnyProjection,
  stream: string,
  pointInTime: PointInTime,
): Promise<ReadonlyMap<string, Row>> {
  const skippedIds = await loadSkippedIds(store, projection.name)
  const isIncluded = createCutoff(pointInTime)
  const rows: Rows = new Map()
  for await (const event of store.read(stream)) {
    if (!isIncluded(event)) break
    if (!skippedIds.has(event.id)) applyEvent(projection, rows, event)
  }
  return new Map([...rows].filter((entry): entry is [string, Row] => entry[1] !== null))
}

function createCutoff(end: PointInTime): (event: Recorded) => boolean {
  if ('position' in end) return ({ position }) => !isBehind(end.position, position)
  const at = Date.parse(end.at)
  if (Number.isNaN(at)) throw new RangeError(`Not an instant: ${end.at}`)
  return ({ metadata }) => Date.parse(metadata.at) <= at
}
