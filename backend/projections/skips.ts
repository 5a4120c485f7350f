import { randomUUID } from 'node:crypto'
import type { Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { ReadModelEvent } from './events.ts'
import { mapVersionsByType } from '#eventstore/event-schemas.ts'

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
  const decision = ReadModelEvent.parse({
    type: 'ReadModelEventSkipped',
    data: { projection: name, position, eventId: id, eventType: type, by, why },
  })
  const correlationId = randomUUID()
  const metadata = {
    practiceId: null,
    actor: { kind: 'process' as const, name: 'projections' },
    correlationId,
    causationId: id,
    at: new Date().toISOString(),
    schemaVersion: mapVersionsByType(ReadModelEvent).get(decision.type) ?? 1,
    sample: false,
  }
  const event = { ...decision, id: randomUUID(), metadata }
  for (let appended; appended?.status !== 'appended' && appended?.status !== 'already-appended';) {
    let revision: bigint | 'no-stream' = 'no-stream'
    for await (const earlier of store.read(getSkipStream(name))) {
      if (earlier.data['eventId'] === id) return
      revision = earlier.revision
    }
    appended = await store.append(getSkipStream(name), revision, [event])
    if (appended.status === 'too-large') throw new RangeError('The reason is too long')
  }
}
