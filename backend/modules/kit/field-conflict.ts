import type { CommonQueryMethods } from 'slonik'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts, type FieldConflict } from '#http/conflict.ts'
import { ProblemError } from '#http/problems.ts'
import { findUserNames } from '#modules/accounts/public.ts'

type Conflict<Event extends Recorded, Field extends string> = {
  /** The events since the revision that the user saw. */
  since: readonly Event[]
  /** Returns the fields that an event changed. */
  changedFields: (event: Event) => readonly Field[]
  /** The current values. */
  now: Readonly<Record<Field, unknown>>
  /** The beginning of the message, such as "This form was changed by someone else". */
  message: string
}

/** Throws the 409 `changed-meanwhile` of a change that began from an old revision, with what others changed since then. */
export async function throwFieldConflict<Event extends Recorded, Field extends string>(
  db: CommonQueryMethods,
  { message, ...conflict }: Conflict<Event, Field>,
): Promise<never> {
  const changes: FieldConflict<Field>[] = await collectFieldConflicts({
    ...conflict,
    findNames: (userIds) => findUserNames(db, userIds),
  })
  throw new ProblemError(409, 'changed-meanwhile', `${message}. Check the changes and save again.`, { changes })
}
