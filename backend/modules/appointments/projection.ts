import type { Recorded } from '#eventstore/event.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'
import type { AppointmentEvent, Slot } from './events.ts'

type AppointmentRow = {
  id: string
  practice_id: string
  patient_id: string
  provider_id: string
  starts_at: string
  ends_at: string
  duration: number
  type: string
  status: string
  status_since: string
  /** Whether it stands on its day; cancelled appointments may, struck through. */
  listed: boolean
  reason: string | null
  notes: string | null
  overlap: boolean
  series_id: string | null
  fee_cents: number | null
  currency: string | null
  completed_at: string | null
  sample: boolean
  revision: number
  created_at: string
  updated_at: string
}

type Fold = (row: AppointmentRow | null, event: Recorded, to: Partial<AppointmentRow>) => AppointmentRow | null
const after: Fold = (row, { revision, metadata }, to) =>
  row && { ...row, ...to, revision: Number(revision), updated_at: metadata.at }

const notCompleted = { fee_cents: null, currency: null, completed_at: null }

const placed = ({ providerId, startsAt, duration, overlaps }: Slot) => ({
  provider_id: providerId,
  starts_at: startsAt,
  ends_at: new Date(Date.parse(startsAt) + duration * 60_000).toISOString(),
  duration,
  overlap: overlaps.length > 0,
})

/** The appointments of all practices, one row each; those taken off their day too. */
export const appointmentsProjection = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'appointments',
  version: 1,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    provider_id: 'uuid',
    starts_at: 'timestamptz',
    ends_at: 'timestamptz',
    duration: 'int4',
    type: 'text',
    status: 'text',
    status_since: 'timestamptz',
    listed: 'bool',
    reason: 'text',
    notes: 'text',
    overlap: 'bool',
    series_id: 'uuid',
    fee_cents: 'int4',
    currency: 'text',
    completed_at: 'timestamptz',
    sample: 'bool',
    revision: 'int8',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  key: 'id',
  indexes: [
    '(practice_id, starts_at)',
    '(provider_id, starts_at)',
    '(patient_id, starts_at)',
    '(practice_id, completed_at) where completed_at is not null',
    '(series_id, starts_at) where series_id is not null',
  ],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data, metadata, revision }) => ({
      id: data.appointmentId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      ...placed(data.place),
      type: data.type,
      status: data.status,
      status_since: metadata.at,
      listed: true,
      reason: data.reason,
      notes: data.notes,
      series_id: data.seriesId,
      ...notCompleted,
      sample: metadata.sample,
      revision: Number(revision),
      created_at: metadata.at,
      updated_at: metadata.at,
    }),
    AppointmentRescheduled: (row, event) => after(row, event, placed(event.data.to)),
    AppointmentDetailsChanged: (row, event) => {
      const { type, reason, notes } = event.data.to
      return after(row, event, {
        ...(type === undefined ? {} : { type }),
        ...(reason === undefined ? {} : { reason }),
        ...(notes === undefined ? {} : { notes }),
      })
    },
    AppointmentStatusChanged: (row, event) =>
      after(row, event, { status: event.data.to, status_since: event.metadata.at, ...notCompleted }),
    AppointmentCompleted: (row, event) => {
      const { fee, completedAt } = event.data
      const completed = { fee_cents: fee.cents, currency: fee.currency, completed_at: completedAt }
      return after(row, event, { status: 'completed', status_since: event.metadata.at, ...completed })
    },
    AppointmentCancelled: (row, event) => {
      const { listed } = event.data
      return after(row, event, { status: 'cancelled', status_since: event.metadata.at, listed, ...notCompleted })
    },
    AppointmentUnlisted: (row, event) => after(row, event, { listed: false }),
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row, event) => after(row, event, { sample: false }),
  },
})

type PatientRow = {
  id: string
  practice_id: string
  first_name: string | null
  last_name: string | null
  removed: boolean
}

/** Who has appointments: also those who were removed since, because their appointments stay in the record. */
export const appointmentPatientsProjection = defineProjection<PatientEvent, PatientRow>({
  name: 'appointment_patients',
  version: 1,
  columns: { id: 'uuid', practice_id: 'uuid', first_name: 'text', last_name: 'text', removed: 'bool' },
  key: 'id',
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, { data: { patientId, practiceId, firstName, lastName } }) => ({
      id: patientId,
      practice_id: practiceId,
      first_name: firstName,
      last_name: lastName,
      removed: false,
    }),
    PatientDemographicsCorrected: (row, { data: { to } }) =>
      row && {
        ...row,
        ...(to.firstName === undefined ? {} : { first_name: to.firstName }),
        ...(to.lastName === undefined ? {} : { last_name: to.lastName }),
      },
    PatientRemoved: (row) => row && { ...row, removed: true },
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    PatientDeathRecorded: 'ignore',
    PatientDeathCorrected: 'ignore',
    SamplePatientKept: 'ignore',
  },
})
