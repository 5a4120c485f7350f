import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import type { Recorded } from '#eventstore/event.ts'
import { getEventType } from '#eventstore/event-schemas.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { maskPhi } from '#encryption/masking.ts'

/** What is known of each event's data, of every module there is: a noun that is added is shown from the first day. */
const schemas = new Map(listEventSchemas(modules).map((schema) => [getEventType(schema), schema.shape.data]))
const pageSize = 500

/** What of the record is asked for. `since` is an ISO instant; `user` the id of who did it. */
export type EventQuery = { type?: string; since?: string; practice?: string; user?: string }

/** One event as a line of JSON: who, when, what. What identifies a patient stays hidden unless it is asked for by name. */
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

/** Whether there is an event of this name today. */
export const isEventType = (type: string): boolean => schemas.has(type)

/** Whether an event is among those asked for. */
export const matchesQuery = ({ type, metadata }: Recorded, wanted: EventQuery) =>
  (wanted.type === undefined || type === wanted.type) &&
  (wanted.since === undefined || metadata.at >= wanted.since) &&
  (wanted.practice === undefined || metadata.practiceId === wanted.practice) &&
  (wanted.user === undefined || (metadata.actor.kind === 'user' && metadata.actor.userId === wanted.user))

/** Everything in the record that is asked for, oldest first. */
export async function* searchEvents(store: EventStore, wanted: EventQuery): AsyncIterable<Recorded> {
  for (let after: string | null = null; ;) {
    const { events, next } = await store.readAll(after, { limit: pageSize })
    yield* events.filter((event) => matchesQuery(event, wanted))
    if (events.length === 0) return
    after = next
  }
}
