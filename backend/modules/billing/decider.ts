import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan } from '#contracts/values/plans.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import { currentSubscription, isRunning } from './access.ts'
import { BillingEvent, type Invoice, type Observation, type Subscription } from './events.ts'

/**
 * One thing the payment provider told us. `asked`: it answered a question of ours, so it is at least as new as every
 * message that had come before. An invoice says which version its subscription had.
 */
export type ProviderSnapshot =
  | { kind: 'subscription'; seen: Observation; subscription: Subscription; asked: boolean }
  | { kind: 'invoice'; seen: Observation; invoice: Invoice; subscriptionVersion: number }

/** What can be asked of a practice's subscription. The wishes only find out whether the provider may be asked for them. */
export type BillingCommand =
  | { type: 'BeginCheckout'; practiceId: PracticeId; checkoutId: string; plan: PlanId }
  | { type: 'TakeIn'; practiceId: PracticeId; fact: ProviderSnapshot }
  | { type: 'WishToCancel' }
  | { type: 'WishToReactivate' }
  | { type: 'WishToChangePlan'; plan: PlanId; patients: number; patientLimit: number | null }

/** What we know of it: of every object the newest state, whatever came before it or came late. */
export type BillingState = {
  checkout: { checkoutId: string; plan: PlanId } | null
  /** Whether a trial was ever begun, also one of which the provider says nothing any more. */
  hadTrial: boolean
  subscriptions: Readonly<Record<string, { seen: Observation; subscription: Subscription }>>
  invoices: Readonly<Record<string, { seen: Observation; invoice: Invoice }>>
  /** Up to which version of a subscription the provider is being asked for what is missing. */
  gaps: Readonly<Record<string, number>>
}

export type BillingRefusal =
  | 'already-subscribed'
  | 'no-subscription'
  | 'already-canceling'
  | 'not-canceling'
  | 'not-active'
  | 'same-plan'
  | 'too-many-patients'

/** The subscription of one practice. Streams are named by the practice. */
export const billingDecider: Decider<BillingCommand, BillingEvent, BillingState, BillingRefusal> = {
  category: 'subscription',
  events: BillingEvent,
  initial: { checkout: null, hadTrial: false, subscriptions: {}, invoices: {}, gaps: {} },
  decide,
  evolve,
}

function decide(command: BillingCommand, state: BillingState): readonly BillingEvent[] | Rejection<BillingRefusal> {
  switch (command.type) {
    case 'BeginCheckout':
      return beginCheckout(command, state)
    case 'TakeIn':
      return command.fact.kind === 'subscription'
        ? applySubscription(command.practiceId, command.fact, state)
        : applyInvoice(command.practiceId, command.fact, state)
    default:
      return findRefusal(command, currentSubscription(state)) ?? []
  }
}

function beginCheckout(
  { practiceId, checkoutId, plan }: Extract<BillingCommand, { type: 'BeginCheckout' }>,
  state: BillingState,
) {
  if (isRunning(currentSubscription(state)))
    return reject('already-subscribed', 'You have a subscription already. You can change its plan.')
  // The same plan again, before it was paid: the same checkout, so that a second click leads to the same payment.
  if (state.checkout?.plan === plan) return []
  return [{ type: 'CheckoutBegun', data: { practiceId, checkoutId, plan } } as const]
}

type Wish = Exclude<BillingCommand, { type: 'BeginCheckout' | 'TakeIn' }>

function findRefusal(wish: Wish, current: Subscription | null) {
  if (!current || current.status === 'canceled' || current.status === 'incomplete')
    return reject('no-subscription', 'You have no active subscription.')
  const { cancelAtPeriodEnd, status, plan, nextPlan } = current
  if (wish.type === 'WishToReactivate')
    return cancelAtPeriodEnd ? null : reject('not-canceling', 'Your subscription is not being canceled.')
  if (cancelAtPeriodEnd) return reject('already-canceling', 'Your subscription is being canceled already.')
  if (wish.type === 'WishToCancel') return null
  if (status === 'past_due') return reject('not-active', 'Please pay the open invoice before you change your plan.')
  if (wish.plan === (nextPlan ?? plan)) return reject('same-plan', 'This is your plan already.')
  const { patients, patientLimit } = wish
  // Whoever has too many for the plan they have may take a better one that is too small as well.
  const isSmaller = getPlan(wish.plan).price < getPlan(plan).price
  if (!isSmaller || patientLimit === null || patients <= patientLimit) return null
  const [limit, have, over] = [patientLimit, patients, patients - patientLimit].map((count) =>
    count.toLocaleString('en-US'),
  )
  return reject('too-many-patients', `This plan holds ${limit} patients and you have ${have}. Remove ${over} first.`)
}

