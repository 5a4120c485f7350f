import type { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import { addDays } from './date-math.ts'
import type { Invoice, Subscription } from './events.ts'

/** Grace period of an unpaid subscription, in days from the start of the first unpaid period. */
export const graceDays = 14

type BillingHistory = {
  /** `endedAt`: it was paid with test cards, and ended at this instant. */
  subscriptions: Readonly<Record<string, { subscription: Subscription; endedAt?: string }>>
  invoices: Readonly<Record<string, { invoice: Invoice }>>
}

/** The plan that a practice may use, and until when (an instant in UTC); `until` is null when no end is known. */
export type Access = { kind: 'trial' | 'active'; plan: PlanId; until: string | null }

/** Precedence of subscriptions by status: running, then awaiting the first payment, then ended. */
const precedence: Record<BillingStatus, number> = { canceled: 0, incomplete: 1, past_due: 2, trialing: 2, active: 2 }

/** Returns the current subscription: a running one before others, then the newest. Null when there is none. */
export function currentSubscription({ subscriptions }: Pick<BillingHistory, 'subscriptions'>): Subscription | null {
  const [first] = Object.values(subscriptions)
    .map(({ subscription }) => subscription)
    .toSorted(
      (a, b) =>
        precedence[b.status] - precedence[a.status] ||
        b.createdAt.localeCompare(a.createdAt) ||
        b.subscriptionId.localeCompare(a.subscriptionId),
    )
  return first ?? null
}

/** Returns whether a subscription is in its trial, paid for, or past due. */
export const isRunning = (subscription: Subscription | null): boolean =>
  subscription !== null && precedence[subscription.status] === 2

/** Returns whether a subscription still awaits its first payment. */
export const awaitsFirstPayment = ({ status }: Pick<Subscription, 'status'>): boolean => status === 'incomplete'

/** Returns the longest access that any subscription of a practice grants; null when none grants access. */
export function computeAccess(history: BillingHistory): Access | null {
  const [best] = Object.values(history.subscriptions)
    .flatMap(({ subscription, endedAt }) =>
      endedAt === undefined
        ? (subscriptionAccess(subscription, history) ?? [])
        : [{ kind: 'active' as const, plan: subscription.plan, until: endedAt }],
    )
    .toSorted((a, b) => (b.until ?? '9').localeCompare(a.until ?? '9'))
  return best ?? null
}

/**
 * Returns the access that one subscription grants. A trial and a paid subscription grant it until the provider reports
 * their end, a canceled one to the end of its trial or paid period, an unpaid one to the end of the grace period.
 */
function subscriptionAccess(subscription: Subscription, history: BillingHistory): Access | null {
  const { status, plan, trialEnd } = subscription
  if (awaitsFirstPayment(subscription)) return null
  if (status === 'trialing') return { kind: 'trial', plan, until: null }
  if (status === 'active') return { kind: 'active', plan, until: null }
  const paidUntil = paidThrough(subscription, history)
  const kind = paidUntil !== null && paidUntil === trialEnd ? ('trial' as const) : ('active' as const)
  if (status === 'canceled') return paidUntil === null ? null : { kind, plan, until: paidUntil }
  const graceEnd = addDays(unpaidSince(subscription, paidUntil ?? '', history), graceDays)
  return { kind: 'active', plan, until: paidUntil !== null && paidUntil > graceEnd ? paidUntil : graceEnd }
}

/**
 * Returns the start of the first unpaid period. A provider may bill the next period while the previous one is still unpaid;
 * that does not restart the grace period.
 */
function unpaidSince(
  { subscriptionId, currentPeriodStart }: Subscription,
  paidUntil: string,
  { invoices }: BillingHistory,
): string {
  const unpaid = Object.values(invoices).flatMap(({ invoice }) =>
    invoice.subscriptionId === subscriptionId && invoice.status === 'failed' && invoice.periodStart >= paidUntil
      ? [invoice.periodStart]
      : [],
  )
  return [currentPeriodStart, ...unpaid].toSorted()[0] ?? currentPeriodStart
}

/** Returns the end of the last paid period or of the trial, whichever is later; null when there was neither. */
function paidThrough({ subscriptionId, trialEnd }: Subscription, { invoices }: BillingHistory): string | null {
  const ends = Object.values(invoices).flatMap(({ invoice }) =>
    invoice.subscriptionId === subscriptionId && invoice.status === 'paid' ? [invoice.periodEnd] : [],
  )
  return [...ends, ...(trialEnd === null ? [] : [trialEnd])].toSorted().at(-1) ?? null
}

/** Returns whether access is granted at an instant. */
export const isAccessValid = (access: Access | null, now: string): boolean =>
  access !== null && (access.until === null || now < access.until)
