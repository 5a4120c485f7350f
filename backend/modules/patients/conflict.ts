import type { CommonQueryMethods } from 'slonik'
import {
  isClinicalField,
  type PatientFieldConflict,
  type PatientField,
  type PatientFields,
} from '#contracts/patients.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { changedFields } from './decider.ts'
import type { PatientEvent } from './events.ts'

/**
 * Returns the fields that conflicting events changed: each once, with its current value, the last user and the time.
 * Clinical fields only for callers with `clinical:read`. The status of the allergies is not a field of its own here: it
 * changes with them.
 */
export const findConflicts = (
  db: CommonQueryMethods,
  since: readonly Recorded<PatientEvent>[],
  now: PatientFields,
  clinical: boolean,
): Promise<PatientFieldConflict[]> =>
  collectFieldConflicts({
    since,
    changedFields: (event: Recorded<PatientEvent>) =>
      (Object.keys(changedFields(event)) as PatientField[]).filter(
        (field) => field !== 'allergiesStatus' && (clinical || !isClinicalField(field)),
      ),
    now,
    findNames: (userIds) => findUserNames(db, userIds),
  })
