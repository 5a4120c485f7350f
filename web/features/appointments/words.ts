import type { AppointmentField } from '#contracts/appointments.ts'
import type { AppointmentStatus } from '#contracts/values/visits.ts'

/** Where a visit stands, in words. */
export const statusWords: Record<AppointmentStatus, string> = {
  scheduled: 'Scheduled',
  confirmed: 'Confirmed',
  waiting: 'Waiting',
  'in-progress': 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
  'no-show': 'No-show',
}

/** What the form calls each field. */
export const fieldWords: Record<AppointmentField, string> = {
  providerId: 'Provider',
  appointmentDate: 'Date and time',
  duration: 'Duration',
  type: 'Type',
  status: 'Status',
  reason: 'Reason',
  notes: 'Notes',
}

/** Full name, as it is spoken. */
export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`
