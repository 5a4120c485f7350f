import type { Recorded } from '#eventstore/event.ts'
import { patientDetailEvents, type PatientEvent } from './events.ts'
import { mapEvents } from '#projections/projection.ts'

/** The number of a practice's own patients, and the ids of its sample patients: a figure includes them or not. */
export type PatientTotalRow = { practice_id: string; patients: number; sample_ids: readonly string[] }

type Row = PatientTotalRow | null
type Of<Type> = Recorded<Extract<PatientEvent, { type: Type }>>

/** The columns of a table of totals. */
export const patientTotalColumns = { practice_id: 'uuid', patients: 'int4', sample_ids: 'text[]' } as const

/** The folds of a table of totals. */
export const patientTotalFolds = {
  PatientRegistered: (row: Row, { data, metadata }: Of<'PatientRegistered'>, practiceId: string): Row => {
    const { patients, sample_ids: samples } = row ?? { patients: 0, sample_ids: [] }
    return metadata.sample
      ? { practice_id: practiceId, patients, sample_ids: [...samples, data.patientId] }
      : { practice_id: practiceId, patients: patients + 1, sample_ids: samples }
  },
  // The metadata does not say whether the patient was a sample: a user may delete one.
  PatientRemoved: (row: Row, { data: { patientId } }: Of<'PatientRemoved'>): Row =>
    row &&
    (row.sample_ids.includes(patientId)
      ? { ...row, sample_ids: row.sample_ids.filter((id) => id !== patientId) }
      : { ...row, patients: row.patients - 1 }),
  SamplePatientKept: (row: Row, { data: { patientId } }: Of<'SamplePatientKept'>): Row =>
    row && { ...row, patients: row.patients + 1, sample_ids: row.sample_ids.filter((id) => id !== patientId) },
  PatientDemographicsCorrected: 'ignore',
  PatientContactChanged: 'ignore',
  ...mapEvents(patientDetailEvents, 'ignore'),
  PatientDeathRecorded: 'ignore',
  PatientDeathCorrected: 'ignore',
} as const
