import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { PlanId, getPlan } from '#contracts/values/plans.ts'
import { patientLimits } from '#contracts/values/tiers.ts'
import { ProblemError } from '#http/problems.ts'

const Counted = z.object({ plan: PlanId, patients: z.number() })

const limited = sql.array(
  PlanId.options.filter((plan) => patientLimits[plan] !== null),
  'text',
)

/** How many patients the plan of a practice has room for, and how many more there can be. */
export type PlanCapacity = { limit: number; room: number; message: string }

/**
 * The room that the plan of a practice leaves; null without a limit. Sample patients do not count. A practice that never
 * subscribed has no plan, and one that does not pay any more keeps the limit it had.
 */
export async function findPlanCapacity(db: CommonQueryMethods, practiceId: string): Promise<PlanCapacity | null> {
  // Those without a limit may have a great many: they are not counted for everybody who is added.
  const found = await db.maybeOne(sql.type(Counted)`
    select s.access_plan as plan, case when s.access_plan = any(${limited}) then
      (select count(*)::int4 from read.patients p where p.practice_id = s.practice_id and not p.sample) else 0 end as patients
    from read.subscriptions s where s.practice_id = ${practiceId} and s.access_plan is not null`)
  const limit = found && patientLimits[found.plan]
  if (!found || limit === null) return null
  const message = `Your ${getPlan(found.plan).name} plan holds ${limit.toLocaleString('en-US')} patients. Upgrade to add more.`
  return { limit, room: Math.max(0, limit - found.patients), message }
}

/** Whoever adds patients where there is a limit holds this name, so that the last free place goes to one of them. */
export const planLimitLock = (practiceId: string): string => `patients of ${practiceId}`

/** Refuses with 402 `plan-limit` where there is no room for one more patient. */
export function requirePlanCapacity(found: PlanCapacity | null): void {
  if (found && found.room === 0) throw new ProblemError(402, 'plan-limit', found.message, { limit: found.limit })
}
