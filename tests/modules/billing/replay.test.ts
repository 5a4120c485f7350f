import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRejection } from '#eventstore/decider.ts'
import { computeAccess, currentSubscription } from '#modules/billing/access.ts'
import { billingDecider, type ProviderSnapshot } from '#modules/billing/decider.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import { replay } from '#modules/billing/replay.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { live, practiceId, type Step, steps, told } from './simulated-subscription.ts'

/** What would be on record after these messages. */
function recordOf(messages: readonly ProviderSnapshot[]) {
  const events: BillingEvent[] = []
  messages.reduce((state, snapshot) => {
    const decided = billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot }, state)
    if (isRejection(decided)) throw new Error('A snapshot of the provider is never refused')
    events.push(...decided)
    return decided.reduce(billingDecider.evolve, state)
  }, billingDecider.initial)
  return events.map((event) => recordedEvent(event))
}

const assumed = (facts: readonly ProviderSnapshot[]) =>
  facts.map((snapshot) => ({
    message: { type: `${snapshot.kind} changed`, createdAt: snapshot.observed.at, object: {} },
    update: { practiceId, snapshot },
  }))

it('comes to what people see, whatever of it is on record and whatever is assumed', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(steps, fc.nat(), (all, cut) => {
      const { messages } = live(all)
      const at = messages.length === 0 ? 0 : cut % messages.length
      const last = replay(practiceId, recordOf(messages.slice(0, at)), assumed(messages.slice(at))).at(-1)
      const state = told(messages)
      const { subscriptionId, status, plan } = currentSubscription(state) ?? {}
      if (last) expect(last.access).toEqual(computeAccess(state))
      if (last?.subscription) expect(last.subscription).toMatchObject({ subscriptionId, status, plan })
    }),
    { numRuns: 200 },
  )
})

const paidMonth: Step[] = [
  { does: 'choose', plan: 'starter' },
  { does: 'pay', with: 'succeeds' },
  { does: 'wait', days: 31 },
]

it('names every snapshot with what the practice could use after it', () => {
  const { messages } = live(paidMonth)
  const found = replay(practiceId, recordOf(messages), []).map(({ event, subscription, access }) =>
    [event, subscription?.status, access && `${access.kind} ${access.plan}`].join(', '),
  )
  expect(found).toEqual([
    'SubscriptionStarted, incomplete, ',
    'TrialStarted, trialing, trial starter',
    'SubscriptionActivated, active, active starter',
    'PaymentSucceeded, active, active starter',
  ])
})

it('says of what is assumed what follows from it, also when that is nothing', () => {
  const { messages } = live(paidMonth)
  const canceled = live([...paidMonth, { does: 'cancel' }]).messages.slice(messages.length)
  const other = {
    message: { type: 'charge.refunded', createdAt: '2026-04-01T00:00:00.000Z', object: {} },
    update: null,
  }
  const found = replay(practiceId, recordOf(messages), [...assumed([...canceled, ...messages.slice(0, 1)]), other])
  expect(found.filter((step) => step.isAssumed).map(({ event }) => event)).toEqual([
    'subscription changed: CancellationScheduled',
    'subscription changed: nothing new',
    'charge.refunded: not relevant',
  ])
  expect(found.at(-1)?.subscription?.cancelAtPeriodEnd).toBe(true)
})
