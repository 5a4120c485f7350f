import { ProviderId, ReservationId, SlotOfferId, WaitlistEntryId } from '#contracts/values/ids.ts'
import type { SlotOffer } from '#modules/confirmations/offers/decider.ts'
import type { SlotOfferEvent } from '#modules/confirmations/offers/events.ts'
import { appointment, patientId, practiceId, uuid } from '#tests/modules/appointments/fixtures.ts'

export const slotOfferId = SlotOfferId.parse(uuid(8, 2))
const about = { slotOfferId, patientId }

/** The offer of half an hour, open for two hours. */
export const offer: SlotOffer = {
  ...about,
  number: 1,
  practiceId,
  waitlistEntryId: WaitlistEntryId.parse(uuid(8, 3)),
  providerId: ProviderId.parse(uuid(8, 4)),
  reservationId: ReservationId.parse(uuid(8, 5)),
  startsAt: '2026-11-20T14:00:00.000Z',
  duration: 30,
  neededMinutes: 30,
  appointmentType: 'consultation',
  channel: 'sms',
  dueAt: '2026-11-19T14:00:00.000Z',
  expiresAt: '2026-11-19T16:00:00.000Z',
}

export const offered: SlotOfferEvent = { type: 'SlotOffered', data: offer }
export const sent: SlotOfferEvent = { type: 'SlotOfferSent', data: { ...about, delivery: 'sent' } }
export const failed: SlotOfferEvent = { type: 'SlotOfferFailed', data: { ...about, reason: 'refused' } }
export const accepted: SlotOfferEvent = {
  type: 'SlotOfferAccepted',
  data: { ...about, appointmentId: appointment(1) },
}
export const declined: SlotOfferEvent = { type: 'SlotOfferDeclined', data: about }
export const withdrawn = (reason: 'expired' | 'taken' | 'not-waiting' | 'off'): SlotOfferEvent => ({
  type: 'SlotOfferWithdrawn',
  data: { ...about, reason },
})
