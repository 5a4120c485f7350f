import type { AppointmentType } from '#contracts/values/appointments.ts'

/** Display names of the appointment types. */
export const appointmentTypeLabels: Record<AppointmentType, string> = {
  consultation: 'Consultation',
  'follow-up': 'Follow-up',
  'check-up': 'Check-up',
  emergency: 'Emergency',
  procedure: 'Procedure',
}
