import type { Recorded } from '#eventstore/event.ts'

type FieldConflict<Field extends string> = { field: Field; value: unknown; by: string | null; at: string }

type ConflictOptions<Event extends Recorded, Field extends string> = {
  since: readonly Event[]
  /** Which fields of the record a fact changed. */
  changedFields: (event: Event) => readonly Field[]
  /** The record as it is now. */
  now: Readonly<Record<Field, unknown>>
  /** What people are called, by their ids. */
  findNames: (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * What others changed since somebody looked, for the problem `changed-meanwhile`: each field once, with its value now, who
 * changed it last, and when. `by` is null for what nobody in person did, and for people who are not known any more.
 */
export async function collectFieldConflicts<Event extends Recorded, Field extends string>({
  since,
  changedFields: fieldsOf,
  now,
  findNames: namesOf,
}: ConflictOptions<Event, Field>): Promise<FieldConflict<Field>[]> {
  const last = new Map<Field, { userId: string | null; at: string }>()
  for (const event of since) {
    const { actor, at } = event.metadata
    for (const field of fieldsOf(event)) last.set(field, { userId: actor.kind === 'user' ? actor.userId : null, at })
  }
  const names = await namesOf([...new Set([...last.values()].flatMap(({ userId }) => userId ?? []))])
  return [...last].map(([field, { userId, at }]) => ({
    field,
    value: now[field],
    by: (userId && names.get(userId)) || null,
    at,
  }))
}
