import type { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import { defineProjection } from '#projections/projection.ts'
import { computeAccess, currentSubscription } from './access.ts'
import { billingDecider, type BillingState } from './decider.ts'
import type { BillingEvent } from './events.ts'

/**
 * The subscription of a practice and the access that it grants. `billing_state` is the folded state of the decider;
 * `access_until` is null when no end is known; `last_update_at` is the latest instant reported, by the provider's clock.
 */
export type SubscriptionRow = {
  practice_id: string
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

type ProjectedEvent = Exclude<BillingEvent, { type: 'ProviderUpdateMissed' }>

const fold = (row: SubscriptionRow | null, event: ProjectedEvent): SubscriptionRow => {
  const state = billingDecider.evolve(row?.billing_state ?? billingDecider.initial, event)
  const current = currentSubscription(state)
  const access = computeAccess(state)
  // The clock of the sandbox may have been far ahead.
  const known = event.type === 'SandboxSubscriptionEnded' ? event.data.at : (row?.last_update_at ?? null)
  const observedAt = 'observed' in event.data ? event.data.observed.at : null
  return {
    practice_id: event.data.practiceId,
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

/** Every practice that has ever chosen a plan. */
export const subscriptionsProjection = defineProjection<ProjectedEvent, SubscriptionRow>({
  name: 'subscriptions',
  version: 4,
  key: 'practice_id',
  columns: {
    practice_id: 'uuid',
    billing_state: 'jsonb',
    subscription_id: 'text',
    status: 'text',
    plan: 'text',
    current_period_end: 'timestamptz',
    access_kind: 'text',
    access_plan: 'text',
    access_until: 'timestamptz',
    last_update_at: 'timestamptz',
  },
  rowOf: ({ data }) => data.practiceId,
  on: {
    CheckoutStarted: fold,
    SubscriptionStarted: fold,
    TrialStarted: fold,
    SubscriptionActivated: fold,
    SubscriptionRenewed: fold,
    SubscriptionPastDue: fold,
    PlanChangeScheduled: fold,
    PlanChangeWithdrawn: fold,
    PlanChanged: fold,
    CancellationScheduled: fold,
    SubscriptionReactivated: fold,
    SubscriptionCanceled: fold,
    SubscriptionConfirmed: fold,
    PaymentSucceeded: fold,
    PaymentFailed: fold,
    InvoiceVoided: fold,
    SandboxSubscriptionEnded: fold,
  },
})
