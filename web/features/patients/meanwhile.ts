import type { PatientFieldConflict, Patient, PatientField } from '#contracts/patients.ts'
import type { Overtaken } from '#web/app/meanwhile-notice.tsx'
import { changedFields, type PatientValues, valuesOf } from './form-values.ts'
import { showField } from './words.ts'

/** What others changed, against the record this form began with and what was typed in it since. */
export function overtakenBy(
  changes: readonly PatientFieldConflict[],
  base: Patient,
  latest: Patient,
  typed: PatientValues,
): Overtaken<PatientField>[] {
  const mine = new Set(changedFields(valuesOf(base), typed))
  const differs = new Set(changedFields(valuesOf(latest), typed))
  return changes.map(({ field, by, at }) => ({
    field,
    before: showField(base, field),
    theirs: showField(latest, field),
    by,
    at,
    contested: mine.has(field) && differs.has(field),
  }))
}

/** The form on the newest record: what was typed here stays, everything else is as it is now. */
export function rebased(base: Patient, latest: Patient, typed: PatientValues): PatientValues {
  const mine = changedFields(valuesOf(base), typed)
  return { ...valuesOf(latest), ...Object.fromEntries(mine.map((field) => [field, typed[field]])) }
}
