import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import { toTimeString } from '../local-time.ts'
import { parseRefusal, type RejectedMove } from './move-refusal.ts'
import { type Placement, toPlacementChange } from './placement.ts'

/** Saves the move of one appointment on its day, and reports a move that the user has to decide about. */
export function useMoveAppointment(onRejected: (rejected: RejectedMove) => void) {
  const notify = useNotify()
  const update = useUpdateAppointment()
  return async (appointment: Appointment, to: Placement): Promise<void> => {
    const time = toTimeString(to.start)
    const { duration, providerId } = to
    try {
      const body = { ...toPlacementChange(appointment, to), revision: appointment.revision, confirmed: [] }
      await update.mutateAsync({ appointmentId: appointment.id, body })
      notify({
        title: 'Appointment updated',
        body: `${formatName(appointment.patient)}, ${formatTime(time)}, ${duration} min`,
      })
    } catch (error) {
      const refusal = parseRefusal(error)
      const requested = { appointment, date: appointment.localDate, time, duration, providerId }
      if (refusal) onRejected({ ...requested, ...refusal, allowOverlap: false, confirmed: [] })
      else notify({ title: 'Failed to update appointment', body: errorMessage(error), intent: 'error' })
    }
  }
}
