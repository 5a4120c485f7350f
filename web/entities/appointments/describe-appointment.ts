import type { Appointment } from '#contracts/appointments.ts'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { appointmentTypeLabels } from './appointment-type-labels.ts'

/** Describes an appointment by its day, time and type. */
export const describeAppointment = ({
  localDate,
  localTime,
  type,
}: Pick<Appointment, 'localDate' | 'localTime' | 'type'>): string =>
  `${formatDate(localDate)}, ${formatTime(localTime)}, ${appointmentTypeLabels[type]}`
