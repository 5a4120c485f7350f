import type { Recorded } from '#eventstore/event.ts'

/** A field that others changed; `by` and `at` are of the last change. */
export type FieldConflict<Field extends string> = { field: Field; value: unknown; by: string | null; at: string }

type ConflictOptions<Event extends Recorded, Field extends string> = {
  since: readonly Event[]
  /** Returns the fields that an event changed. */
  changedFields: (event: Event) => readonly Field[]
  /** The current values. */
  now: Readonly<Record<Field, unknown>>
  /** Returns the names of users by their ids. */
  findNames: (userIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Returns what others changed since a revision, for the problem `changed-meanwhile`: each field once, with its current value,
 * who changed it last, and when. `by` is null for changes by a process and for users who no longer exist.
 */
export async function collectFieldConflicts<Event extends Recorded, Field extends string>({
  since,
  changedFields,
  now,
  findNames,
}: ConflictOptions<Event, Field>): Promise<FieldConflict<Field>[]> {
  const last = new Map<Field, { userId: string | null; at: string }>()
  for (const event of since) {
    const { actor, at } = event.metadata
    for (const field of changedFields(event))
      last.set(field, { userId: actor.kind === 'user' ? actor.userId : null, at })
  }
  const names = await findNames([...new Set([...last.values()].flatMap(({ userId }) => userId ?? []))])
  return [...last].map(([field, { userId, at }]) => ({
    field,
    value: now[field],
    by: (userId && names.get(userId)) || null,
    at,
  }))
}
