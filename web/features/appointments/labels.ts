import { formatTime } from '#web/ui/dates.ts'
import type { Appointment, AppointmentField } from '#contracts/appointments.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatMediumDate } from './calendar-dates.ts'
import { findProviderName, type SchedulingContext } from './scheduling-context.ts'

export const statusLabels: Record<AppointmentStatus, string> = {
  scheduled: 'Scheduled',
  confirmed: 'Confirmed',
  waiting: 'Waiting',
  'in-progress': 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
  'no-show': 'No-show',
}

/** Labels of the fields in the form. */
export const fieldLabels: Record<AppointmentField, string> = {
  providerId: 'Provider',
  appointmentDate: 'Date and time',
  duration: 'Duration',
  type: 'Type',
  status: 'Status',
  reason: 'Reason',
  notes: 'Notes',
}

/** Returns a field of an appointment on one line; empty where it has no value. */
export function formatField(
  appointment: Appointment,
  field: AppointmentField,
  context: Pick<SchedulingContext, 'allProviders'>,
): string {
  switch (field) {
    case 'providerId':
      return findProviderName(context, appointment.providerId)
    case 'appointmentDate':
      return `${formatMediumDate(appointment.localDate)}, ${formatTime(appointment.localTime)}`
    case 'duration':
      return `${appointment.duration} minutes`
    case 'type':
      return appointmentTypeLabels[appointment.type]
    case 'status':
      return statusLabels[appointment.status]
    default:
      return appointment[field] ?? ''
  }
}
