import type { AppointmentField } from '#contracts/appointments.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'

/** Where an appointment stands, in words. */
export const statusLabels: Record<AppointmentStatus, string> = {
  scheduled: 'Scheduled',
  confirmed: 'Confirmed',
  waiting: 'Waiting',
  'in-progress': 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
  'no-show': 'No-show',
}

/** What the form calls each field. */
export const fieldLabels: Record<AppointmentField, string> = {
  providerId: 'Provider',
  appointmentDate: 'Date and time',
  duration: 'Duration',
  type: 'Type',
  status: 'Status',
  reason: 'Reason',
  notes: 'Notes',
}

/** Full name, as it is spoken. */
export const formatName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`
