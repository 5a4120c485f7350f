import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatName } from '#web/ui/format.ts'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import type { BookingConcern } from '#contracts/values/appointments.ts'
import { ApiProblem, isUnknownOutcome } from '#web/api/call.ts'
import { type AppointmentValues, toNewAppointment } from '../booking/appointment-form.ts'
import type { PickedPatient } from '#web/entities/patients/patient-picker.tsx'
import type { UnbookedAppointments } from '../booking/booking-prefill.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { describeRecurrence, findUnresolved, toResolutionsBody } from './recurrence.ts'
import { useBookSeries } from './series-api.ts'
import { withUnknownOutcome } from './use-series-change.ts'
import type { SeriesPlan } from './use-series-plan.ts'

type SeriesBooking = {
  plan: SeriesPlan
  patient: PickedPatient | null
  context: SchedulingContext
  finish: (typed: AppointmentValues, toast: { title: string; body: string }, after: () => void) => void
  showFailure: (error: unknown) => void
  /** Shows what has to be confirmed; returns false when it did not ask. */
  onQuestion: (error: unknown, typed: AppointmentValues) => boolean
  onBooked: (date: string) => void
  onUnbooked: (unbooked: UnbookedAppointments) => void
}

/** Books a planned series once every conflict is resolved, and reports the appointments that could not be booked. */
export function useSeriesBooking(booking: SeriesBooking) {
  const { plan, patient, context, finish, showFailure, onQuestion, onBooked, onUnbooked } = booking
  const bookSeries = useBookSeries()

  function handleFailure(error: unknown, typed: AppointmentValues): void {
    if (!isUnknownOutcome(error)) plan.resumePreview()
    if (onQuestion(error, typed)) return
    if (error instanceof ApiProblem && error.code === 'series-conflicts') {
      // A free time that was chosen instead of a taken one is taken now as well.
      const planned = error.problem['appointments'] as readonly PlannedAppointment[]
      const isMoved = (index: number) => plan.resolutions.get(index)?.action === 'move'
      plan.dropResolutions(planned.flatMap(({ index, conflict }) => (conflict && isMoved(index) ? [index] : [])))
      plan.retry()
    } else if (!(error instanceof ApiProblem && plan.showProblem(error)))
      showFailure(
        withUnknownOutcome(
          error,
          'Some appointments may be booked already. Schedule again: only the others are booked then.',
        ),
      )
  }

  async function book(typed: AppointmentValues, confirmed: BookingConcern[]): Promise<void> {
    plan.showMissing()
    const { recurrence } = plan
    if (!recurrence || findUnresolved(plan.appointments, plan.resolutions).length > 0) return
    const { status: _alwaysScheduled, ...appointment } = toNewAppointment(typed)
    plan.pausePreview()
    try {
      const { appointments, notBooked } = await bookSeries.mutateAsync({
        ...appointment,
        recurrence,
        resolutions: toResolutionsBody(plan.resolutions),
        confirmed,
      })
      const toast = {
        title: `${appointments.length} appointments scheduled`,
        body: `${patient ? formatName(patient) : ''}, ${describeRecurrence(recurrence, typed.date, typed.time).toLowerCase()}`,
      }
      finish(typed, toast, () => {
        onBooked(appointments[0]?.localDate ?? typed.date)
        if (notBooked.length === 0 || !patient) return
        const { type, duration, reason, notes, providerId } = typed
        onUnbooked({
          prefill: { patient, type, duration, reason, notes },
          providerId,
          bookedCount: appointments.length,
          unbookedTimes: notBooked.map(({ start }) => toLocalDateTime(start, context.timeZone)),
        })
      })
    } catch (error) {
      handleFailure(error, typed)
    }
  }

  return { book, isPending: bookSeries.isPending, isBooked: bookSeries.isSuccess }
}
