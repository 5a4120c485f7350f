import type { AppointmentType } from '#contracts/values/visits.ts'

/** What a visit is for, in words. */
export const appointmentTypeLabels: Record<AppointmentType, string> = {
  consultation: 'Consultation',
  'follow-up': 'Follow-up',
  'check-up': 'Check-up',
  emergency: 'Emergency',
  procedure: 'Procedure',
}
