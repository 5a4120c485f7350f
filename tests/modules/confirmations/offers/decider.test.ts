import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type SlotOfferCommand, slotOfferDecider } from '#modules/confirmations/offers/decider.ts'
import type { SlotOfferEvent } from '#modules/confirmations/offers/events.ts'
import { appointment } from '#tests/modules/appointments/fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { accepted, declined, failed, offer, offered, sent, withdrawn } from './fixtures.ts'

const given = deciderSpec(slotOfferDecider)
const accept = { type: 'Accept', appointmentId: appointment(1) } as const
const recordSent = { type: 'RecordSent', delivery: 'sent' } as const
const recordFailure = { type: 'RecordFailure', reason: 'refused' } as const
const expire = { type: 'Withdraw', reason: 'expired' } as const

describe('an offer of a freed slot', () => {
  it('is made once', () => {
    given().when({ type: 'Offer', offer }).then(offered)
    given(offered).when({ type: 'Offer', offer }).thenNothing()
    given(offered, declined).when({ type: 'Offer', offer }).thenNothing()
    given().when(accept).thenRefused('not-found')
  })

  it('is sent once, and fails only while it is open', () => {
    given(offered).when(recordSent).then(sent)
    given(offered, sent).when(recordSent).thenNothing()
    given(offered).when(recordFailure).then(failed)
    given(offered, sent).when(recordFailure).then(failed)
    given(offered, sent, accepted).when(recordFailure).thenNothing()
  })

  it('is accepted or declined once, also before it is recorded as sent', () => {
    given(offered).when(accept).then(accepted)
    given(offered, sent).when(accept).then(accepted)
    given(offered, sent, accepted).when(accept).thenNothing()
    given(offered, sent).when({ type: 'Decline' }).then(declined)
    given(offered, sent, declined).when({ type: 'Decline' }).thenNothing()
    given(offered, sent, declined).when(accept).thenRefused('closed')
    given(offered, sent, accepted).when({ type: 'Decline' }).thenRefused('closed')
  })

  it('ends without an answer, and is not answered afterwards', () => {
    given(offered, sent).when(expire).then(withdrawn('expired'))
    given(offered, sent, accepted).when(expire).thenNothing()
    given(offered, withdrawn('taken')).when(accept).thenRefused('closed')
    given(offered, withdrawn('taken')).when(expire).thenNothing()
  })

  it('has at most one end, whatever happens in which order', () => {
    const commands: SlotOfferCommand[] = [
      { type: 'Offer', offer },
      recordSent,
      recordFailure,
      accept,
      { type: 'Decline' },
      expire,
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...commands), { maxLength: 12 }), (sequence) => {
        const history: SlotOfferEvent[] = []
        for (const command of sequence) {
          const decision = slotOfferDecider.decide(command, fold(slotOfferDecider, history))
          if (!isRejection(decision)) history.push(...decision)
        }
        const ends = history.filter(({ type }) => !['SlotOffered', 'SlotOfferSent'].includes(type))
        expect(ends.length).toBeLessThanOrEqual(1)
        expect(history.filter(({ type }) => type === 'SlotOffered').length).toBeLessThanOrEqual(1)
        // Nothing follows an end.
        if (ends[0]) expect(history.at(-1)).toBe(ends[0])
      }),
    )
  })
})
