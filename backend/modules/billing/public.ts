import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { PracticeId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { prepared } from '#database/prepared.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { computeAccess } from './access.ts'
import { billingDecider } from './decider.ts'
import { billingSettings } from './settings.ts'
import { testStripe } from './stripe-client.ts'

/**
 * Returns a subquery for the access that a practice has at a moment; both arguments are SQL expressions. It gives one row
 * (`status`, `plan`, `has_lapsed`, `past_due_until`, `has_open_invoice`), or none when the practice never subscribed. `status` and `plan` are
 * null when the access has ended. It is SQL, for `left join lateral`, because it belongs to the query that finds a session
 * with every request. When our clock is behind the payment provider's, the provider's last message counts.
 */
export const practiceAccessSql = (practiceId: string, now: string): string => `
  select case when is_current then access_kind end as status,
    case when is_current then access_plan end as plan,
    not is_current and access_kind is not null as has_lapsed,
    case when is_current and subscription_status = 'past_due' then access_until end as past_due_until,
    subscription_status is not distinct from 'past_due' as has_open_invoice
  from (
    select access_kind, access_plan, access_until, status as subscription_status,
      coalesce(access_until > greatest(${now}, last_update_at), true) as is_current
    from read.subscriptions where practice_id = ${practiceId}
  ) as subscription`

/** Returns whether a practice has a plan at an instant, a trial included. */
export async function hasPlan(db: CommonQueryMethods, practiceId: PracticeId, now: Date): Promise<boolean> {
  const subscription = await db.maybeOne(sql.type(z.object({ isOpen: z.boolean() }))`
    select coalesce(access_until > greatest(${now.toISOString()}::timestamptz, last_update_at), true)
        and access_kind is not null as "isOpen"
    from read.subscriptions where practice_id = ${practiceId}`)
  return subscription?.isOpen ?? false
}

/** Returns the plan that a practice pays for, or paid for last; null when it never subscribed. */
export async function findLastPlan(db: CommonQueryMethods, practiceId: string): Promise<PlanId | null> {
  const row = await db.maybeOne(
    prepared(sql.type(z.object({ plan: PlanId.nullable() }))`
      select access_plan as plan from read.subscriptions where practice_id = ${practiceId}`),
  )
  return row?.plan ?? null
}

/** Returns whether a plan of a practice has ever opened, from the stored events. */
export const hasPlanOpened = async (bus: CommandBus, practiceId: PracticeId): Promise<boolean> =>
  computeAccess((await bus.load(billingDecider, practiceId)).state) !== null

/** Returns how this installation takes payments: through Stripe, with its stand-in, or not at all. */
export function getPaymentKind(services: Pick<Services, 'settings'>): 'stripe' | 'stand-in' | 'none' {
  const { stripe, createStandIn } = billingSettings.read(services)
  return stripe ? 'stripe' : createStandIn ? 'stand-in' : 'none'
}

/** Tests the connection to Stripe and records the outcome. Returns the code of the error; null when it works. */
export async function testPayments(services: Pick<Services, 'settings' | 'vendors'>): Promise<string | null> {
  const { stripe } = billingSettings.read(services)
  return stripe ? await testStripe(stripe, services.vendors) : null
}
