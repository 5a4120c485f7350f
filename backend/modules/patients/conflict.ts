import type { CommonQueryMethods } from 'slonik'
import { isClinicalField, type PatientField, type PatientFields } from '#contracts/patients.ts'
import type { Recorded } from '#eventstore/event.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import { changedFields } from './decider.ts'
import type { PatientEvent } from './events.ts'

/**
 * Throws the 409 for a change of a stale revision, with the fields that the events since then changed. Clinical fields only for callers with `clinical:read`. The status of the allergies is not a field of its own here: it
 * changes with them.
 */
export const throwChangeConflict = (
  db: CommonQueryMethods,
  since: readonly Recorded<PatientEvent>[],
  now: PatientFields,
  clinical: boolean,
): Promise<never> =>
  throwFieldConflict(db, {
    since,
    changedFields: (event: Recorded<PatientEvent>) =>
      (Object.keys(changedFields(event)) as PatientField[]).filter(
        (field) => field !== 'allergiesStatus' && (clinical || !isClinicalField(field)),
      ),
    now,
    message: 'This patient was changed by someone else',
  })
