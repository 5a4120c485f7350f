import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { billingDecider, type BillingCommand, type ProviderSnapshot } from '#modules/billing/decider.ts'
import type { BillingEvent, Invoice, Subscription } from '#modules/billing/events.ts'
import { deciderSpec } from '#tests/support/given.ts'
import { checkoutIdOf, practiceId } from './simulated-subscription.ts'

const given = deciderSpec(billingDecider)
const checkoutId = checkoutIdOf(1)

const trialing: Subscription = {
  subscriptionId: 'sub_1',
  checkoutId,
  status: 'trialing',
  plan: 'professional',
  nextPlan: null,
  cancelAtPeriodEnd: false,
  createdAt: '2026-01-31T12:00:00.000Z',
  currentPeriodStart: '2026-01-31T12:00:00.000Z',
  currentPeriodEnd: '2026-03-02T12:00:00.000Z',
  trialEnd: '2026-03-02T12:00:00.000Z',
}
const active: Subscription = {
  ...trialing,
  status: 'active',
  currentPeriodStart: '2026-03-02T12:00:00.000Z',
  currentPeriodEnd: '2026-04-02T12:00:00.000Z',
}
const invoice: Invoice = {
  invoiceId: 'in_1',
  subscriptionId: 'sub_1',
  status: 'failed',
  plan: 'professional',
  amount: { cents: 129_00, currency: 'USD' },
  periodStart: '2026-03-02T12:00:00.000Z',
  periodEnd: '2026-04-02T12:00:00.000Z',
}
const observed = (version: number) => ({ version, at: '2026-03-02T12:00:00.000Z' })
const data = (subscription: Subscription, version: number) => ({
  practiceId,
  observed: observed(version),
  subscription,
})
const started: BillingEvent = { type: 'SubscriptionStarted', data: data(trialing, 1) }
const activated: BillingEvent = { type: 'SubscriptionActivated', data: data(active, 4) }
const take = (snapshot: ProviderSnapshot): BillingCommand => ({ type: 'RecordProviderUpdate', practiceId, snapshot })
const hear = (subscription: Subscription, version: number, asked = false) =>
  take({ kind: 'subscription', observed: observed(version), subscription, isRequested: asked })
const bill = (over: Partial<Invoice>, version: number, subscriptionVersion = 4) =>
  take({ kind: 'invoice', observed: observed(version), invoice: { ...invoice, ...over }, subscriptionVersion })
const change = (plan: 'starter' | 'professional' | 'enterprise', patients = 0, patientLimit: number | null = 500) =>
  ({ type: 'ChangeSubscriptionPlan', plan, patients, patientLimit }) as const
const begin = (plan: 'starter' | 'professional', id = checkoutId): BillingCommand => ({
  type: 'StartCheckout',
  practiceId,
  checkoutId: id,
  plan,
})
const begun: BillingEvent = { type: 'CheckoutStarted', data: { practiceId, checkoutId, plan: 'professional' } }

describe('choosing a plan', () => {
  it('is written down before the provider is asked, and once', () => {
    given().when(begin('professional')).then(begun)
    given(begun)
      .when(begin('professional', checkoutIdOf(2)))
      .thenNothing()
  })

  it('can be done differently until it is paid', () => {
    given(begun)
      .when(begin('starter', checkoutIdOf(2)))
      .then({ type: 'CheckoutStarted', data: { practiceId, checkoutId: checkoutIdOf(2), plan: 'starter' } })
  })

  it('is not possible beside a subscription that runs, and is again after it', () => {
    given(begun, started).when(begin('starter')).thenRefused('already-subscribed')
    const ended: BillingEvent = { type: 'SubscriptionCanceled', data: data({ ...active, status: 'canceled' }, 9) }
    const again = { practiceId, checkoutId: checkoutIdOf(2), plan: 'professional' } as const
    given(begun, started, ended)
      .when(begin('professional', checkoutIdOf(2)))
      .then({ type: 'CheckoutStarted', data: again })
  })
})

