import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { computeAccess, currentSubscription } from '#modules/billing/access.ts'
import { billingDecider, type BillingCommand, type ProviderSnapshot } from '#modules/billing/decider.ts'
import type { BillingEvent, Invoice, Subscription } from '#modules/billing/events.ts'
import { patientLimits } from '#contracts/values/tiers.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { createCheckoutId, practiceId } from './simulated-subscription.ts'

const given = deciderSpec(billingDecider)
const checkoutId = createCheckoutId(1)

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
const record = (snapshot: ProviderSnapshot): BillingCommand => ({ type: 'RecordProviderUpdate', practiceId, snapshot })
const recordSubscription = (subscription: Subscription, version: number, isRequested = false) =>
  record({ kind: 'subscription', observed: observed(version), subscription, isRequested })
const recordInvoice = (over: Partial<Invoice>, version: number, subscriptionVersion = 4) =>
  record({ kind: 'invoice', observed: observed(version), invoice: { ...invoice, ...over }, subscriptionVersion })
const noProviders = { providers: 0, providerLimit: null }
const change = (plan: 'starter' | 'professional' | 'enterprise', patients = 0, patientLimit: number | null = 500) =>
  ({ type: 'ChangeSubscriptionPlan', plan, patients, patientLimit, ...noProviders }) as const
const startCheckout = (plan: 'starter' | 'professional', id = checkoutId, patients = 0): BillingCommand => ({
  type: 'StartCheckout',
  practiceId,
  checkoutId: id,
  plan,
  patients,
  patientLimit: patientLimits[plan],
  ...noProviders,
})
const checkoutStarted: BillingEvent = {
  type: 'CheckoutStarted',
  data: { practiceId, checkoutId, plan: 'professional' },
}

describe('choosing a plan', () => {
  it('is recorded once, before the provider is called', () => {
    given().when(startCheckout('professional')).then(checkoutStarted)
    given(checkoutStarted)
      .when(startCheckout('professional', createCheckoutId(2)))
      .thenNothing()
  })

  it('is refused for a plan with less room than there are patients, which names one with room', () => {
    given()
      .when(startCheckout('starter', checkoutId, 500))
      .then({ ...checkoutStarted, data: { ...checkoutStarted.data, plan: 'starter' } } as BillingEvent)
    given()
      .when(startCheckout('professional', checkoutId, 555))
      .then(checkoutStarted)
    const refusals = [501, 555, 2_001].map((patients) =>
      billingDecider.decide(startCheckout('starter', checkoutId, patients), billingDecider.initial),
    )
    expect(refusals.map((decided) => (isRejection(decided) ? decided.message : decided))).toEqual([
      'Starter holds 500 patients and you have 501. Choose Professional, or remove 1 first.',
      'Starter holds 500 patients and you have 555. Choose Professional, or remove 55 first.',
      'Starter holds 500 patients and you have 2,001. Choose Enterprise, or remove 1,501 first.',
    ])
  })

  it('can be changed until it is paid', () => {
    given(checkoutStarted)
      .when(startCheckout('starter', createCheckoutId(2)))
      .then({ type: 'CheckoutStarted', data: { practiceId, checkoutId: createCheckoutId(2), plan: 'starter' } })
  })

  it('is refused while a subscription is running, and allowed after its end', () => {
    given(checkoutStarted, started).when(startCheckout('starter')).thenRefused('already-subscribed')
    const ended: BillingEvent = { type: 'SubscriptionCanceled', data: data({ ...active, status: 'canceled' }, 9) }
    const again = { practiceId, checkoutId: createCheckoutId(2), plan: 'professional' } as const
    given(checkoutStarted, started, ended)
      .when(startCheckout('professional', createCheckoutId(2)))
      .then({ type: 'CheckoutStarted', data: again })
  })

  it('is refused with the way out when the last payment failed', () => {
    const unpaid: BillingEvent = { type: 'SubscriptionPastDue', data: data({ ...active, status: 'past_due' }, 5) }
    const refusals = [activated, unpaid].map((event) =>
      billingDecider.decide(startCheckout('starter'), fold(billingDecider, [checkoutStarted, event])),
    )
    expect(refusals.map((decided) => (isRejection(decided) ? decided.message : decided))).toEqual([
      'You have a subscription already. You can change its plan.',
      'The last payment failed. Pay the open invoice or change the card, and your plan opens again at once.',
    ])
  })

  it('goes on while another checkout is paid, or while its own is not', () => {
    const later = createCheckoutId(2)
    const laterStarted: BillingEvent = { ...checkoutStarted, data: { ...checkoutStarted.data, checkoutId: later } }
    const checkouts = [
      trialing,
      { ...trialing, checkoutId: later, status: 'incomplete' as const },
      { ...trialing, checkoutId: later },
    ]
    const left = checkouts.map((subscription) => {
      const event: BillingEvent = { type: 'SubscriptionStarted', data: data(subscription, 1) }
      return fold(billingDecider, [checkoutStarted, laterStarted, event]).checkout?.checkoutId
    })
    expect(left).toEqual([later, later, undefined])
  })
})

