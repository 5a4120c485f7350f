import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { patientTotalColumns, patientTotalFolds, type PatientTotalRow } from '#modules/patient-totals.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  type: string
  /** An ISO instant in UTC. The date is computed at query time, because the practice's time zone may change. */
  starts_at: string
  /** `open`: neither completed nor cancelled. */
  state: 'open' | 'completed' | 'cancelled'
  completed_at: string | null
  fee_cents: number | null
  sample: boolean
}

/** Every appointment as the dashboard counts it. One that was taken off its day list counts as cancelled. */
export const dashboardAppointments = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'dashboard_appointments',
  version: 2,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    type: 'text',
    starts_at: 'timestamptz',
    state: 'text',
    completed_at: 'timestamptz',
    fee_cents: 'int4',
    sample: 'bool',
  },
  key: 'appointment_id',
  indexes: [
    '(practice_id, starts_at) include (state, sample)',
    '(practice_id, completed_at) include (fee_cents, sample)',
  ],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, slot, type, status }, metadata }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      type,
      starts_at: slot.startsAt,
      state: status === 'cancelled' ? 'cancelled' : 'open',
      completed_at: null,
      fee_cents: null,
      sample: metadata.sample,
    }),
    AppointmentRescheduled: (row, { data: { to } }) => row && { ...row, starts_at: to.startsAt },
    AppointmentDetailsChanged: (row, { data: { to } }) => row && { ...row, type: to.type ?? row.type },
    AppointmentCompleted: (row, { data: { completedAt, fee } }) =>
      row && { ...row, state: 'completed', completed_at: completedAt, fee_cents: fee.cents },
    AppointmentStatusChanged: (row) => row && { ...row, state: 'open', completed_at: null, fee_cents: null },
    AppointmentCancelled: (row) => row && { ...row, state: 'cancelled', completed_at: null, fee_cents: null },
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row) => row && { ...row, sample: false },
    AppointmentRemovedFromDayList: 'ignore',
  },
})

type PatientRow = {
  patient_id: string
  practice_id: string
  first_name: string
  last_name: string
  registered_at: string
  sample: boolean
}

/** Every patient of a practice, with the instant of registration. */
export const dashboardPatients = defineProjection<PatientEvent, PatientRow>({
  name: 'dashboard_patients',
  version: 2,
  columns: {
    patient_id: 'uuid',
    practice_id: 'uuid',
    first_name: 'text',
    last_name: 'text',
    registered_at: 'timestamptz',
    sample: 'bool',
  },
  key: 'patient_id',
  indexes: ['(practice_id, registered_at) include (sample)'],
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, { data, metadata }) => ({
      patient_id: data.patientId,
      practice_id: data.practiceId,
      first_name: data.firstName,
      last_name: data.lastName,
      registered_at: metadata.at,
      sample: metadata.sample,
    }),
    PatientDemographicsCorrected: (row, { data: { to } }) =>
      row && { ...row, first_name: to.firstName ?? row.first_name, last_name: to.lastName ?? row.last_name },
    PatientRemoved: () => null,
    SamplePatientKept: (row) => row && { ...row, sample: false },
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    PatientDeathRecorded: 'ignore',
    PatientDeathCorrected: 'ignore',
  },
})

/** The number of patients of each practice, so that the first screen does not count ten thousand rows. */
export const dashboardTotals = defineProjection<PatientEvent, PatientTotalRow>({
  name: 'dashboard_totals',
  version: 2,
  isMetadataOnly: true,
  columns: patientTotalColumns,
  key: 'practice_id',
  rowOf: ({ metadata }) => metadata.practiceId,
  on: patientTotalFolds,
})

type PracticeRow = { practice_id: string; timezone: string }

/** The time zone (IANA) of each practice. */
export const dashboardPractices = defineProjection<PracticeEvent, PracticeRow>({
  name: 'dashboard_practices',
  version: 1,
  columns: { practice_id: 'uuid', timezone: 'text' },
  key: 'practice_id',
  rowOf: ({ data }) => data.practiceId,
  on: {
    PracticeSetUp: (_, { data: { practiceId, timezone } }) => ({ practice_id: practiceId, timezone }),
    PracticeDetailsChanged: (row, { data: { to } }) => row && { ...row, timezone: to.timezone ?? row.timezone },
    PracticeSetupCompleted: 'ignore',
  },
})
