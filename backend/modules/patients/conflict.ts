import type { CommonQueryMethods } from 'slonik'
import {
  clinicalFields,
  type PatientFieldConflict,
  type PatientField,
  type PatientFields,
} from '#contracts/patients.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts as sinceThen } from '#http/conflict.ts'
import { changedFields } from './decider.ts'
import type { PatientEvent } from './events.ts'
import { findNames } from './queries.ts'

/**
 * What others changed since somebody looked: each field once, with its value now, who changed it last, and when. Clinical
 * fields only for those who may read them.
 */
export async function findConflicts(
  db: CommonQueryMethods,
  since: readonly Recorded<PatientEvent>[],
  now: PatientFields,
  clinical: boolean,
): Promise<PatientFieldConflict[]> {
  const hidden: readonly string[] = clinical ? [] : clinicalFields
  const fieldsOf = (event: Recorded<PatientEvent>) =>
    (Object.keys(changedFields(event)) as PatientField[]).filter((field) => !hidden.includes(field))
  return await sinceThen({ since, changedFields: fieldsOf, now, findNames: (userIds) => findNames(db, userIds) })
}