it('a trial is remembered although the provider no longer reports it', () => {
  // For example when the card is removed again: Stripe ends such a trial as if it had never existed.
  const ended: Subscription = { ...trialing, status: 'canceled', trialEnd: null }
  const history: BillingEvent[] = [checkoutStarted, started, { type: 'SubscriptionCanceled', data: data(ended, 2) }]
  expect(fold(billingDecider, history).hadTrial).toBe(true)
  expect(fold(billingDecider, [checkoutStarted, history[2] as BillingEvent]).hadTrial).toBe(false)
})

it('a trial is remembered also when it is reported after its end', () => {
  // Stripe does not keep the order of its messages: the subscription was deleted, and then an older update arrives.
  const ended: Subscription = { ...trialing, status: 'canceled', trialEnd: null }
  const canceled: BillingEvent = { type: 'SubscriptionCanceled', data: data(ended, 9) }
  const first: BillingEvent = { type: 'SubscriptionStarted', data: data(ended, 9) }
  const withTrial: Subscription = { ...ended, trialEnd: trialing.trialEnd }
  const remembered: BillingEvent = { type: 'SubscriptionConfirmed', data: data(withTrial, 9) }
  given(checkoutStarted, first, canceled).when(recordSubscription(trialing, 2)).then(remembered)
  const history = [checkoutStarted, first, canceled, remembered]
  expect(fold(billingDecider, history)).toMatchObject({ hadTrial: true })
  given(...history)
    .when(recordSubscription(trialing, 3))
    .thenNothing()
})

describe('an update of a subscription', () => {
  it('is recorded as the change that it contains', () => {
    given()
      .when(recordSubscription(trialing, 1))
      .then(started, { type: 'TrialStarted', data: data(trialing, 1) })
    given(started).when(recordSubscription(active, 4)).then(activated)
    const pastDue = { ...active, status: 'past_due' } as const
    given(started)
      .when(recordSubscription(pastDue, 4))
      .then({ type: 'SubscriptionPastDue', data: data(pastDue, 4) })
    const renewed = {
      ...active,
      currentPeriodStart: active.currentPeriodEnd,
      currentPeriodEnd: '2026-05-02T12:00:00.000Z',
    }
    given(activated)
      .when(recordSubscription(renewed, 5))
      .then({ type: 'SubscriptionRenewed', data: data(renewed, 5) })
    const ended = { ...active, status: 'canceled' } as const
    given(activated)
      .when(recordSubscription(ended, 5))
      .then({ type: 'SubscriptionCanceled', data: data(ended, 5) })
  })

  it('distinguishes a changed plan from a scheduled one', () => {
    const larger = { ...active, plan: 'enterprise' } as const
    given(activated)
      .when(recordSubscription(larger, 5))
      .then({ type: 'PlanChanged', data: { ...data(larger, 5), from: 'professional' } })
    const smaller = { ...active, nextPlan: 'starter' } as const
    const scheduled: BillingEvent = { type: 'PlanChangeScheduled', data: data(smaller, 5) }
    given(activated).when(recordSubscription(smaller, 5)).then(scheduled)
    given(scheduled)
      .when(recordSubscription(active, 6))
      .then({ type: 'PlanChangeWithdrawn', data: data(active, 6) })
  })

  it('reports a scheduled cancellation and its withdrawal', () => {
    const ending = { ...active, cancelAtPeriodEnd: true }
    const scheduled: BillingEvent = { type: 'CancellationScheduled', data: data(ending, 5) }
    given(activated).when(recordSubscription(ending, 5)).then(scheduled)
    given(scheduled)
      .when(recordSubscription(active, 6))
      .then({ type: 'SubscriptionReactivated', data: data(active, 6) })
  })

  it('is ignored when it is old or known, and confirmed when it is newer without a change', () => {
    given(activated)
      .when(recordSubscription({ ...trialing, plan: 'starter' }, 3))
      .thenNothing()
    given(activated).when(recordSubscription(active, 4)).thenNothing()
    given(activated)
      .when(recordSubscription(active, 6))
      .then({ type: 'SubscriptionConfirmed', data: data(active, 6) })
    const extended = { ...active, currentPeriodEnd: '2026-04-09T12:00:00.000Z' }
    given(activated)
      .when(recordSubscription(extended, 6))
      .then({ type: 'SubscriptionConfirmed', data: data(extended, 6) })
  })

  it('is fetched when two states share a version; the reply counts', () => {
    const other = { ...active, plan: 'enterprise' } as const
    const updateMissed: BillingEvent = {
      type: 'ProviderUpdateMissed',
      data: { practiceId, subscriptionId: 'sub_1', version: 4 },
    }
    given(activated).when(recordSubscription(other, 4)).then(updateMissed)
    given(activated, updateMissed)
      .when(recordSubscription(other, 4, true))
      .then({ type: 'PlanChanged', data: { ...data(other, 4), from: 'professional' } })
    given(activated, updateMissed)
      .when(recordSubscription(active, 4, true))
      .then({ type: 'SubscriptionConfirmed', data: data(active, 4) })
  })
})