function applySubscription(
  practiceId: PracticeId,
  { seen, subscription, asked }: Extract<ProviderSnapshot, { kind: 'subscription' }>,
  state: BillingState,
): readonly BillingEvent[] {
  const { subscriptionId } = subscription
  const known = state.subscriptions[subscriptionId]
  if (known && seen.version < known.seen.version) return []
  const same = known !== undefined && sameContent(known.subscription, subscription)
  if (known && seen.version === known.seen.version) {
    // Two states of one version: which came first cannot be known from them.
    if (!same && !asked) return [{ type: 'GapNoticed', data: { practiceId, subscriptionId, version: seen.version } }]
    if (same && !(asked && subscriptionId in state.gaps)) return []
  }
  const data = { practiceId, seen, subscription }
  if (same) return [{ type: 'SubscriptionConfirmed', data }]
  return changesOf(known?.subscription, subscription, data)
}

function changesOf(
  from: Subscription | undefined,
  to: Subscription,
  data: { practiceId: PracticeId; seen: Observation; subscription: Subscription },
): readonly BillingEvent[] {
  const events: BillingEvent[] = []
  if (!from) events.push({ type: 'SubscriptionStarted', data })
  if (from?.status !== to.status) {
    if (to.status === 'trialing') events.push({ type: 'TrialStarted', data })
    if (to.status === 'active') events.push({ type: 'SubscriptionActivated', data })
    if (to.status === 'past_due') events.push({ type: 'SubscriptionFellPastDue', data })
    if (to.status === 'canceled') events.push({ type: 'SubscriptionCanceled', data })
  } else if (from.currentPeriodStart < to.currentPeriodStart) events.push({ type: 'SubscriptionRenewed', data })
  if (from && from.plan !== to.plan) events.push({ type: 'PlanChanged', data: { ...data, from: from.plan } })
  if (to.nextPlan !== null && from?.nextPlan !== to.nextPlan) events.push({ type: 'PlanChangeScheduled', data })
  if (from?.nextPlan && to.nextPlan === null && from.plan === to.plan)
    events.push({ type: 'PlanChangeWithdrawn', data })
  const ending = from?.cancelAtPeriodEnd ?? false
  if (!ending && to.cancelAtPeriodEnd && to.status !== 'canceled') events.push({ type: 'CancellationScheduled', data })
  if (ending && !to.cancelAtPeriodEnd && to.status !== 'canceled')
    events.push({ type: 'SubscriptionReactivated', data })
  return events.length > 0 ? events : [{ type: 'SubscriptionConfirmed', data }]
}

const paymentNames = { paid: 'PaymentSucceeded', failed: 'PaymentFailed', void: 'InvoiceVoided' } as const
/** An invoice only ever goes on: a refused card, then paid or given up. */
const further = { failed: 0, void: 1, paid: 2 } as const

function applyInvoice(
  practiceId: PracticeId,
  { seen, invoice, subscriptionVersion }: Extract<ProviderSnapshot, { kind: 'invoice' }>,
  state: BillingState,
): readonly BillingEvent[] {
  const known = state.invoices[invoice.invoiceId]
  const newer =
    !known ||
    seen.version > known.seen.version ||
    (seen.version === known.seen.version && further[invoice.status] > further[known.invoice.status])
  const paid: BillingEvent[] = newer
    ? [{ type: paymentNames[invoice.status], data: { practiceId, seen, invoice } }]
    : []
  const { subscriptionId } = invoice
  // A payment says nothing of the subscription itself. That there is more to know is not guessed but asked for.
  const behind = subscriptionVersion > (state.subscriptions[subscriptionId]?.seen.version ?? -1)
  return behind ? [...paid, ...reportMissedUpdate(practiceId, subscriptionId, subscriptionVersion, state)] : paid
}

function reportMissedUpdate(
  practiceId: PracticeId,
  subscriptionId: string,
  version: number,
  { gaps }: BillingState,
): BillingEvent[] {
  if ((gaps[subscriptionId] ?? -1) >= version) return []
  return [{ type: 'GapNoticed', data: { practiceId, subscriptionId, version } }]
}

const sameContent = (a: Subscription, b: Subscription) =>
  (Object.keys(a) as (keyof Subscription)[]).every((field) => a[field] === b[field])

function evolve(state: BillingState, event: BillingEvent): BillingState {
  const { data } = event
  if (event.type === 'CheckoutBegun') {
    const { checkoutId, plan } = event.data
    return { ...state, checkout: { checkoutId, plan } }
  }
  if (event.type === 'GapNoticed') {
    const { subscriptionId, version } = event.data
    return { ...state, gaps: { ...state.gaps, [subscriptionId]: version } }
  }
  if ('invoice' in data) {
    const { seen, invoice } = data
    return { ...state, invoices: { ...state.invoices, [invoice.invoiceId]: { seen, invoice } } }
  }
  if (!('subscription' in data)) return state
  const { seen, subscription } = data
  const { subscriptionId, checkoutId, status, trialEnd } = subscription
  const { [subscriptionId]: asked, ...others } = state.gaps
  // What was chosen came to its end: whoever chooses again begins anew.
  const settled = state.checkout?.checkoutId === checkoutId && status !== 'incomplete'
  return {
    ...state,
    checkout: settled ? null : state.checkout,
    hadTrial: state.hadTrial || trialEnd !== null,
    subscriptions: { ...state.subscriptions, [subscriptionId]: { seen, subscription } },
    gaps: asked === undefined || asked > seen.version ? state.gaps : others,
  }
}
