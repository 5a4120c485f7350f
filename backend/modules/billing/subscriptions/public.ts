import type { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import { computeAccess, currentSubscription } from '../access.ts'
import { billingDecider, type BillingState } from '../decider.ts'
import type { BillingEvent } from '../events.ts'

/**
 * The subscription of a practice and the access that it grants. `billing_state` is the folded state of the decider;
 * `access_until` is null when no end is known; `last_update_at` is the latest instant reported, by the provider's clock.
 */
export type Subscription = {
  billing_state: BillingState
  subscription_id: string | null
  status: BillingStatus | null
  plan: PlanId | null
  current_period_end: string | null
  access_kind: 'trial' | 'active' | null
  access_plan: PlanId | null
  access_until: string | null
  last_update_at: string | null
}

/** The events that change a subscription or its access. */
export const subscriptionEvents = [
  'CheckoutStarted',
  'SubscriptionStarted',
  'TrialStarted',
  'SubscriptionActivated',
  'SubscriptionRenewed',
  'SubscriptionPastDue',
  'PlanChangeScheduled',
  'PlanChangeWithdrawn',
  'PlanChanged',
  'CancellationScheduled',
  'SubscriptionReactivated',
  'SubscriptionCanceled',
  'SubscriptionConfirmed',
  'PaymentSucceeded',
  'PaymentFailed',
  'InvoiceVoided',
  'SandboxSubscriptionEnded',
] as const
export type SubscriptionEvent = Extract<BillingEvent, { type: (typeof subscriptionEvents)[number] }>

/** Returns a practice's subscription after one more of these events; `before` is null at the first. For projections. */
export function foldSubscription(
  before: (Pick<Subscription, 'last_update_at'> & { billing_state: BillingState | null }) | null,
  event: SubscriptionEvent,
): Subscription {
  const state = billingDecider.evolve(before?.billing_state ?? billingDecider.initial, event)
  const current = currentSubscription(state)
  const access = computeAccess(state)
  // The clock of the sandbox may have been far ahead.
  const known = event.type === 'SandboxSubscriptionEnded' ? event.data.at : (before?.last_update_at ?? null)
  const observedAt = 'observed' in event.data ? event.data.observed.at : null
  return {
    billing_state: state,
    subscription_id: current?.subscriptionId ?? null,
    status: current?.status ?? null,
    plan: current?.plan ?? null,
    current_period_end: current?.currentPeriodEnd ?? null,
    access_kind: access?.kind ?? null,
    access_plan: access?.plan ?? null,
    access_until: access?.until ?? null,
    last_update_at:
      [known, observedAt]
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? null,
  }
}