describe('an invoice', () => {
  const failed: BillingEvent = { type: 'PaymentFailed', data: { practiceId, observed: observed(1), invoice } }
  const paid: BillingEvent = {
    type: 'PaymentSucceeded',
    data: { practiceId, observed: observed(2), invoice: { ...invoice, status: 'paid' } },
  }

  it('fails, then is paid or voided', () => {
    given(activated).when(recordInvoice({}, 1)).then(failed)
    given(activated, failed)
      .when(recordInvoice({ status: 'paid' }, 2))
      .then(paid)
    given(activated, failed)
      .when(recordInvoice({ status: 'void' }, 2))
      .then({
        type: 'InvoiceVoided',
        data: { practiceId, observed: observed(2), invoice: { ...invoice, status: 'void' } },
      })
  })

  it('is paid after it was voided, as of one version', () => {
    const voided: BillingEvent = {
      type: 'InvoiceVoided',
      data: { practiceId, observed: observed(2), invoice: { ...invoice, status: 'void' } },
    }
    given(activated, voided)
      .when(recordInvoice({ status: 'paid' }, 2))
      .then(paid)
    given(activated, paid)
      .when(recordInvoice({ status: 'void' }, 2))
      .thenNothing()
  })

  it('stays paid whatever arrives late', () => {
    given(activated, paid).when(recordInvoice({}, 1)).thenNothing()
    given(activated, paid).when(recordInvoice({}, 2)).thenNothing()
    given(activated, paid)
      .when(recordInvoice({ status: 'paid' }, 2))
      .thenNothing()
  })

  it('never activates a subscription: the missed update is fetched once', () => {
    const updateMissed: BillingEvent = {
      type: 'ProviderUpdateMissed',
      data: { practiceId, subscriptionId: 'sub_1', version: 4 },
    }
    given(started)
      .when(recordInvoice({ status: 'paid' }, 2))
      .then(paid, updateMissed)
    given(started, paid, updateMissed)
      .when(recordInvoice({ status: 'paid' }, 2))
      .thenNothing()
  })
})

