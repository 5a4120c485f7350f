import type { Recorded } from '#eventstore/event.ts'
import type { JobRequest } from '#process-managers/process-manager.ts'
import { followUp, unlessSample } from '#modules/kit/follow-up.ts'

/**
 * The names of the two jobs with which a module closes what it holds about a removed patient: `removed` follows the removal,
 * `added` follows an addition that ran while the patient was removed. `definePatientCascade` returns the jobs.
 */
export type CascadeNames = { readonly removed: string; readonly added: string }

/** Requests the job that closes what a module holds about a removed patient. */
export const onPatientRemoved = (
  event: Recorded<{ type: 'PatientRemoved'; data: { patientId: string } }>,
  { removed }: CascadeNames,
): JobRequest[] => {
  const { practiceId } = event.metadata
  return unlessSample(event, followUp(event, removed, { practiceId, patientId: event.data.patientId }, 0))
}

/** Requests the job that closes what was added about a patient, in case the patient was removed at the same time. */
export const onPatientReferred = (
  event: Recorded<{ type: string; data: { practiceId: string; patientId: string } }>,
  { added }: CascadeNames,
): JobRequest[] => {
  const { practiceId, patientId } = event.data
  return followUp(event, added, { practiceId, patientId })
}
