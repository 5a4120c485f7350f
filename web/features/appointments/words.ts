import type { AppointmentField } from '#contracts/appointments.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/visits.ts'

/** What a visit is for, in words. */
export const typeWords: Record<AppointmentType, string> = {
  consultation: 'Consultation',
  'follow-up': 'Follow-up',
  'check-up': 'Check-up',
  emergency: 'Emergency',
  procedure: 'Procedure',
}

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
