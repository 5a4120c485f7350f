import type { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import type { Invoice, Subscription } from './events.ts'
import { addDays } from './date-math.ts'

/** How long a practice that has not paid keeps access, in days from the beginning of the period that is not paid. */
export const graceDays = 14

type BillingHistory = {
  subscriptions: Readonly<Record<string, { subscription: Subscription }>>
  invoices: Readonly<Record<string, { invoice: Invoice }>>
}

/** What a practice may use, and until when; `until` is null where no end is known. An instant in UTC. */
export type Access = { as: 'trial' | 'active'; plan: PlanId; until: string | null }

/** How much a state counts: what runs, what waits for its first payment, what has ended. */
const weight: Record<BillingStatus, number> = { canceled: 0, incomplete: 1, past_due: 2, trialing: 2, active: 2 }

/** The subscription that counts: one that runs before one that does not, a newer before an older. Null where there is none. */
export function currentSubscription({ subscriptions }: Pick<BillingHistory, 'subscriptions'>): Subscription | null {
  const [first] = Object.values(subscriptions)
    .map(({ subscription }) => subscription)
    .toSorted(
      (a, b) =>
        weight[b.status] - weight[a.status] ||
        b.createdAt.localeCompare(a.createdAt) ||
        b.subscriptionId.localeCompare(a.subscriptionId),
    )
  return first ?? null
}

/** Whether something is used, and paid for or tried; also while a payment is owed. */
export const isRunning = (subscription: Subscription | null): boolean =>
  subscription !== null && weight[subscription.status] === 2

/** What was ever promised to a practice, the longest promise last taken: what is open first, then what ends latest. */
export function computeAccess(known: BillingHistory): Access | null {
  const [best] = Object.values(known.subscriptions)
    .flatMap(({ subscription }) => subscriptionAccess(subscription, known) ?? [])
    .toSorted((a, b) => (b.until ?? '9').localeCompare(a.until ?? '9'))
  return best ?? null
}

function subscriptionAccess(subscription: Subscription, known: BillingHistory): Access | null {
  const { status, plan, trialEnd } = subscription
  if (status === 'incomplete') return null
  if (status === 'trialing') return { as: 'trial', plan, until: null }
  if (status === 'active') return { as: 'active', plan, until: null }
  const paid = paidThrough(subscription, known)
  const as = paid !== null && paid === trialEnd ? ('trial' as const) : ('active' as const)
  if (status === 'canceled') return paid === null ? null : { as, plan, until: paid }
  const grace = addDays(owedSince(subscription, paid ?? '', known), graceDays)
  return { as: 'active', plan, until: paid !== null && paid > grace ? paid : grace }
}

/**
 * When the first period began that is not paid. A provider may bill the next one while the last is still owed: that is no
 * new grace.
 */
function owedSince(
  { subscriptionId, currentPeriodStart }: Subscription,
  paid: string,
  { invoices }: BillingHistory,
): string {
  const owed = Object.values(invoices).flatMap(({ invoice }) =>
    invoice.subscriptionId === subscriptionId && invoice.status === 'failed' && invoice.periodStart >= paid
      ? [invoice.periodStart]
      : [],
  )
  return [currentPeriodStart, ...owed].toSorted()[0] ?? currentPeriodStart
}

/** The end of the last period that was paid for, or of the trial; null where there was neither. */
function paidThrough({ subscriptionId, trialEnd }: Subscription, { invoices }: BillingHistory): string | null {
  const ends = Object.values(invoices).flatMap(({ invoice }) =>
    invoice.subscriptionId === subscriptionId && invoice.status === 'paid' ? [invoice.periodEnd] : [],
  )
  return [...ends, ...(trialEnd === null ? [] : [trialEnd])].toSorted().at(-1) ?? null
}

/** Whether what was promised still holds at an instant. */
export const isAccessValid = (access: Access | null, now: string): boolean =>
  access !== null && (access.until === null || now < access.until)
