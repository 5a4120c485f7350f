import type { FailureReason, OfferEnd, SlotOfferStatus } from '#contracts/values/confirmations.ts'
import type { AppointmentId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { SlotOfferEvent } from './events.ts'

/** A slot that is offered to a patient. */
export type SlotOffer = Extract<SlotOfferEvent, { type: 'SlotOffered' }>['data']

/** Commands for one offer. */
export type SlotOfferCommand =
  | { type: 'Offer'; offer: SlotOffer }
  | { type: 'RecordSent'; delivery: 'sent' | 'outbox' }
  | { type: 'RecordFailure'; reason: FailureReason }
  | { type: 'Accept'; appointmentId: AppointmentId }
  | { type: 'Decline' }
  | { type: 'Withdraw'; reason: OfferEnd }

export type SlotOfferState =
  | { exists: false }
  | ({ exists: true; status: SlotOfferStatus; end: OfferEnd | null } & SlotOffer)

export type KnownOffer = Extract<SlotOfferState, { exists: true }>

/** Returns whether an offer may still be answered. */
export const isOpenOffer = ({ status }: Pick<KnownOffer, 'status'>): boolean =>
  status === 'pending' || status === 'sent'

/** The rules of an offer: it is open until the first answer, failure or end, and then stays as it is. */
export const slotOfferDecider: Decider<SlotOfferCommand, SlotOfferEvent, SlotOfferState, 'not-found' | 'closed'> = {
  category: 'slot-offer',
  events: SlotOfferEvent,
  initial: { exists: false },
  decide(command, state) {
    if (command.type === 'Offer') return state.exists ? [] : [{ type: 'SlotOffered', data: command.offer }]
    if (!state.exists) return reject('not-found', 'There is no such offer.')
    const { slotOfferId, patientId, status } = state
    const about = { slotOfferId, patientId }
    const isOpen = isOpenOffer(state)
    const closed = () => reject('closed', 'This offer is not open any more.')
    switch (command.type) {
      case 'RecordSent':
        return status === 'pending' ? [{ type: 'SlotOfferSent', data: { ...about, delivery: command.delivery } }] : []
      case 'RecordFailure':
        return isOpen ? [{ type: 'SlotOfferFailed', data: { ...about, reason: command.reason } }] : []
      case 'Accept': {
        if (status === 'accepted') return []
        const { appointmentId } = command
        return isOpen ? [{ type: 'SlotOfferAccepted', data: { ...about, appointmentId } }] : closed()
      }
      case 'Decline':
        if (status === 'declined') return []
        return isOpen ? [{ type: 'SlotOfferDeclined', data: about }] : closed()
      case 'Withdraw':
        return isOpen ? [{ type: 'SlotOfferWithdrawn', data: { ...about, reason: command.reason } }] : []
    }
  },
  evolve(state, event) {
    if (event.type === 'SlotOffered') return { exists: true, status: 'pending', end: null, ...event.data }
    if (!state.exists) return state
    switch (event.type) {
      case 'SlotOfferSent':
        return { ...state, status: 'sent' }
      case 'SlotOfferFailed':
        return { ...state, status: 'failed' }
      case 'SlotOfferAccepted':
        return { ...state, status: 'accepted' }
      case 'SlotOfferDeclined':
        return { ...state, status: 'declined' }
      case 'SlotOfferWithdrawn':
        return { ...state, status: 'withdrawn', end: event.data.reason }
    }
  },
}
