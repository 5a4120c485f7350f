import type { Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { recordDecision } from '#eventstore/record-decision.ts'
import { ReadModelEvent } from './events.ts'

const getSkipStream = (name: string) => `projection-${name}`

/** Loads the ids of the events that are left out of a projection, whether it runs, is rebuilt or is verified. */
export async function loadSkippedIds(store: EventStore, name: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for await (const { type, data } of store.read(getSkipStream(name))) {
    ids.add(ReadModelEvent.parse({ type, data }).data.eventId)
  }
  return ids
}

/**
 * Records that an event is left out of a projection, with the operator and the reason. Repeated, it is recorded once.
 */
export async function recordSkip(
  store: EventStore,
  name: string,
  { id, position, type }: Recorded,
  { by, why }: { by: string; why: string },
): Promise<void> {
  await recordDecision(store, {
    stream: getSkipStream(name),
    schema: ReadModelEvent,
    event: {
      type: 'ReadModelEventSkipped',
      data: { projection: name, position, eventId: id, eventType: type, by, why },
    },
    process: 'projections',
    causationId: id,
    isSame: (earlier) => earlier.data['eventId'] === id,
  })
}
