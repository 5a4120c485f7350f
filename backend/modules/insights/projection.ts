import type { AppointmentEvent } from '#modules/appointments/events.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProjection } from '#projections/projection.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  /** An ISO instant in UTC. */
  starts_at: string
  status: string
  /** True while its day shows it; a cancelled appointment may stay there, struck through. */
  on_day_list: boolean
}

/** Details and the sample mark do not matter for insights. */
type CountedEvent = Exclude<AppointmentEvent, { type: 'AppointmentDetailsChanged' | 'SampleAppointmentKept' }>

/** The appointments from which insights are counted. */
export const insightAppointments = defineProjection<CountedEvent, AppointmentRow>({
  name: 'insight_appointments',
  version: 1,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    starts_at: 'timestamptz',
    status: 'text',
    on_day_list: 'bool',
  },
  key: 'appointment_id',
  indexes: ['(practice_id, starts_at)', '(patient_id, starts_at)'],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, place, status } }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      starts_at: place.startsAt,
      status,
      on_day_list: true,
    }),
    AppointmentRescheduled: (row, { data: { to } }) => row && { ...row, starts_at: to.startsAt },
    AppointmentStatusChanged: (row, { data: { to } }) => row && { ...row, status: to },
    AppointmentCompleted: (row) => row && { ...row, status: 'completed' },
    AppointmentCancelled: (row, { data: { listed } }) => row && { ...row, status: 'cancelled', on_day_list: listed },
    AppointmentUnlisted: (row) => row && { ...row, on_day_list: false },
    AppointmentRemoved: () => null,
  },
})

type FormerPatientRow = { patient_id: string; reason: 'deceased' | 'removed' }

type DepartureEvent = Extract<
  PatientEvent,
  { type: 'PatientRegistered' | 'PatientDeathRecorded' | 'PatientDeathCorrected' | 'PatientRemoved' }
>

const deceased = (patientId: string): FormerPatientRow => ({ patient_id: patientId, reason: 'deceased' })

/** The patients who have died or were removed: they are not reminded of a check-up. */
export const insightFormerPatients = defineProjection<DepartureEvent, FormerPatientRow>({
  name: 'insight_former_patients',
  version: 1,
  columns: { patient_id: 'uuid', reason: 'text' },
  key: 'patient_id',
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, { data: { patientId, deceasedOn } }) => (deceasedOn === null ? null : deceased(patientId)),
    PatientDeathRecorded: (_, { data }) => deceased(data.patientId),
    PatientDeathCorrected: (_, { data: { patientId, to } }) => (to === null ? null : deceased(patientId)),
    PatientRemoved: (_, { data }) => ({ patient_id: data.patientId, reason: 'removed' }),
  },
})
