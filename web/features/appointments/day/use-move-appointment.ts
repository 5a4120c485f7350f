import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '../api.ts'
import { toTimeString } from '../local-time.ts'
import type { RejectedMove } from './move-dialog.tsx'
import { type Placement, toPlacementChange } from './placement.ts'
import { parseSlotTaken } from '../booking/appointment-form.ts'

/** Saves the move of one appointment on its day, and reports a move to a taken slot. */
export function useMoveAppointment(onRejected: (rejected: RejectedMove) => void) {
  const notify = useNotify()
  const update = useUpdateAppointment()
  return async (appointment: Appointment, to: Placement): Promise<void> => {
    const time = toTimeString(to.start)
    const { duration, providerId } = to
    try {
      const body = { ...toPlacementChange(appointment, to), revision: appointment.revision }
      await update.mutateAsync({ appointmentId: appointment.id, body })
      notify({
        title: 'Appointment updated',
        body: `${formatName(appointment.patient)}, ${formatTime(time)}, ${duration} min`,
      })
    } catch (error) {
      const slot = parseSlotTaken(error)
      if (slot) onRejected({ appointment, date: appointment.localDate, time, duration, providerId, slot })
      else notify({ title: 'Failed to update appointment', body: errorMessage(error), intent: 'error' })
    }
  }
}
