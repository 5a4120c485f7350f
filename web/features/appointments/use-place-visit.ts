import type { Appointment } from '#contracts/appointments.ts'
import { wordsOf } from '#web/app/call.ts'
import { useNotify } from '#web/app/toasts.tsx'
import { useChangeVisit } from './api.ts'
import { clock, timeOf } from './clock.ts'
import type { RefusedMove } from './move-dialog.tsx'
import { type Placement, placementChange } from './use-placing.ts'
import { slotTakenOf } from './visit-form.ts'
import { nameOf } from './words.ts'

/** Puts one visit where somebody moved it on its day; asks when another visit is in the way. */
export function usePlaceVisit(onRefused: (refused: RefusedMove) => void) {
  const notify = useNotify()
  const change = useChangeVisit()
  return async (visit: Appointment, to: Placement): Promise<void> => {
    const time = timeOf(to.start)
    const { duration, providerId } = to
    try {
      const body = { ...placementChange(visit, to), revision: visit.revision }
      await change.mutateAsync({ appointmentId: visit.id, body })
      notify({ title: 'Appointment updated', body: `${nameOf(visit.patient)}, ${clock(time)}, ${duration} min` })
    } catch (error) {
      const slot = slotTakenOf(error)
      if (slot) onRefused({ visit, date: visit.localDate, time, duration, providerId, slot })
      else notify({ title: 'Failed to update appointment', body: wordsOf(error), intent: 'error' })
    }
  }
}
