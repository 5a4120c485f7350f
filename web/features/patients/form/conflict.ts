import type { PatientFieldConflict, Patient, PatientField } from '#contracts/patients.ts'
import type { FieldConflict } from '#web/forms/conflict-notice.tsx'
import { findChangedFields, type PatientValues, toPatientValues } from './form-values.ts'
import { formatField } from '../labels.ts'

/** What others changed, against the record this form began with and what was typed in it since. */
export function findFieldConflicts(
  changes: readonly PatientFieldConflict[],
  base: Patient,
  latest: Patient,
  typed: PatientValues,
): FieldConflict<PatientField>[] {
  const mine = new Set(findChangedFields(toPatientValues(base), typed))
  const differs = new Set(findChangedFields(toPatientValues(latest), typed))
  return changes.map(({ field, by, at }) => ({
    field,
    before: formatField(base, field),
    theirs: formatField(latest, field),
    by,
    at,
    isContested: mine.has(field) && differs.has(field),
  }))
}

/** The form on the newest record: what was typed here stays, everything else is as it is now. */
export function rebaseValues(base: Patient, latest: Patient, typed: PatientValues): PatientValues {
  const mine = findChangedFields(toPatientValues(base), typed)
  return { ...toPatientValues(latest), ...Object.fromEntries(mine.map((field) => [field, typed[field]])) }
}
