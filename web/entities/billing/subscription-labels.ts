import type { SubscriptionView } from '#contracts/billing.ts'
import type { Status } from '#web/ui/status-badge.tsx'

/** Returns the badge of a subscription (spec page 1, section 4): "Canceling" in any status once it is set to end. */
export function getSubscriptionBadge(view: Pick<SubscriptionView, 'status' | 'cancelAtPeriodEnd'>): {
  status: Status
  label: string
} {
  if (view.cancelAtPeriodEnd) return { status: 'waiting', label: 'Canceling' }
  if (view.status === 'active') return { status: 'active', label: 'Active' }
  if (view.status === 'trialing') return { status: 'connected', label: 'Trial' }
  if (view.status === 'past_due') return { status: 'failed', label: 'Past Due' }
  if (view.status === 'canceled') return { status: 'cancelled', label: 'Canceled' }
  return { status: 'pending', label: view.status }
}

/** Returns the label of the date beside the plan. */
export function getSubscriptionDateLabel(view: SubscriptionView): string {
  if (view.status === 'canceled') return 'Access ended'
  if (view.cancelAtPeriodEnd || view.status === 'past_due') return 'Access until'
  return 'Next billing date'
}

/** Returns the date beside the plan, an instant in UTC: while past due, access ends before the period does. */
export const getSubscriptionDate = ({ status, accessUntil, currentPeriodEnd }: SubscriptionView): string =>
  status === 'past_due' || status === 'canceled' ? (accessUntil ?? currentPeriodEnd) : currentPeriodEnd
