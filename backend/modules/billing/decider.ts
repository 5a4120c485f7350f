import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan } from '#contracts/values/plans.ts'
import { findPlanFor } from '#contracts/values/tiers.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import { awaitsFirstPayment, currentSubscription, isRunning } from './access.ts'
import { BillingEvent, type Invoice, type Observation, type Subscription } from './events.ts'
import { sandboxSubscriptionPrefix } from './sandbox/events.ts'

/**
 * The state of one object at the payment provider. `isRequested`: the provider's reply to a request from us, at least as new
 * as every webhook received before it. `subscriptionVersion` is the version of the subscription to which an invoice belongs.
 */
export type ProviderSnapshot =
  | { kind: 'subscription'; observed: Observation; subscription: Subscription; isRequested: boolean }
  | { kind: 'invoice'; observed: Observation; invoice: Invoice; subscriptionVersion: number }

/** Commands of a practice's subscription. A `ChangeRequest` writes nothing: it checks whether the provider may be called. */
export type BillingCommand =
  | ({ type: 'StartCheckout'; practiceId: PracticeId; checkoutId: string; plan: PlanId } & PlanUse)
  | { type: 'RecordProviderUpdate'; practiceId: PracticeId; snapshot: ProviderSnapshot }
  /** Ends what was paid with test cards. `at` is an instant in UTC. */
  | { type: 'EndSandboxSubscription'; practiceId: PracticeId; at: string }
  | ChangeRequest

export type ChangeRequest =
  | { type: 'CancelSubscription' }
  | { type: 'ReactivateSubscription' }
  | ({ type: 'ChangeSubscriptionPlan'; plan: PlanId } & PlanUse)

/**
 * Needs of a practice and limits of the chosen plan; limits are null without one. Samples are no patients, and open invitations of
 * providers are providers.
 */
export type PlanUse = {
  patients: number
  patientLimit: number | null
  providers: number
  providerLimit: number | null
}

/**
 * The newest known state of every object of the provider, in whichever order updates arrived. `endedAt` is the instant at which
 * a subscription of the sandbox ended, because the installation takes real payments now.
 */
export type BillingState = {
  checkout: { checkoutId: string; plan: PlanId } | null
  /** True once a trial has started, even if the provider no longer reports it. */
  hadTrial: boolean
  subscriptions: Readonly<Record<string, { observed: Observation; subscription: Subscription; endedAt?: string }>>
  invoices: Readonly<Record<string, { observed: Observation; invoice: Invoice }>>
  /** The version to fetch from the provider, by id of each subscription with missed updates. */
  missedUpdates: Readonly<Record<string, number>>
}

export type BillingRejection =
  | 'already-subscribed'
  | 'no-subscription'
  | 'already-canceling'
  | 'not-canceling'
  | 'not-active'
  | 'same-plan'
  | 'too-many-patients'
  | 'too-many-providers'

/** The subscription of one practice. Streams are named after the practice. */
export const billingDecider: Decider<BillingCommand, BillingEvent, BillingState, BillingRejection> = {
  category: 'subscription',
  events: BillingEvent,
  initial: { checkout: null, hadTrial: false, subscriptions: {}, invoices: {}, missedUpdates: {} },
  decide,
  evolve,
}

function decide(command: BillingCommand, state: BillingState): readonly BillingEvent[] | Rejection<BillingRejection> {
  switch (command.type) {
    case 'StartCheckout':
      return startCheckout(command, state)
    case 'RecordProviderUpdate':
      return command.snapshot.kind === 'subscription'
        ? recordSubscription(command.practiceId, command.snapshot, state)
        : recordInvoice(command.practiceId, command.snapshot, state)
    case 'EndSandboxSubscription':
      return endSandboxSubscription(command, state)
    default:
      return findRejection(command, currentSubscription(state)) ?? []
  }
}

function startCheckout(
  { practiceId, checkoutId, plan, ...use }: Extract<BillingCommand, { type: 'StartCheckout' }>,
  state: BillingState,
) {
  const current = currentSubscription(state)
  if (isRunning(current)) {
    const message =
      current?.status === 'past_due'
        ? 'The last payment failed. Pay the open invoice or change the card, and your plan opens again at once.'
        : 'You have a subscription already. You can change its plan.'
    return reject('already-subscribed', message)
  }
  const excess = findExcess(use)
  if (excess) {
    const suitable = getPlan(findPlanFor(use.patients, use.providers)).name
    return reject(excess.code, `${getPlan(plan).name} ${excess.text}. Choose ${suitable}, or ${excess.remedy} first.`)
  }
  // Choosing the same plan again before paying keeps the checkout, so that a second click leads to the same payment.
  if (state.checkout?.plan === plan) return []
  return [{ type: 'CheckoutStarted', data: { practiceId, checkoutId, plan } } as const]
}

