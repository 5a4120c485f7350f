import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { PracticeId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { computeAccess } from './access.ts'
import { billingDecider } from './decider.ts'
import { billingSettings } from './settings.ts'
import { testStripe } from './stripe/client.ts'

const NoColumns = z.object({})
const OpenRow = z.object({ practiceId: z.string() })
const PlanRow = z.object({ plan: PlanId.nullable() })

/** Returns whether a plan of a practice has ever opened, as far as the read models say. */
export const hasHadPlan = async (db: CommonQueryMethods, practiceId: string): Promise<boolean> =>
  (await db.maybeOne(sql.type(NoColumns)`
    select from read.subscriptions where practice_id = ${practiceId} and access_kind is not null`)) !== null

/** Returns whether a practice has a plan at an instant, a trial included. */
export const hasPlan = (db: CommonQueryMethods, practiceId: PracticeId, now: Date): Promise<boolean> =>
  hasPlanAt(db, { practiceId, now: now.toISOString() })

const hasPlanAt = groupQueries(async (db, asked: readonly { practiceId: PracticeId; now: string }[]) => {
  const practiceIds = asked.map(({ practiceId }) => practiceId)
  const instants = asked.map(({ now }) => now)
  const rows = await db.any(
    prepared(sql.type(OpenRow)`
      select distinct practice_id as "practiceId"
      from read.subscriptions
      join unnest(${listOf(practiceIds, 'uuid')}, ${listOf(instants, 'timestamptz')}) as asked (practice_id, now) using (practice_id)
      where access_kind is not null and coalesce(access_until > greatest(now, last_update_at), true)`),
  )
  const open = new Set(rows.map(({ practiceId }) => practiceId))
  return asked.map(({ practiceId }) => open.has(practiceId))
})

/** Returns the plan that a practice pays for, or paid for last; null when it never subscribed. */
export async function findLastPlan(db: CommonQueryMethods, practiceId: string): Promise<PlanId | null> {
  const row = await db.maybeOne(
    prepared(sql.type(PlanRow)`
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
