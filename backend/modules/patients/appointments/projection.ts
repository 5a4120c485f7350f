import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { defineProjection } from '#projections/projection.ts'

type AppointmentsRow = {
  patient_id: string
  /** When each completed appointment was, by its id. */
  completed: Readonly<Record<string, string>>
  last_appointment: string | null
}

type Row = AppointmentsRow | null

function withAppointment(row: Row, patientId: string, appointmentId: string, at: string | null): Row {
  const { [appointmentId]: _, ...others } = row?.completed ?? {}
  const completed = at === null ? others : { ...others, [appointmentId]: at }
  const last = Object.values(completed).toSorted().at(-1) ?? null
  return { patient_id: patientId, completed, last_appointment: last }
}

const moved = (row: Row, appointmentId: string): boolean => row !== null && appointmentId in row.completed

/** When each patient last was there: the last completed appointment. Only patients with one have a row. */
export const patientLastAppointmentsProjection = defineProjection<AppointmentEvent, AppointmentsRow>({
  name: 'patient_appointments',
  version: 1,
  columns: { patient_id: 'uuid', completed: 'jsonb', last_appointment: 'timestamptz' },
  key: 'patient_id',
  rowOf: ({ data }) => data.patientId,
  on: {
    AppointmentCompleted: (row, { data: { appointmentId, startsAt } }, key) =>
      withAppointment(row, key, appointmentId, startsAt),
    AppointmentRescheduled: (row, { data: { appointmentId, to } }, key) =>
      moved(row, appointmentId) ? withAppointment(row, key, appointmentId, to.startsAt) : row,
    AppointmentStatusChanged: (row, { data: { appointmentId } }, key) =>
      moved(row, appointmentId) ? withAppointment(row, key, appointmentId, null) : row,
    AppointmentCancelled: (row, { data: { appointmentId } }, key) =>
      moved(row, appointmentId) ? withAppointment(row, key, appointmentId, null) : row,
    AppointmentRemoved: (row, { data: { appointmentId } }, key) =>
      moved(row, appointmentId) ? withAppointment(row, key, appointmentId, null) : row,
    AppointmentBooked: 'ignore',
    AppointmentDetailsChanged: 'ignore',
    AppointmentRemovedFromDayList: 'ignore',
    SampleAppointmentKept: 'ignore',
  },
})
