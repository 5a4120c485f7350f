import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { ProblemError } from '#http/problems.ts'
import { takeOfferedSlot, wasOfferTaken } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { loadWaitingEntry } from '#modules/waitlist/public.ts'
import { type KnownOffer, slotOfferDecider } from './decider.ts'

/** The outcome of the wish to take an offered slot. */
export type OfferOutcome = 'accepted' | 'taken' | 'closed'

/**
 * Books an offered slot for its patient, or moves the appointment that the patient wanted earlier, and records the answer. A
 * repetition has no effect. The job `expire-slot-offer` records it when the process stops in between.
 */
export async function acceptOffer(
  services: Services,
  offer: KnownOffer,
  visitor: CommandContext,
): Promise<OfferOutcome> {
  const { bus } = services
  const { slotOfferId, practiceId, waitlistEntryId } = offer
  const context = { ...visitor, practiceId }
  const record = async (reason: 'taken' | 'not-waiting', outcome: OfferOutcome): Promise<OfferOutcome> => {
    await bus.execute(slotOfferDecider, slotOfferId, { type: 'Withdraw', reason }, context)
    return outcome
  }
  if (!(await recordIfTaken(services, offer, context))) {
    const entry = await loadWaitingEntry(bus, practiceId, waitlistEntryId)
    if (!entry) return await record('not-waiting', 'closed')
    try {
      await takeOfferedSlot(services, { ...offer, ownAppointmentId: entry.appointmentId }, context)
    } catch (error) {
      if (error instanceof CommandRejected) return await record('taken', 'taken')
      // A user has used or removed the entry at this moment.
      if (error instanceof ProblemError && (error.status === 404 || error.status === 409))
        return await record('not-waiting', 'closed')
      throw error
    }
    await recordIfTaken(services, offer, context)
  }
  return 'accepted'
}

/** Records that an offer was accepted, if its slot was booked by its link. Returns whether it was. */
export async function recordIfTaken(services: Services, offer: KnownOffer, context: CommandContext): Promise<boolean> {
  const appointmentId = await wasOfferTaken(services, offer)
  if (appointmentId === null) return false
  const command = { type: 'Accept', appointmentId } as const
  await services.bus.execute(slotOfferDecider, offer.slotOfferId, command, context)
  return true
}
