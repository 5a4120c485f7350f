import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isRejection } from '#eventstore/decider.ts'
import { computeAccess, currentSubscription } from '#modules/billing/access.ts'
import { billingDecider, type ProviderSnapshot } from '#modules/billing/decider.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import { replay } from '#modules/billing/replay.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceId, receive, simulate, type Step, steps } from './simulated-subscription.ts'

/** Returns the events recorded after these webhooks. */
function recordEvents(messages: readonly ProviderSnapshot[]) {
  const events: BillingEvent[] = []
  messages.reduce((state, snapshot) => {
    const decided = billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot }, state)
    if (isRejection(decided)) throw new Error('A provider update must never be refused')
    events.push(...decided)
    return decided.reduce(billingDecider.evolve, state)
  }, billingDecider.initial)
  return events.map((event) => recordedEvent(event))
}

const toAssumed = (snapshots: readonly ProviderSnapshot[]) =>
  snapshots.map((snapshot) => ({
    message: { type: `${snapshot.kind} changed`, createdAt: snapshot.observed.at, object: {} },
    update: { practiceId, snapshot },
  }))

it('ends in the current state, however much of it is recorded or assumed', () => {
  expect.hasAssertions()
  fc.assert(
    fc.property(steps, fc.nat(), (all, cut) => {
      const { messages } = simulate(all)
      const at = messages.length === 0 ? 0 : cut % messages.length
      const last = replay(practiceId, recordEvents(messages.slice(0, at)), toAssumed(messages.slice(at))).at(-1)
      const state = receive(messages)
      const { subscriptionId, status, plan } = currentSubscription(state) ?? {}
      if (last) expect(last.access).toEqual(computeAccess(state))
      if (last?.subscription) expect(last.subscription).toMatchObject({ subscriptionId, status, plan })
    }),
    { numRuns: 200 },
  )
})

const paidMonth: Step[] = [
  { action: 'choose', plan: 'starter' },
  { action: 'pay', with: 'succeeds' },
  { action: 'wait', days: 31 },
]

it('lists every event with the access after it', () => {
  const { messages } = simulate(paidMonth)
  const found = replay(practiceId, recordEvents(messages), []).map(({ event, subscription, access }) =>
    [event, subscription?.status, access && `${access.kind} ${access.plan}`].join(', '),
  )
  expect(found).toEqual([
    'SubscriptionStarted, incomplete, ',
    'TrialStarted, trialing, trial starter',
    'SubscriptionActivated, active, active starter',
    'PaymentSucceeded, active, active starter',
  ])
})

it('lists the effect of assumed webhooks, also when there is none', () => {
  const { messages } = simulate(paidMonth)
  const canceled = simulate([...paidMonth, { action: 'cancel' }]).messages.slice(messages.length)
  const other = {
    message: { type: 'charge.refunded', createdAt: '2026-04-01T00:00:00.000Z', object: {} },
    update: null,
  }
  const found = replay(practiceId, recordEvents(messages), [
    ...toAssumed([...canceled, ...messages.slice(0, 1)]),
    other,
  ])
  expect(found.filter((step) => step.isAssumed).map(({ event }) => event)).toEqual([
    'subscription changed: CancellationScheduled',
    'subscription changed: nothing new',
    'charge.refunded: not relevant',
  ])
  expect(found.at(-1)?.subscription?.cancelAtPeriodEnd).toBe(true)
})
