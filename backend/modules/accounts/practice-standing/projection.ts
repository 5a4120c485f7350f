import type { PlanId } from '#contracts/values/plans.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import {
  foldSubscription,
  type Subscription,
  type SubscriptionEvent,
  subscriptionEvents,
} from '#modules/billing/subscriptions/public.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

/** The rules of a practice for its members' sessions, its place, and the access that its subscription grants. */
type PracticeStandingRow = {
  practice_id: string
  require_two_factor: boolean
  /** Minutes. */
  session_timeout: number
  /** IANA name; null when the set-up is unknown, as for a subscription that a message of the provider reported first. */
  timezone: string | null
  phone: string | null
  /** The folded state of billing; null when the practice never subscribed. */
  billing_state: Subscription['billing_state'] | null
  subscription_status: BillingStatus | null
  access_kind: 'trial' | 'active' | null
  access_plan: PlanId | null
  access_until: string | null
  last_update_at: string | null
}

const createRow = (practiceId: string): PracticeStandingRow => ({
  practice_id: practiceId,
  require_two_factor: false,
  session_timeout: defaultSessionTimeout,
  timezone: null,
  phone: null,
  billing_state: null,
  subscription_status: null,
  access_kind: null,
  access_plan: null,
  access_until: null,
  last_update_at: null,
})

function applySubscription(row: PracticeStandingRow | null, event: SubscriptionEvent): PracticeStandingRow {
  const { billing_state, status, access_kind, access_plan, access_until, last_update_at } = foldSubscription(row, event)
  const before = row ?? createRow(event.data.practiceId)
  const access = { access_kind, access_plan, access_until, last_update_at }
  return { ...before, billing_state, subscription_status: status, ...access }
}

/** One row per practice: the part of a session that belongs to the practice, read with every request. */
export const practiceStanding = defineProjection<PracticeEvent | SubscriptionEvent, PracticeStandingRow>({
  name: 'practice_standing',
  version: 2,
  key: 'practice_id',
  columns: {
    practice_id: 'uuid',
    require_two_factor: 'bool',
    session_timeout: 'int4',
    timezone: 'text',
    phone: 'text',
    billing_state: 'jsonb',
    subscription_status: 'text',
    access_kind: 'text',
    access_plan: 'text',
    access_until: 'timestamptz',
    last_update_at: 'timestamptz',
  },
  rowOf: ({ data }) => data.practiceId,
  on: {
    PracticeSetUp: (row, { data: { practiceId, timezone, phone } }) => ({
      ...(row ?? createRow(practiceId)),
      timezone,
      phone,
    }),
    PracticeDetailsChanged: (row, { data: { practiceId, to } }) => {
      const before = row ?? createRow(practiceId)
      return {
        ...before,
        require_two_factor: to.requireTwoFactor ?? before.require_two_factor,
        session_timeout: to.sessionTimeout ?? before.session_timeout,
        timezone: to.timezone ?? before.timezone,
        phone: to.phone ?? before.phone,
      }
    },
    PracticeSetupCompleted: 'ignore',
    ...mapEvents(subscriptionEvents, applySubscription),
  },
})
