import { defineProjection } from '#projections/projection.ts'
import type { WaitlistEvent } from './events.ts'

type WaitlistRow = {
  id: string
  practice_id: string
  patient_id: string
  provider_id: string | null
  type: string
  duration: number
  earliest: string | null
  latest: string | null
  appointment_id: string | null
  notes: string | null
  waiting_since: string
}

/** The current waitlist entries, one row each. */
export const waitlistProjection = defineProjection<WaitlistEvent, WaitlistRow>({
  name: 'waitlist',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    provider_id: 'uuid',
    type: 'text',
    duration: 'int4',
    earliest: 'date',
    latest: 'date',
    appointment_id: 'uuid',
    notes: 'text',
    waiting_since: 'timestamptz',
  },
  key: 'id',
  sealed: { subject: 'patient_id', columns: ['notes'] },
  indexes: ['(practice_id, waiting_since)', '(patient_id)'],
  rowOf: ({ data }) => data.waitlistEntryId,
  on: {
    PatientAddedToWaitlist: (_, { data, metadata }) => ({
      id: data.waitlistEntryId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      provider_id: data.providerId,
      type: data.type,
      duration: data.duration,
      earliest: data.earliest,
      latest: data.latest,
      appointment_id: data.appointmentId,
      notes: data.notes,
      waiting_since: metadata.at,
    }),
    PatientRemovedFromWaitlist: () => null,
  },
})
