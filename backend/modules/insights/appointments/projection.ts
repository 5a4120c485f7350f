import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { defineProjection } from '#projections/projection.ts'

type AppointmentRow = {
  appointment_id: string
  practice_id: string
  patient_id: string
  /** An ISO instant in UTC. */
  starts_at: string
  minutes: number
  status: string
  /** True while the day list shows it; a cancelled appointment may stay on it, struck through. */
  on_day_list: boolean
  sample: boolean
}

/** The appointments from which insights are counted. */
export const insightAppointments = defineProjection<AppointmentEvent, AppointmentRow>({
  name: 'insight_appointments',
  version: 3,
  isMetadataOnly: true,
  columns: {
    appointment_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    starts_at: 'timestamptz',
    minutes: 'int4',
    status: 'text',
    on_day_list: 'bool',
    sample: 'bool',
  },
  key: 'appointment_id',
  indexes: [
    '(practice_id, starts_at)',
    '(patient_id, starts_at)',
    `(practice_id, starts_at) include (patient_id, sample) where status = 'no-show'`,
  ],
  rowOf: ({ data }) => data.appointmentId,
  on: {
    AppointmentBooked: (_, { data: { appointmentId, practiceId, patientId, slot, status }, metadata }) => ({
      appointment_id: appointmentId,
      practice_id: practiceId,
      patient_id: patientId,
      starts_at: slot.startsAt,
      minutes: slot.duration,
      status,
      on_day_list: true,
      sample: metadata.sample,
    }),
    AppointmentRescheduled: (row, { data: { to } }) => row && { ...row, starts_at: to.startsAt, minutes: to.duration },
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
