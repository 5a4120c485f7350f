import type { AppointmentEvent } from '#modules/appointments/events.ts'

/** The completed appointments of a patient, as columns of the patient's row. */
export type CompletedColumns = {
  /** The start of each completed appointment, by id. */
  completed_appointments: Readonly<Record<string, string>>
  last_visit: string | null
}

/** The columns of a patient without a completed appointment. */
export const noCompletedAppointments: CompletedColumns = { completed_appointments: {}, last_visit: null }

function withCompleted(
  { completed_appointments: before }: CompletedColumns,
  appointmentId: string,
  at: string | null,
): CompletedColumns {
  const { [appointmentId]: _, ...others } = before
  const completed = at === null ? others : { ...others, [appointmentId]: at }
  return { completed_appointments: completed, last_visit: Object.values(completed).toSorted().at(-1) ?? null }
}

/** Returns the columns after an event of one of the patient's appointments. */
export function foldAppointment(columns: CompletedColumns, { type, data }: AppointmentEvent): CompletedColumns {
  if (type === 'AppointmentCompleted') return withCompleted(columns, data.appointmentId, data.startsAt)
  if (!(data.appointmentId in columns.completed_appointments)) return columns
  return withCompleted(columns, data.appointmentId, type === 'AppointmentRescheduled' ? data.to.startsAt : null)
}