it('a trial is never forgotten, though the provider says nothing of it any more', () => {
  // As where somebody takes the card away again: Stripe ends such a trial as if there had been none.
  const ended: Subscription = { ...trialing, status: 'canceled', trialEnd: null }
  const history: BillingEvent[] = [begun, started, { type: 'SubscriptionCanceled', data: data(ended, 2) }]
  expect(fold(billingDecider, history).hadTrial).toBe(true)
  expect(fold(billingDecider, [begun, history[2] as BillingEvent]).hadTrial).toBe(false)
})

describe('what the provider says of a subscription', () => {
  it('is taken as what changed', () => {
    given()
      .when(hear(trialing, 1))
      .then(started, { type: 'TrialStarted', data: data(trialing, 1) })
    given(started).when(hear(active, 4)).then(activated)
    const pastDue = { ...active, status: 'past_due' } as const
    given(started)
      .when(hear(pastDue, 4))
      .then({ type: 'SubscriptionPastDue', data: data(pastDue, 4) })
    const renewed = {
      ...active,
      currentPeriodStart: active.currentPeriodEnd,
      currentPeriodEnd: '2026-05-02T12:00:00.000Z',
    }
    given(activated)
      .when(hear(renewed, 5))
      .then({ type: 'SubscriptionRenewed', data: data(renewed, 5) })
    const ended = { ...active, status: 'canceled' } as const
    given(activated)
      .when(hear(ended, 5))
      .then({ type: 'SubscriptionCanceled', data: data(ended, 5) })
  })

  it('tells a plan that changed from one that will', () => {
    const better = { ...active, plan: 'enterprise' } as const
    given(activated)
      .when(hear(better, 5))
      .then({ type: 'PlanChanged', data: { ...data(better, 5), from: 'professional' } })
    const smaller = { ...active, nextPlan: 'starter' } as const
    const scheduled: BillingEvent = { type: 'PlanChangeScheduled', data: data(smaller, 5) }
    given(activated).when(hear(smaller, 5)).then(scheduled)
    given(scheduled)
      .when(hear(active, 6))
      .then({ type: 'PlanChangeWithdrawn', data: data(active, 6) })
  })

  it('tells an end that is coming, and that it was taken back', () => {
    const ending = { ...active, cancelAtPeriodEnd: true }
    const scheduled: BillingEvent = { type: 'CancellationScheduled', data: data(ending, 5) }
    given(activated).when(hear(ending, 5)).then(scheduled)
    given(scheduled)
      .when(hear(active, 6))
      .then({ type: 'SubscriptionReactivated', data: data(active, 6) })
  })

  it('is ignored when it is old or known, and noted when it is newer and the same', () => {
    given(activated)
      .when(hear({ ...trialing, plan: 'starter' }, 3))
      .thenNothing()
    given(activated).when(hear(active, 4)).thenNothing()
    given(activated)
      .when(hear(active, 6))
      .then({ type: 'SubscriptionConfirmed', data: data(active, 6) })
  })

  it('is asked for where two states have one version; an answer counts', () => {
    const other = { ...active, plan: 'enterprise' } as const
    const noticed: BillingEvent = {
      type: 'ProviderUpdateMissed',
      data: { practiceId, subscriptionId: 'sub_1', version: 4 },
    }
    given(activated).when(hear(other, 4)).then(noticed)
    given(activated, noticed)
      .when(hear(other, 4, true))
      .then({ type: 'PlanChanged', data: { ...data(other, 4), from: 'professional' } })
    given(activated, noticed)
      .when(hear(active, 4, true))
      .then({ type: 'SubscriptionConfirmed', data: data(active, 4) })
  })
})

