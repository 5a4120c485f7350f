import type { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import { defineProjection } from '#projections/projection.ts'
import { computeAccess, currentSubscription } from './access.ts'
import { billingDecider, type BillingState } from './decider.ts'
import type { BillingEvent } from './events.ts'

/**
 * What a practice pays for and may use. `known` is all that the record says of it. `access_until` is null where no end is
 * known; `heard_at` is the latest moment the provider has told of, by its own clock.
 */
export type SubscriptionRow = {
  practice_id: string
  known: BillingState
  subscription_id: string | null
  status: BillingStatus | null
  plan: PlanId | null
  current_period_end: string | null
  access_as: 'trial' | 'active' | null
  access_plan: PlanId | null
  access_until: string | null
  heard_at: string | null
}

type ProjectedEvent = Exclude<BillingEvent, { type: 'GapNoticed' }>

const fold = (row: SubscriptionRow | null, event: ProjectedEvent): SubscriptionRow => {
  const known = billingDecider.evolve(row?.known ?? billingDecider.initial, event)
  const current = currentSubscription(known)
  const access = computeAccess(known)
  const heard = 'seen' in event.data ? event.data.seen.at : null
  return {
    practice_id: event.data.practiceId,
    known,
    subscription_id: current?.subscriptionId ?? null,
    status: current?.status ?? null,
    plan: current?.plan ?? null,
    current_period_end: current?.currentPeriodEnd ?? null,
    access_as: access?.as ?? null,
    access_plan: access?.plan ?? null,
    access_until: access?.until ?? null,
    heard_at:
      [row?.heard_at ?? null, heard]
        .filter((at) => at !== null)
        .toSorted()
        .at(-1) ?? null,
  }
}

/** One row a practice that has ever chosen a plan. */
export const subscriptionsProjection = defineProjection<ProjectedEvent, SubscriptionRow>({
  name: 'subscriptions',
  version: 2,
  key: 'practice_id',
  columns: {
    practice_id: 'uuid',
    known: 'jsonb',
    subscription_id: 'text',
    status: 'text',
    plan: 'text',
    current_period_end: 'timestamptz',
    access_as: 'text',
    access_plan: 'text',
    access_until: 'timestamptz',
    heard_at: 'timestamptz',
  },
  rowOf: ({ data }) => data.practiceId,
  on: {
    CheckoutBegun: fold,
    SubscriptionStarted: fold,
    TrialStarted: fold,
    SubscriptionActivated: fold,
    SubscriptionRenewed: fold,
    SubscriptionFellPastDue: fold,
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
  },
})
