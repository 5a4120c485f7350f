import { defineProjection, mapEvents } from '#projections/projection.ts'
import {
  foldSubscription,
  type Subscription,
  type SubscriptionEvent,
  subscriptionEvents,
} from './subscriptions/public.ts'

type SubscriptionRow = Subscription & { practice_id: string }

const fold = (row: SubscriptionRow | null, event: SubscriptionEvent): SubscriptionRow => ({
  practice_id: event.data.practiceId,
  ...foldSubscription(row, event),
})

/** Every practice that has ever chosen a plan. */
export const subscriptionsProjection = defineProjection<SubscriptionEvent, SubscriptionRow>({
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
  on: mapEvents(subscriptionEvents, fold),
})
