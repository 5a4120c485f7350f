import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import type { Recorded } from '#eventstore/event.ts'
import { getEventType } from '#eventstore/event-schemas.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { maskPhi } from '#encryption/masking.ts'

/** Schemas of the event data of all modules, by event type. */
const schemas = new Map(listEventSchemas(modules).map((schema) => [getEventType(schema), schema.shape.data]))
const pageSize = 500

/**
 * A filter for events. `since` is an ISO instant, compared with the time that is printed as `at`; `user` the id of the user
 * who caused the event.
 */
export type EventQuery = { type?: string; since?: string; practice?: string; user?: string }

/** Formats an event as one line of JSON. Identifying data of patients is masked unless `reveal` is set. */
export function formatEvent(
  { position, stream, type, data, metadata, revision, isNewer: newer }: Recorded,
  reveal: boolean,
): string {
  const shown = reveal ? data : maskPhi(newer ? undefined : schemas.get(type), data)
  const { at, actor, practiceId, correlationId } = metadata
  return JSON.stringify({
    position,
    at,
    actor,
    type,
    stream,
    revision: Number(revision),
    practiceId,
    correlationId,
    data: shown,
  })
}

/** Returns whether an event type exists. */
export const isEventType = (type: string): boolean => schemas.has(type)

/** Returns whether an event matches the filter. */
export const matchesQuery = ({ type, metadata }: Recorded, wanted: EventQuery) =>
  (wanted.type === undefined || type === wanted.type) &&
  (wanted.since === undefined || metadata.at >= wanted.since) &&
  (wanted.practice === undefined || metadata.practiceId === wanted.practice) &&
  (wanted.user === undefined || (metadata.actor.kind === 'user' && metadata.actor.userId === wanted.user))

/** Yields the matching events, oldest first. */
export async function* searchEvents(store: EventStore, wanted: EventQuery): AsyncIterable<Recorded> {
  for await (const { events } of readPages(store, null, pageSize))
    yield* events.filter((event) => matchesQuery(event, wanted))
}
