import type { AppointmentId, SeriesId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import type { Reservations, ReservationEvent } from '#modules/appointments/reservations.ts'
import { seriesDecider, type SeriesState } from './decider.ts'

type Known = Extract<SeriesState, { known: true }>

/**
 * Books the appointments of a planned row that are not booked yet, one after the other; those for which somebody else was faster
 * are recorded as not booked. Once more does nothing, whoever does it: every id is in the plan. Answers what is not booked.
 */
export async function bookSeriesAppointments(
  bus: CommandBus,
  places: Reservations,
  seriesId: SeriesId,
  context: CommandContext,
): Promise<readonly AppointmentId[]> {
  const { state } = await bus.load(seriesDecider, seriesId)
  if (!state.known) return []
  const notBooked = [...state.notBooked]
  const last = state.plan.appointments.at(-1)
  for (const appointment of state.plan.appointments) {
    const { appointmentId, place, allowOverlap } = appointment
    if (notBooked.includes(appointmentId)) continue
    try {
      // Only the last one waits until the screens know: they learn of the others in the same order.
      await places.place(createReservationEvent(state, appointment), context, {
        allowOverlap,
        dontWait: appointment !== last,
      })
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      // Another run of this may have been luckier a moment ago: after this nobody can be.
      if (await places.giveUp(place, appointmentId, context)) continue
      await bus.execute(seriesDecider, seriesId, { type: 'NotBooked', appointmentId }, context)
      notBooked.push(appointmentId)
    }
  }
  return notBooked
}

function createReservationEvent(
  { plan }: Known,
  { appointmentId, place }: Known['plan']['appointments'][number],
): ReservationEvent {
  const { seriesId, practiceId, patientId, type, reason, notes } = plan
  return {
    type: 'SlotHeldForBooking',
    data: {
      appointmentId,
      practiceId,
      patientId,
      place,
      type,
      reason,
      notes,
      status: 'scheduled',
      completion: null,
      seriesId,
      waitlistEntryId: null,
    },
  }
}
