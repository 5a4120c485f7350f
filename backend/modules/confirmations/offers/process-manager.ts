import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { followUp, unlessSample } from '#modules/kit/follow-up.ts'
import type { Slot } from '#modules/schedule/events.ts'
import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { SlotOfferEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const offerJobNames = {
  offer: 'offer-freed-slot',
  offerNext: 'offer-slot-to-next-patient',
  send: 'send-slot-offer',
  expire: 'expire-slot-offer',
} as const

/** Seconds that the practice has to fill a freed slot itself before patients are asked. */
export const offerDelaySeconds = 600

function offer(event: Recorded, { reservationId, providerId, startsAt, duration }: Slot): JobRequest[] {
  const { practiceId } = event.metadata
  const data = { practiceId, slot: { reservationId, providerId, startsAt, duration } }
  return unlessSample(event, followUp(event, offerJobNames.offer, data, offerDelaySeconds))
}

const offerNext = (event: Recorded<SlotOfferEvent>): JobRequest[] => {
  const { practiceId } = event.metadata
  return followUp(event, offerJobNames.offerNext, { practiceId, slotOfferId: event.data.slotOfferId }, 0)
}

/** Offers slots that become free to the patients on the waitlist, one after the other. */
export const offerFreedSlots = defineProcessManager<AppointmentEvent | SlotOfferEvent>({
  name: 'offer-freed-slots',
  on: {
    AppointmentCancelled: (event) => offer(event, event.data.slot),
    AppointmentRescheduled: (event) => offer(event, event.data.from),
    SlotOffered: (event) => {
      const { practiceId } = event.metadata
      const { slotOfferId, dueAt, expiresAt } = event.data
      const data = { practiceId, slotOfferId, cause: toCause(event) }
      return [
        { job: offerJobNames.send, data, startAfter: dueAt },
        { job: offerJobNames.expire, data, startAfter: expiresAt },
      ]
    },
    SlotOfferDeclined: offerNext,
    SlotOfferFailed: offerNext,
    SlotOfferWithdrawn: (event) =>
      event.data.reason === 'expired' || event.data.reason === 'not-waiting' ? offerNext(event) : [],
  },
})