describe('a change request', () => {
  const ending: BillingEvent = {
    type: 'CancellationScheduled',
    data: data({ ...active, cancelAtPeriodEnd: true }, 5),
  }
  const unpaid: BillingEvent = { type: 'SubscriptionPastDue', data: data({ ...active, status: 'past_due' }, 5) }

  it('to cancel or to reactivate is allowed once', () => {
    given(activated).when({ type: 'CancelSubscription' }).thenNothing()
    given(ending).when({ type: 'CancelSubscription' }).thenRefused('already-canceling')
    given(ending).when({ type: 'ReactivateSubscription' }).thenNothing()
    given(activated).when({ type: 'ReactivateSubscription' }).thenRefused('not-canceling')
  })

  it('needs a subscription', () => {
    given().when({ type: 'CancelSubscription' }).thenRefused('no-subscription')
    given(checkoutStarted).when({ type: 'ReactivateSubscription' }).thenRefused('no-subscription')
    given().when(change('starter')).thenRefused('no-subscription')
    const ended: BillingEvent = { type: 'SubscriptionCanceled', data: data({ ...active, status: 'canceled' }, 5) }
    given(ended).when({ type: 'CancelSubscription' }).thenRefused('no-subscription')
  })

  it('for another plan is allowed while the subscription is running and paid', () => {
    given(activated).when(change('enterprise')).thenNothing()
    given(activated).when(change('professional')).thenRefused('same-plan')
    given(ending).when(change('enterprise')).thenRefused('already-canceling')
    given(unpaid).when(change('enterprise')).thenRefused('not-active')
  })

  it('for a plan that is too small is refused with the number of patients over its limit', () => {
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

  it('for a plan with too few providers is refused with their number, after the patients', () => {
    const four = { providers: 4, providerLimit: 3 }
    const toStarter = { ...change('starter'), ...four }
    const decide = (command: BillingCommand) =>
      billingDecider.decide(command, [activated].reduce(billingDecider.evolve, billingDecider.initial))
    expect(decide(toStarter)).toMatchObject({
      rejected: 'too-many-providers',
      message: 'This plan holds 3 providers, and 4 are active or invited. Deactivate 1 first.',
    })
    expect(decide({ ...toStarter, patients: 501 })).toMatchObject({ rejected: 'too-many-patients' })
    given(activated)
      .when({ ...toStarter, providers: 3 })
      .thenNothing()
    given(activated)
      .when({ ...change('enterprise'), providers: 12, providerLimit: 10 })
      .thenNothing()
    // The suitable plan has room for both.
    expect(
      billingDecider.decide(
        { ...startCheckout('starter'), ...four, patients: 2_001 } as BillingCommand,
        billingDecider.initial,
      ),
    ).toMatchObject({
      rejected: 'too-many-patients',
      message: 'Starter holds 500 patients and you have 2,001. Choose Enterprise, or remove 1,501 first.',
    })
    expect(
      billingDecider.decide({ ...startCheckout('starter'), ...four } as BillingCommand, billingDecider.initial),
    ).toMatchObject({
      rejected: 'too-many-providers',
      message: 'Starter holds 3 providers, and 4 are active or invited. Choose Professional, or deactivate 1 first.',
    })
  })

  it('for a larger plan is never refused because of the number of patients', () => {
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

describe('a subscription of the sandbox', () => {
  const subscriptionId = 'sub_sandbox_1'
  const at = '2026-03-10T09:00:00.000Z'
  const end: BillingCommand = { type: 'EndSandboxSubscription', practiceId, at }
  const ended: BillingEvent = { type: 'SandboxSubscriptionEnded', data: { practiceId, subscriptionId, at } }
  const ofSandbox = (subscription: Subscription): BillingEvent => ({
    ...activated,
    data: data({ ...subscription, subscriptionId }, 4),
  })

  it.each(['trialing', 'active', 'past_due'] as const)('that is %s ends once, with its access', (status) => {
    given(ofSandbox({ ...active, status }))
      .when(end)
      .then(ended)
    given(ofSandbox({ ...active, status }), ended)
      .when(end)
      .thenNothing()
    const state = fold(billingDecider, [ofSandbox({ ...active, status }), ended])
    expect(computeAccess(state)).toEqual({ kind: 'active', plan: 'professional', until: at })
    expect(currentSubscription(state)?.status).toBe('canceled')
  })

  it('leaves subscriptions of Stripe and unpaid ones alone', () => {
    given(activated).when(end).thenNothing()
    given(ofSandbox({ ...active, status: 'incomplete' }))
      .when(end)
      .thenNothing()
  })

  it('stays ended when its last webhook arrives late, and makes room for another plan', () => {
    const late = { ...active, subscriptionId, status: 'past_due' as const }
    given(ofSandbox(active), ended).when(recordSubscription(late, 5)).thenNothing()
    given(ofSandbox(active), ended).when(startCheckout('professional')).then(checkoutStarted)
  })
})
