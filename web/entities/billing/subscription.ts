import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type SubscriptionView, subscriptionStatus } from '#contracts/billing.ts'
import { ApiProblem, call } from '#web/api/call.ts'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'
import { currentUserQuery, refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { spellDate } from '#web/ui/dates.ts'

const all = ['subscription'] as const

/** Query keys of the subscription. */
export const subscriptionKeys = {
  status: [...all, 'status'],
  plans: [...all, 'plans'],
  /** Payments of the plans that were chosen. */
  checkouts: [...all, 'checkout'],
  checkout: (plan: string) => [...all, 'checkout', plan],
  portal: [...all, 'portal'],
} as const

/** Live updates also refetch the current user, whose permissions depend on the subscription. */
export const subscriptionLiveUpdates: LiveUpdateRule = {
  queryKeys: { subscription: [subscriptionKeys.status, subscriptionKeys.portal] },
  onChange: (queries) => void refreshCurrentUser(queries),
}

/** Query for the subscription of the practice; null if there never was one, not even a trial. A screen that opens refetches it. */
export const subscriptionStatusQuery = queryOptions({
  queryKey: subscriptionKeys.status,
  queryFn: async ({ signal }): Promise<SubscriptionView | null> => {
    try {
      return await call(subscriptionStatus, {}, signal)
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'no-subscription') return null
      throw error
    }
  },
  // The sidebar, the banner and the screen show it, one a moment after the other.
  staleTime: 5_000,
})

/** Refetches the subscription and the current user (spec page 1, section 7); to be called after every change of the subscription. */
export async function refreshSubscription(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.refetchQueries({ queryKey: currentUserQuery.queryKey }),
    queries.invalidateQueries({ queryKey: subscriptionStatusQuery.queryKey }),
  ])
}

/** Formats the UTC date of an instant as the spec does, "Sep 08, 2026": billing periods are in UTC, as on the invoices. */
export function formatBillingDate(instant: string): string {
  const { shortMonth, day, year } = spellDate(new Date(instant).toISOString().slice(0, 10))
  return `${shortMonth} ${String(day).padStart(2, '0')}, ${year}`
}

/** Title and explanation of a subscription that was paid with test cards and has ended. */
export const sandboxEnded = {
  title: 'Sandbox subscription, choose a plan',
  hint: 'It was paid with a test card, and has ended. Your data and your patient limit stay.',
} as const

/** Explains in a trial why there is no invoice to download yet. */
export const firstInvoiceNote = 'Your first invoice arrives with your first payment.'

const dayMs = 86_400_000

/** Formats the days until an instant, rounded up: "1 day left", "23 days left". */
export function formatDaysLeft(until: string, now: string): string {
  const days = Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now)) / dayMs))
  return days === 1 ? '1 day left' : `${days} days left`
}

/**
 * Subscription problem that every screen announces: a failed payment (`hasEnded` once access has ended), the coming end, or the
 * end of a subscription that was paid with test cards.
 */
export type SubscriptionAlert =
  | { kind: 'sandbox-ended' }
  | { kind: 'past-due'; until: string; hasEnded: boolean }
  | { kind: 'ending'; until: string }

/** Returns the problem to announce; a failed payment takes precedence over a coming end. Null if there is none. */
export function getSubscriptionAlert(view: SubscriptionView): SubscriptionAlert | null {
  const { status, cancelAtPeriodEnd, currentPeriodEnd, accessUntil, asOf, isEndedSandbox } = view
  if (isEndedSandbox) return { kind: 'sandbox-ended' }
  if (status === 'past_due')
    return { kind: 'past-due', until: accessUntil ?? asOf, hasEnded: accessUntil !== null && accessUntil <= asOf }
  const isRunning = status === 'active' || status === 'trialing'
  return isRunning && cancelAtPeriodEnd ? { kind: 'ending', until: currentPeriodEnd } : null
}

/** Returns the line below the plan in the sidebar. */
export function describePlanStatus(view: SubscriptionView | null): string {
  if (!view) return 'All features active'
  const alert = getSubscriptionAlert(view)
  if (alert?.kind === 'past-due') return 'Payment failed'
  if (alert?.kind === 'sandbox-ended') return 'Choose a plan'
  if (alert) return `Ends ${formatBillingDate(alert.until)}`
  return view.status === 'trialing'
    ? `Trial, ${formatDaysLeft(view.currentPeriodEnd, view.asOf)}`
    : 'All features active'
}
