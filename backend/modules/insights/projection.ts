import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  /** An ISO instant in UTC. */
  starts_at: string
  status: string
  /** True while the day list shows it; a cancelled appointment may stay on it, struck through. */
  on_day_list: boolean
  sample: boolean
}

/** The appointments from which insights are counted. */
export const insightAppointments = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'insight_appointments',
  version: 2,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    starts_at: 'timestamptz',
    status: 'text',
    on_day_list: 'bool',
    sample: 'bool',
  },
  key: 'appointment_id',
  indexes: ['(practice_id, starts_at)', '(patient_id, starts_at)'],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, slot, status }, metadata }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      starts_at: slot.startsAt,
      status,
      on_day_list: true,
      sample: metadata.sample,
    }),
    AppointmentRescheduled: (row, { data: { to } }) => row && { ...row, starts_at: to.startsAt },
    AppointmentStatusChanged: (row, { data: { to } }) => row && { ...row, status: to },
    AppointmentCompleted: (row) => row && { ...row, status: 'completed' },
    AppointmentCancelled: (row, { data: { isOnDayList } }) =>
      row && { ...row, status: 'cancelled', on_day_list: isOnDayList },
    AppointmentRemovedFromDayList: (row) => row && { ...row, on_day_list: false },
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row) => row && { ...row, sample: false },
    AppointmentDetailsChanged: 'ignore',
  },
})

type FormerPatientRow = { patient_id: string; reason: 'deceased' | 'removed' }

const deceased = (patientId: string): FormerPatientRow => ({ patient_id: patientId, reason: 'deceased' })

/** The patients who have died or were removed: they are not reminded of a check-up. */
export const insightFormerPatients = defineProjection<PatientEvent, FormerPatientRow>({
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
    PatientDemographicsCorrected: 'ignore',
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    SamplePatientKept: 'ignore',
  },
})
