import { randomUUID } from 'node:crypto'
import type { DomainEvent, NewEvent, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'

/** Creates an event to append, by a process and without a practice. */
export function newEvent(
  type = 'SomethingHappened',
  data: NewEvent['data'] = {},
  over: Partial<NewEvent['metadata']> & { id?: string } = {},
): NewEvent {
  const { id = randomUUID(), ...metadata } = over
  return {
    id,
    type,
    data,
    metadata: {
      practiceId: null,
      actor: { kind: 'process', name: 'test' },
      correlationId: '6f0f3c3e-6f3d-4f6e-9b0a-0d1f0c9a1b2c',
      causationId: '6f0f3c3e-6f3d-4f6e-9b0a-0d1f0c9a1b2c',
      at: '2026-11-20T08:00:00.000Z',
      schemaVersion: 1,
      sample: false,
      ...metadata,
    },
  }
}

/** Creates an event as read from the store, for folds that are tested without one. */
export function recordedEvent<Event extends DomainEvent>(
  event: Event,
  over: { stream?: string; revision?: number; position?: number; metadata?: Partial<NewEvent['metadata']> } = {},
): Recorded<Event> {
  const { metadata } = newEvent(event.type, event.data, over.metadata)
  return {
    ...event,
    id: randomUUID(),
    stream: over.stream ?? 'stream-1',
    revision: BigInt(over.revision ?? 0),
    position: `pg-${String(over.position ?? 1).padStart(19, '0')}`,
    metadata,
    recordedAt: metadata.at,
  }
}

/** Returns all events of a stream, oldest first. */
export async function readStream(store: EventStore, stream: string, from?: bigint): Promise<Recorded[]> {
  const events: Recorded[] = []
  for await (const event of store.read(stream, from)) events.push(event)
  return events
}

/** Reads all events, page by page. */
export async function readAllEvents(store: EventStore, page = 500): Promise<Recorded[]> {
  const all: Recorded[] = []
  for (let after: string | null = null; ;) {
    const { events, next } = await store.readAll(after, { limit: page })
    if (events.length === 0) return all
    all.push(...events)
    after = next
  }
}
