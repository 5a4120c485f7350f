import { expect, it } from 'vitest'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { confirmations } from '#modules/confirmations/module.ts'
import type { SlotOfferEvent } from '#modules/confirmations/offers/events.ts'
import { offerFreedSlots } from '#modules/confirmations/offers/process-manager.ts'
import { appointment, patientId, practiceId, slot } from '#tests/modules/appointments/fixtures.ts'
import { requestsOf } from '#tests/modules/appointments/follow-ups.ts'
import { accepted, declined, failed, offer, offered, sent, slotOfferId, withdrawn } from './fixtures.ts'

const requests = (event: AppointmentEvent | SlotOfferEvent, sample = false) =>
  requestsOf(offerFreedSlots, confirmations, event, sample)

it('offers the slot of a cancelled and of a moved appointment, but not of a sample', () => {
  const left = slot({ reservation: 1 })
  const { reservationId, providerId, startsAt, duration } = left
  const cancelled: AppointmentEvent = {
    type: 'AppointmentCancelled',
    data: {
      appointmentId: appointment(1),
      patientId,
      slot: left,
      from: 'scheduled',
      isOnDayList: true,
      cause: 'requested',
      revertedCompletion: null,
    },
  }
  const moved: AppointmentEvent = {
    type: 'AppointmentRescheduled',
    data: { appointmentId: appointment(1), patientId, from: left, to: slot({ reservation: 2 }), waitlistEntryId: null },
  }
  const request = { job: 'offer-freed-slot', practiceId, slot: { reservationId, providerId, startsAt, duration } }
  expect(requests(cancelled)).toEqual([expect.objectContaining(request)])
  expect(requests(moved)).toEqual([expect.objectContaining(request)])
  expect(requests(cancelled, true)).toEqual([])
})

it('sends an offer at its instant, and ends it at another', () => {
  expect(requests(offered)).toEqual([
    expect.objectContaining({ job: 'send-slot-offer', slotOfferId, after: offer.dueAt }),
    expect.objectContaining({ job: 'expire-slot-offer', slotOfferId, after: offer.expiresAt }),
  ])
  expect(requests(sent)).toEqual([])
})

it('asks the next patient when one does not take the slot, and stops when it is taken', () => {
  const next = [expect.objectContaining({ job: 'offer-slot-to-next-patient', practiceId, slotOfferId })]
  for (const event of [declined, failed, withdrawn('expired'), withdrawn('not-waiting')])
    expect(requests(event)).toEqual(next)
  for (const event of [accepted, withdrawn('taken'), withdrawn('off')]) expect(requests(event)).toEqual([])
})
