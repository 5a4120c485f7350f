import { expect, it } from 'vitest'
import type { SlotOfferEvent } from '#modules/confirmations/offers/events.ts'
import { slotOffersProjection } from '#modules/confirmations/offers/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { appointment } from '#tests/modules/appointments/fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { accepted, declined, failed, offer, offered, sent, slotOfferId, withdrawn } from './fixtures.ts'

const at = (minute: number) => `2026-11-19T14:0${minute}:00.000Z`

function follow(...events: SlotOfferEvent[]) {
  const rows: Rows = new Map()
  for (const [index, event] of events.entries())
    applyEvent(slotOffersProjection, rows, recordedEvent(event, { revision: index, metadata: { at: at(index) } }))
  return rows.get(slotOfferId)
}

it('follows an offer through its events', () => {
  expect(follow(offered)).toMatchObject({ status: 'pending', due_at: offer.dueAt, sent_at: null, ended_at: null })
  expect(follow(offered, sent)).toMatchObject({ status: 'sent', sent_at: at(1), delivery: 'sent', ended_at: null })
  expect(follow(offered, sent, accepted)).toMatchObject({
    status: 'accepted',
    appointment_id: appointment(1),
    ended_at: at(2),
  })
  expect(follow(offered, sent, declined)).toMatchObject({ status: 'declined', reason: null, ended_at: at(2) })
  expect(follow(offered, failed)).toMatchObject({ status: 'failed', reason: 'refused', ended_at: at(1) })
  expect(follow(offered, sent, withdrawn('expired'))).toMatchObject({ status: 'withdrawn', reason: 'expired' })
})
