import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { getStatusTone, type StatusTone } from '#web/ui/status-badge.tsx'
import { isClosed } from './appointment-status.ts'

/** Returns the tone of an appointment: that of its status, but an open emergency is red in every status. */
export const getAppointmentTone = ({
  type,
  status,
}: {
  type: AppointmentType
  status: AppointmentStatus
}): StatusTone => (type === 'emergency' && !isClosed(status) ? 'error' : getStatusTone(status))
