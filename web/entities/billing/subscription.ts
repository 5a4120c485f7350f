import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type SubscriptionView, subscriptionStatus } from '#contracts/billing.ts'
import { ApiProblem, call } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

/** What the practice pays for; null where nothing was ever paid for, nor tried. Asked anew by every screen that shows it. */
export const subscriptionStatusQuery = queryOptions({
  queryKey: ['subscription', 'status'],
  queryFn: async ({ signal }): Promise<SubscriptionView | null> => {
    try {
      return await call(subscriptionStatus, {}, signal)
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'no-subscription') return null
      throw error
    }
  },
  staleTime: 0,
})

/** Has the status and the current user read anew (spec page 1, section 7), after whatever changes what is paid for. */
export async function refreshSubscription(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.refetchQueries({ queryKey: currentUserQuery.queryKey }),
    queries.invalidateQueries({ queryKey: subscriptionStatusQuery.queryKey }),
  ])
}

// Paid periods are counted in UTC, and an invoice says the same days.
const billingDateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  timeZone: 'UTC',
})

/** A day of billing as the spec writes it, "Sep 08, 2026"; from an instant in UTC. */
export const formatBillingDate = (instant: string): string => billingDateFormat.format(new Date(instant))

/** Whole cents as dollars, "$1,249.00". */
export const formatCents = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

const dayMs = 86_400_000

/** How many days are left to an instant, the begun one counted: "1 day left", "23 days left". */
export function formatDaysLeft(until: string, now: string): string {
  const days = Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now)) / dayMs))
  return days === 1 ? '1 day left' : `${days} days left`
}

/** What there is to know about a subscription on every screen, for as long as it is so. */
export type SubscriptionAlert = { kind: 'past-due'; until: string; over: boolean } | { kind: 'ending'; until: string }

/** The one thing that everybody should know: the card failed, or the subscription ends. Null when all is well. */
export function getSubscriptionAlert(view: SubscriptionView): SubscriptionAlert | null {
  const { status, cancelAtPeriodEnd, currentPeriodEnd, accessUntil, asOf } = view
  if (status === 'past_due')
    return { kind: 'past-due', until: accessUntil ?? asOf, over: accessUntil !== null && accessUntil <= asOf }
  const runs = status === 'active' || status === 'trialing'
  return runs && cancelAtPeriodEnd ? { kind: 'ending', until: currentPeriodEnd } : null
}

/** The second line of the plan in the sidebar. */
export function describePlanStatus(view: SubscriptionView | null): string {
  if (!view) return 'All features active'
  const news = getSubscriptionAlert(view)
  if (news?.kind === 'past-due') return 'Payment failed'
  if (news) return `Ends ${formatBillingDate(news.until)}`
  return view.status === 'trialing'
    ? `Trial, ${formatDaysLeft(view.currentPeriodEnd, view.asOf)}`
    : 'All features active'
}