describe('an invoice', () => {
  const failed: BillingEvent = { type: 'PaymentFailed', data: { practiceId, observed: observed(1), invoice } }
  const paid: BillingEvent = {
    type: 'PaymentSucceeded',
    data: { practiceId, observed: observed(2), invoice: { ...invoice, status: 'paid' } },
  }

  it('is refused by the card, then paid or given up', () => {
    given(activated).when(bill({}, 1)).then(failed)
    given(activated, failed)
      .when(bill({ status: 'paid' }, 2))
      .then(paid)
    given(activated, failed)
      .when(bill({ status: 'void' }, 2))
      .then({
        type: 'InvoiceVoided',
        data: { practiceId, observed: observed(2), invoice: { ...invoice, status: 'void' } },
      })
  })

  it('stays paid whatever comes late', () => {
    given(activated, paid).when(bill({}, 1)).thenNothing()
    given(activated, paid).when(bill({}, 2)).thenNothing()
    given(activated, paid)
      .when(bill({ status: 'paid' }, 2))
      .thenNothing()
  })

  it('never makes a subscription active: what is missing is asked for, once', () => {
    const noticed: BillingEvent = {
      type: 'ProviderUpdateMissed',
      data: { practiceId, subscriptionId: 'sub_1', version: 4 },
    }
    given(started)
      .when(bill({ status: 'paid' }, 2))
      .then(paid, noticed)
    given(started, paid, noticed)
      .when(bill({ status: 'paid' }, 2))
      .thenNothing()
  })
})

describe('a wish', () => {
  const ending: BillingEvent = {
    type: 'CancellationScheduled',
    data: data({ ...active, cancelAtPeriodEnd: true }, 5),
  }
  const unpaid: BillingEvent = { type: 'SubscriptionPastDue', data: data({ ...active, status: 'past_due' }, 5) }

  it('to cancel or to stay is possible once', () => {
    given(activated).when({ type: 'CancelSubscription' }).thenNothing()
    given(ending).when({ type: 'CancelSubscription' }).thenRefused('already-canceling')
    given(ending).when({ type: 'ReactivateSubscription' }).thenNothing()
    given(activated).when({ type: 'ReactivateSubscription' }).thenRefused('not-canceling')
  })

  it('needs a subscription', () => {
    given().when({ type: 'CancelSubscription' }).thenRefused('no-subscription')
    given(begun).when({ type: 'ReactivateSubscription' }).thenRefused('no-subscription')
    given().when(change('starter')).thenRefused('no-subscription')
  })

  it('for another plan is possible while the subscription runs and is paid', () => {
    given(activated).when(change('enterprise')).thenNothing()
    given(activated).when(change('professional')).thenRefused('same-plan')
    given(ending).when(change('enterprise')).thenRefused('already-canceling')
    given(unpaid).when(change('enterprise')).thenRefused('not-active')
  })

  it('for a plan with room for fewer patients than there are is refused with how many are too many', () => {
    given(activated).when(change('starter', 500)).thenNothing()
    const decided = billingDecider.decide(
      change('starter', 1_734),
      [activated].reduce(billingDecider.evolve, billingDecider.initial),
    )
    expect(isRejection(decided) ? decided : null).toEqual({
      rejected: 'too-many-patients',
      message: 'This plan holds 500 patients and you have 1,734. Remove 1,234 first.',
    })
    given(activated)
      .when(change('enterprise', 1_000_000, null))
      .thenNothing()
  })

  it('for a better plan is never refused for the patients there are, even when it is too small for them', () => {
    const small: BillingEvent = { type: 'SubscriptionActivated', data: data({ ...active, plan: 'starter' }, 4) }
    given(small)
      .when(change('professional', 2_345, 2_000))
      .thenNothing()
    const smaller: BillingEvent = { type: 'PlanChangeScheduled', data: data({ ...active, nextPlan: 'starter' }, 5) }
    given(smaller)
      .when(change('professional', 2_345, 2_000))
      .thenNothing()
  })
})