const endSandboxSubscription = (
  { practiceId, at }: Extract<BillingCommand, { type: 'EndSandboxSubscription' }>,
  { subscriptions }: BillingState,
): readonly BillingEvent[] =>
  Object.values(subscriptions).flatMap(({ subscription }) => {
    const { subscriptionId } = subscription
    const isSandbox = subscriptionId.startsWith(sandboxSubscriptionPrefix)
    if (!isSandbox || !isRunning(subscription)) return []
    return [{ type: 'SandboxSubscriptionEnded', data: { practiceId, subscriptionId, at } } as const]
  })

function findRejection(request: ChangeRequest, current: Subscription | null) {
  if (!current || current.status === 'canceled' || awaitsFirstPayment(current))
    return reject('no-subscription', 'You have no active subscription.')
  const { cancelAtPeriodEnd, status, plan, nextPlan } = current
  if (request.type === 'ReactivateSubscription')
    return cancelAtPeriodEnd ? null : reject('not-canceling', 'Your subscription is not being canceled.')
  if (cancelAtPeriodEnd) return reject('already-canceling', 'Your subscription is being canceled already.')
  if (request.type === 'CancelSubscription') return null
  if (status === 'past_due') return reject('not-active', 'Please pay the open invoice before you change your plan.')
  if (request.plan === (nextPlan ?? plan)) return reject('same-plan', 'This is your plan already.')
  // A practice over its current limit may upgrade, even to a plan that is too small as well.
  const isSmaller = getPlan(request.plan).price < getPlan(plan).price
  const excess = isSmaller && findExcess(request)
  if (!excess) return null
  const remedy = excess.remedy.charAt(0).toUpperCase() + excess.remedy.slice(1)
  return reject(excess.code, `This plan ${excess.text}. ${remedy} first.`)
}

type Excess = { code: 'too-many-patients' | 'too-many-providers'; text: string; remedy: string }

/** Returns by how much a practice exceeds a plan and what makes room, in words; null if it does not. */
function findExcess({ patients, patientLimit, providers, providerLimit }: PlanUse): Excess | null {
  const format = (count: number) => count.toLocaleString('en-US')
  if (patientLimit !== null && patients > patientLimit)
    return {
      code: 'too-many-patients',
      text: `holds ${format(patientLimit)} patients and you have ${format(patients)}`,
      remedy: `remove ${format(patients - patientLimit)}`,
    }
  if (providerLimit !== null && providers > providerLimit)
    return {
      code: 'too-many-providers',
      text: `holds ${providerLimit} providers, and ${providers} are active or invited`,
      remedy: `deactivate ${providers - providerLimit}`,
    }
  return null
}

function recordSubscription(
  practiceId: PracticeId,
  { observed, subscription, isRequested }: Extract<ProviderSnapshot, { kind: 'subscription' }>,
  state: BillingState,
): readonly BillingEvent[] {
  const { subscriptionId } = subscription
  const { version } = observed
  const known = state.subscriptions[subscriptionId]
  if (known && known.endedAt === undefined && version < known.observed.version)
    return recordEarlierTrial(practiceId, known, subscription)
  if (known?.endedAt !== undefined) return []
  const isUnchanged = known !== undefined && hasSameContent(known.subscription, subscription)
  if (known && version === known.observed.version) {
    // Two different states with one version cannot be ordered.
    if (!isUnchanged && !isRequested)
      return [{ type: 'ProviderUpdateMissed', data: { practiceId, subscriptionId, version } }]
    if (isUnchanged && !(isRequested && subscriptionId in state.missedUpdates)) return []
  }
  const data = { practiceId, observed, subscription }
  if (isUnchanged) return [{ type: 'SubscriptionConfirmed', data }]
  return describeChanges(known?.subscription, subscription, data)
}

/**
 * An update that arrives after a later one changes nothing, except that it may tell of a trial that the later one no longer
 * reports: a practice has one trial, in whatever order its updates arrive.
 */
const recordEarlierTrial = (
  practiceId: PracticeId,
  { observed, subscription }: { observed: Observation; subscription: Subscription },
  { trialEnd }: Subscription,
): readonly BillingEvent[] =>
  trialEnd === null || subscription.trialEnd !== null
    ? []
    : [{ type: 'SubscriptionConfirmed', data: { practiceId, observed, subscription: { ...subscription, trialEnd } } }]

