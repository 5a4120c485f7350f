import type { SeriesId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { loadSeen, reserveSlot } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import { withdrawReservation } from '#modules/schedule/public.ts'
import { type PlannedSeries, seriesDecider } from './decider.ts'

/**
 * Books the appointments of a planned series that are not booked yet, one after the other. Those whose slot was taken are
 * recorded as not booked; returns them. All ids are in the plan, so a repetition or a concurrent run has no effect.
 */
export async function bookSeriesAppointments(
  services: Pick<Services, 'bus' | 'store' | 'clock'>,
  seriesId: SeriesId,
  context: CommandContext,
): Promise<PlannedSeries['appointments']> {
  const { bus } = services
  const { state } = await bus.load(seriesDecider, seriesId)
  if (!state.known) return []
  const { plan } = state
  const notBooked = new Set(state.notBooked)
  const last = plan.appointments.at(-1)
  const seen = await loadSeenOf(services, plan)
  for (const appointment of plan.appointments) {
    const { appointmentId, slot, allowOverlap } = appointment
    if (notBooked.has(appointmentId)) continue
    try {
      // Waiting for the read models once is enough: they receive the appointments in this order.
      const consistency = appointment === last ? 'read-your-writes' : 'eventual'
      await reserveSlot(services, createReservationEvent(plan, appointment), context, {
        allowOverlap,
        consistency,
        seen,
      })
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      // A concurrent run may have reserved the slot a moment ago. Once withdrawn, no run can.
      if (await withdrawReservation(bus, slot, appointmentId, context)) continue
      await bus.execute(seriesDecider, seriesId, { type: 'NotBooked', appointmentId }, context)
      notBooked.add(appointmentId)
    }
  }
  return plan.appointments.filter(({ appointmentId }) => notBooked.has(appointmentId))
}

/** Returns the patient and the provider as they are; undefined when one of them may not be booked, or there are several providers. */
async function loadSeenOf(services: Pick<Services, 'bus'>, { patientId, appointments }: PlannedSeries) {
  const [providerId, another] = new Set(appointments.map(({ slot }) => slot.providerId))
  return providerId === undefined || another !== undefined ? undefined : await loadSeen(services, patientId, providerId)
}

function createReservationEvent(
  { seriesId, practiceId, patientId, type, reason, notes }: PlannedSeries,
  { appointmentId, slot }: PlannedSeries['appointments'][number],
): ReservationEvent {
  const ids = { appointmentId, practiceId, patientId, seriesId, waitlistEntryId: null }
  const details = { type, reason, notes, status: 'scheduled', completion: null } as const
  return { type: 'SlotReservedForBooking', data: { ...ids, slot, ...details } }
}
