import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

type SampleRow = {
  id: string
  practice_id: string
  kind: 'patient' | 'appointment'
  patient_id: string
  /** Whether somebody has worked on it. What our own processes do is no such work. */
  edited: boolean
  revision: number
}
type Row = SampleRow | null

const createSampleRow = (
  kind: SampleRow['kind'],
  id: string,
  event: Recorded<PatientEvent | AppointmentEvent>,
): Row => {
  const { sample, practiceId } = event.metadata
  if (!sample || practiceId === null) return null
  return { id, practice_id: practiceId, kind, patient_id: event.data.patientId, edited: false, revision: 0 }
}

const updateSampleRow = (row: Row, { metadata, revision }: Recorded): Row =>
  row && { ...row, edited: row.edited || metadata.actor.kind === 'user', revision: Number(revision) }

/** The patients and appointments that still belong to a sample practice, one row each. */
export const sampleRecords = defineProjection<PatientEvent | AppointmentEvent, SampleRow>({
  name: 'sample_records',
  version: 1,
  isMetadataOnly: true,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    kind: 'text',
    patient_id: 'uuid',
    edited: 'bool',
    revision: 'int8',
  },
  key: 'id',
  indexes: ['(practice_id)'],
  rowOf: ({ data }) => ('appointmentId' in data ? data.appointmentId : data.patientId),
  on: {
    PatientRegistered: (_, event) => createSampleRow('patient', event.data.patientId, event),
    PatientDemographicsCorrected: updateSampleRow,
    PatientContactChanged: updateSampleRow,
    ...mapEvents(patientDetailEvents, updateSampleRow),
    PatientDeathRecorded: updateSampleRow,
    PatientDeathCorrected: updateSampleRow,
    PatientRemoved: () => null,
    SamplePatientKept: () => null,
    AppointmentBooked: (_, event) => createSampleRow('appointment', event.data.appointmentId, event),
    AppointmentRescheduled: updateSampleRow,
    AppointmentDetailsChanged: updateSampleRow,
    AppointmentStatusChanged: updateSampleRow,
    AppointmentCompleted: updateSampleRow,
    AppointmentCancelled: updateSampleRow,
    AppointmentRemovedFromDayList: updateSampleRow,
    AppointmentRemoved: () => null,
    SampleAppointmentKept: () => null,
  },
})
