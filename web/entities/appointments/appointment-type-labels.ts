import type { AppointmentType } from '#contracts/values/appointments.ts'

/** What an appointment is for, in words. */
export const appointmentTypeLabels: Record<AppointmentType, string> = {
  consultation: 'Consultation',
  'follow-up': 'Follow-up',
  'check-up': 'Check-up',
  emergency: 'Emergency',
  procedure: 'Procedure',
}
