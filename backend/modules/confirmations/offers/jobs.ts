import { z } from 'zod'
import { PracticeId, ProviderId, ReservationId, SlotOfferId } from '#contracts/values/ids.ts'
import type { FailureReason, OfferEnd } from '#contracts/values/confirmations.ts'
import { hasPlan } from '#modules/billing/public.ts'
import { mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { loadWaitingEntry } from '#modules/waitlist/public.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { findContact, findSettings } from '../queries.ts'
import { type MessageFrame, sendToPatient } from '../send-to-patient.ts'
import { confirmationSettings } from '../settings.ts'
import { recordIfTaken } from './accept-offer.ts'
import { isOpenOffer, type KnownOffer, slotOfferDecider } from './decider.ts'
import { createOfferLinks } from './links.ts'
import { createOfferMail, createOfferText } from './message.ts'
import { isSlotFree, offerSlot } from './offer-slot.ts'
import { offerJobNames } from './process-manager.ts'

/** The events without which a slot might be offered that is not free, or to a patient who does not wait. */
const needed = [
  'AppointmentBooked',
  'PatientAddedToWaitlist',
  'ConfirmationSettingsChanged',
  'PatientRegistered',
] as const

/** Offers a slot that became free, if the practice wants that. */
export const offerFreedSlot = defineJob({
  name: offerJobNames.offer,
  data: z.strictObject({
    cause: Cause,
    practiceId: PracticeId,
    slot: z.strictObject({
      reservationId: ReservationId,
      providerId: ProviderId,
      startsAt: z.iso.datetime(),
      duration: z.number().int().positive(),
    }),
  }),
  retry: followUpRetry,
  async run(services, { practiceId, slot, cause }) {
    await waitForReadModels(services, needed)
    await offerSlot(services, practiceId, slot, processContext(offerJobNames.offer, practiceId, cause))
  },
})

const offerData = z.strictObject({ cause: Cause, practiceId: PracticeId, slotOfferId: SlotOfferId })
type OfferData = z.infer<typeof offerData>

/** Offers a slot to the next patient, because one does not take it. */
export const offerToNextPatient = defineJob({
  name: offerJobNames.offerNext,
  data: offerData,
  retry: followUpRetry,
  async run(services, { practiceId, slotOfferId, cause }) {
    await waitForReadModels(services, needed)
    const { state } = await services.bus.load(slotOfferDecider, slotOfferId)
    if (!state.exists) return
    const { reservationId, providerId, startsAt, duration } = state
    const context = processContext(offerJobNames.offerNext, practiceId, cause)
    await offerSlot(services, practiceId, { reservationId, providerId, startsAt, duration }, context)
  },
})

/** Sends an offer, if it still makes sense at this moment. The message has one key, so that it leaves once. */
export const sendSlotOffer = defineJob({
  name: offerJobNames.send,
  data: offerData,
  retry: mailRetry,
  async run(services, data, { signal }) {
    const { bus } = services
    await waitForReadModels(services, needed)
    const { state } = await bus.load(slotOfferDecider, data.slotOfferId)
    if (!state.exists || state.status !== 'pending') return
    const context = toContext(data)
    const end = await findEnd(services, state)
    if (end !== null) {
      await bus.execute(slotOfferDecider, data.slotOfferId, { type: 'Withdraw', reason: end }, context)
      return
    }
    const contact = await findContact(services.db, state.patientId)
    const sending = { channel: state.channel, contact, job: offerJobNames.send, data, context, signal }
    const result = await sendToPatient(services, sending, (frame) => composeOffer(services, state, frame))
    if (result === 'stopped') await recordFailure(services, data, 'refused')
    else if (result) await bus.execute(slotOfferDecider, data.slotOfferId, result, context)
  },
  onDeadLetter: (services, data) => recordFailure(services, data, 'unavailable'),
})

/** Ends an offer that was not answered in time, so that the next patient is asked. */
export const expireSlotOffer = defineJob({
  name: offerJobNames.expire,
  data: offerData,
  retry: followUpRetry,
  async run(services, { practiceId, slotOfferId, cause }) {
    const { state } = await services.bus.load(slotOfferDecider, slotOfferId)
    if (!state.exists || !isOpenOffer(state)) return
    const context = processContext(offerJobNames.expire, practiceId, cause)
    if (await recordIfTaken(services, state, context)) return
    await services.bus.execute(slotOfferDecider, slotOfferId, { type: 'Withdraw', reason: 'expired' }, context)
  },
})

const toContext = ({ practiceId, cause }: OfferData) => processContext(offerJobNames.send, practiceId, cause)

async function recordFailure({ bus }: Services, data: OfferData, reason: FailureReason): Promise<void> {
  await bus.execute(slotOfferDecider, data.slotOfferId, { type: 'RecordFailure', reason }, toContext(data))
}

/** Returns why an offer makes no sense any more at this moment; null when it does. */
export async function findEnd(services: Services, offer: KnownOffer): Promise<OfferEnd | null> {
  const { bus, db, clock } = services
  const { practiceId, waitlistEntryId, reservationId, providerId, startsAt, duration, patientId } = offer
  if (offer.expiresAt <= clock().toISOString()) return 'expired'
  const [settings, isPaid, entry, contact, isFree] = await Promise.all([
    findSettings(db, practiceId),
    hasPlan(db, practiceId, clock()),
    loadWaitingEntry(bus, practiceId, waitlistEntryId),
    findContact(db, patientId),
    isSlotFree(services, practiceId, { reservationId, providerId, startsAt, duration }),
  ])
  if (!settings.offerFreedSlots) return 'off'
  if (!isPaid) return 'no-plan'
  if (!entry || !contact || contact.removed || contact.deceased) return 'not-waiting'
  return isFree ? null : 'taken'
}

function composeOffer(services: Services, offer: KnownOffer, frame: MessageFrame) {
  const { slotOfferId, startsAt, expiresAt } = offer
  const message = {
    ...frame,
    key: `${slotOfferId}-1`,
    startsAt,
    expiresAt,
    link: createOfferLinks({ ...services, ...confirmationSettings.read(services) }).createUrl(slotOfferId),
  }
  return { createText: () => createOfferText(message), createMail: () => createOfferMail(message) }
}