function describeChanges(
  from: Subscription | undefined,
  to: Subscription,
  data: { practiceId: PracticeId; observed: Observation; subscription: Subscription },
): readonly BillingEvent[] {
  const events: BillingEvent[] = []
  if (!from) events.push({ type: 'SubscriptionStarted', data })
  if (from?.status !== to.status) {
    if (to.status === 'trialing') events.push({ type: 'TrialStarted', data })
    if (to.status === 'active') events.push({ type: 'SubscriptionActivated', data })
    if (to.status === 'past_due') events.push({ type: 'SubscriptionPastDue', data })
    if (to.status === 'canceled') events.push({ type: 'SubscriptionCanceled', data })
  } else if (from.currentPeriodStart < to.currentPeriodStart) events.push({ type: 'SubscriptionRenewed', data })
  if (from && from.plan !== to.plan) events.push({ type: 'PlanChanged', data: { ...data, from: from.plan } })
  if (to.nextPlan !== null && from?.nextPlan !== to.nextPlan) events.push({ type: 'PlanChangeScheduled', data })
  if (from?.nextPlan && to.nextPlan === null && from.plan === to.plan)
    events.push({ type: 'PlanChangeWithdrawn', data })
  const wasCanceling = from?.cancelAtPeriodEnd ?? false
  if (!wasCanceling && to.cancelAtPeriodEnd && to.status !== 'canceled')
    events.push({ type: 'CancellationScheduled', data })
  if (wasCanceling && !to.cancelAtPeriodEnd && to.status !== 'canceled')
    events.push({ type: 'SubscriptionReactivated', data })
  return events.length > 0 ? events : [{ type: 'SubscriptionConfirmed', data }]
}

const invoiceEventTypes = { paid: 'PaymentSucceeded', failed: 'PaymentFailed', void: 'InvoiceVoided' } as const
/** The order in which an invoice moves through its states; it never moves back. */
const invoiceProgress = { failed: 0, void: 1, paid: 2 } as const

function recordInvoice(
  practiceId: PracticeId,
  { observed, invoice, subscriptionVersion }: Extract<ProviderSnapshot, { kind: 'invoice' }>,
  state: BillingState,
): readonly BillingEvent[] {
  const known = state.invoices[invoice.invoiceId]
  const isNewer =
    !known ||
    observed.version > known.observed.version ||
    (observed.version === known.observed.version &&
      invoiceProgress[invoice.status] > invoiceProgress[known.invoice.status])
  const recorded: BillingEvent[] = isNewer
    ? [{ type: invoiceEventTypes[invoice.status], data: { practiceId, observed, invoice } }]
    : []
  const { subscriptionId } = invoice
  // A payment does not describe the subscription. A newer version of it is fetched, never inferred.
  const isBehind = subscriptionVersion > (state.subscriptions[subscriptionId]?.observed.version ?? -1)
  return isBehind
    ? [...recorded, ...reportMissedUpdate(practiceId, subscriptionId, subscriptionVersion, state)]
    : recorded
}

function reportMissedUpdate(
  practiceId: PracticeId,
  subscriptionId: string,
  version: number,
  { missedUpdates }: BillingState,
): BillingEvent[] {
  if ((missedUpdates[subscriptionId] ?? -1) >= version) return []
  return [{ type: 'ProviderUpdateMissed', data: { practiceId, subscriptionId, version } }]
}

const hasSameContent = (a: Subscription, b: Subscription) =>
  (Object.keys(a) as (keyof Subscription)[]).every((field) => a[field] === b[field])

function evolve(state: BillingState, event: BillingEvent): BillingState {
  const { data } = event
  if (event.type === 'CheckoutStarted') {
    const { checkoutId, plan } = event.data
    return { ...state, checkout: { checkoutId, plan } }
  }
  if (event.type === 'ProviderUpdateMissed') {
    const { subscriptionId, version } = event.data
    return { ...state, missedUpdates: { ...state.missedUpdates, [subscriptionId]: version } }
  }
  if (event.type === 'SandboxSubscriptionEnded') {
    const { subscriptionId, at: endedAt } = event.data
    const known = state.subscriptions[subscriptionId]
    if (!known) return state
    const subscription = {
      ...known.subscription,
      status: 'canceled',
      cancelAtPeriodEnd: false,
      nextPlan: null,
    } as const
    return {
      ...state,
      subscriptions: { ...state.subscriptions, [subscriptionId]: { ...known, subscription, endedAt } },
    }
  }
  if ('invoice' in data) {
    const { observed, invoice } = data
    return { ...state, invoices: { ...state.invoices, [invoice.invoiceId]: { observed, invoice } } }
  }
  if (!('subscription' in data)) return state
  const { observed, subscription } = data
  const { subscriptionId, checkoutId, trialEnd } = subscription
  const { [subscriptionId]: missedVersion, ...otherMissedUpdates } = state.missedUpdates
  // Once a checkout was paid or has ended, the next choice starts a new one.
  const isCheckoutOver = state.checkout?.checkoutId === checkoutId && !awaitsFirstPayment(subscription)
  return {
    ...state,
    checkout: isCheckoutOver ? null : state.checkout,
    hadTrial: state.hadTrial || trialEnd !== null,
    subscriptions: { ...state.subscriptions, [subscriptionId]: { observed, subscription } },
    missedUpdates:
      missedVersion === undefined || missedVersion > observed.version ? state.missedUpdates : otherMissedUpdates,
  }
}
