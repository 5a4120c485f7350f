import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { isBehind } from './runner/subscription.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from './projection.ts'
import { loadSkippedIds } from './skips.ts'

/** Up to which moment: an event, inclusive, or an instant in UTC such as 2026-11-20T08:00:00.000Z, inclusive. */
export type PointInTime = { position: Position } | { at: string }

/**
 * The rows that followed from one stream alone at a moment, by key: what the screens showed of this record then. The same
 * fold as the live table, with the same events left out. Instants are those at which things happened, not those at which
 * a copy of the record was written. Throws what a fold throws, and RangeError for an instant that is none.
 */
export async function foldAsOf(
  store: EventStore,
  projection: AnyProjection,
  stream: string,
  moment: PointInTime,
): Promise<ReadonlyMap<string, Row>> {
  const skips = await loadSkippedIds(store, projection.name)
  const isDue = createCutoff(moment)
  const rows: Rows = new Map()
  for await (const event of store.read(stream)) {
    if (!isDue(event)) break
    if (!skips.has(event.id)) applyEvent(projection, rows, event)
  }
  return new Map([...rows].filter((entry): entry is [string, Row] => entry[1] !== null))
}

function createCutoff(moment: PointInTime): (event: Recorded) => boolean {
  if ('position' in moment) return ({ position }) => !isBehind(moment.position, position)
  const at = Date.parse(moment.at)
  if (Number.isNaN(at)) throw new RangeError(`Not an instant: ${moment.at}`)
  return ({ metadata }) => Date.parse(metadata.at) <= at
}
