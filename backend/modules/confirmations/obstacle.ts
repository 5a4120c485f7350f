import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import type { WithdrawalReason } from './events.ts'

/** The circumstances at the moment when a message is due. Instants are ISO texts in UTC. */
export type Circumstances = {
  /** Null when the appointment does not exist any more. */
  appointment: { status: AppointmentStatus; reservationId: string; startsAt: string } | null
  /** The slot that the patient would be asked about. */
  reservationId: string
  patient: { removed: boolean; deceased: boolean } | null
  hasPlan: boolean
  /** A user asked for this message, or the practice lets them leave by themselves. */
  isWanted: boolean
  now: string
}

/** Returns why a patient is not asked any more; null when the question makes sense. */
export function findObstacle({
  appointment,
  reservationId,
  patient,
  hasPlan,
  isWanted,
  now,
}: Circumstances): WithdrawalReason | null {
  if (!appointment || appointment.status === 'cancelled') return 'cancelled'
  if (appointment.reservationId !== reservationId) return 'moved'
  if (!patient || patient.removed) return 'patient-removed'
  if (patient.deceased) return 'deceased'
  if (appointment.startsAt <= now) return 'over'
  if (appointment.status !== 'scheduled') return 'answered'
  if (!hasPlan) return 'no-plan'
  return isWanted ? null : 'switched-off'
}
