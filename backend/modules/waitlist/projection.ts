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
  /** The appointment that was booked for it; null while it waits. */
  booked_appointment_id: string | null
}

type Added = Extract<WaitlistEvent, { type: 'PatientAddedToWaitlist' }>['data']

const toRow = (data: Added, waitingSince: string): WaitlistRow => ({
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
  waiting_since: waitingSince,
  booked_appointment_id: null,
})

type Changed = Extract<WaitlistEvent, { type: 'WaitlistEntryChanged' }>['data']

const withChange = (row: WaitlistRow, { to }: Changed): WaitlistRow => {
  const { providerId = row.provider_id, appointmentId = row.appointment_id, ...others } = to as Partial<Added>
  return { ...row, ...others, provider_id: providerId, appointment_id: appointmentId }
}

/** The current waitlist entries, one row each, and those for which an appointment was booked: they can return. */
export const waitlistProjection = defineProjection<WaitlistEvent, WaitlistRow>({
  name: 'waitlist',
  version: 4,
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
    booked_appointment_id: 'uuid',
  },
  key: 'id',
  sealed: { subject: 'patient_id', columns: ['notes'] },
  indexes: [
    '(practice_id, waiting_since) where booked_appointment_id is null',
    '(patient_id)',
    '(booked_appointment_id) where booked_appointment_id is not null',
  ],
  rowOf: ({ data }) => data.waitlistEntryId,
  on: {
    PatientAddedToWaitlist: (_, { data, metadata }) => toRow(data, metadata.at),
    WaitlistEntryChanged: (row, { data }) => row && withChange(row, data),
    PatientRemovedFromWaitlist: (row, { data: { booked } }) =>
      row && booked ? { ...row, booked_appointment_id: booked.appointmentId } : null,
    PatientReturnedToWaitlist: (_, { data }) => toRow(data, data.waitingSince),
  },
})
