import type { CommonQueryMethods } from 'slonik'
import { getPlan, type PlanId } from '#contracts/values/plans.ts'
import { demoLimitPlan, patientLimits } from '#contracts/values/tiers.ts'
import { ProblemError } from '#http/problems.ts'
import { findLastPlan } from '#modules/billing/public.ts'
import { countPatients } from './public.ts'

/** The maximum number of patients of a plan; `isDemo` for a practice that never had one. */
export type PatientLimit = { plan: PlanId; isDemo: boolean; maxPatients: number }

/** The number of patients that a plan has room for, and the message for the user when there is none. */
export type PlanCapacity = { maxPatients: number; remaining: number; message: string }

/**
 * Returns the limit of the plan that a practice pays for, or paid for last; null without a limit. A practice that never subscribed has the limit of the
 * smallest plan for its own records; one whose subscription has ended keeps its limit.
 */
export function getPatientLimit(paidPlan: PlanId | null): PatientLimit | null {
  const plan = paidPlan ?? demoLimitPlan
  const maxPatients = patientLimits[plan]
  return maxPatients === null ? null : { plan, isDemo: paidPlan === null, maxPatients }
}

/** Returns the capacity that is left. Sample patients do not count. */
export async function measurePlanCapacity(
  db: CommonQueryMethods,
  practiceId: string,
  { plan, isDemo, maxPatients }: PatientLimit,
): Promise<PlanCapacity> {
  const patients = await countPatients(db, practiceId)
  const holder = isDemo ? 'The demo' : `Your ${getPlan(plan).name} plan`
  const message = `${holder} holds ${maxPatients.toLocaleString('en-US')} patients${isDemo ? ' of your own' : ''}. Upgrade to add more.`
  return { maxPatients, remaining: Math.max(0, maxPatients - patients), message }
}

/** Returns the capacity of the plan of a practice; null without a limit. */
export async function findPlanCapacity(db: CommonQueryMethods, practiceId: string): Promise<PlanCapacity | null> {
  const limit = getPatientLimit(await findLastPlan(db, practiceId))
  return limit && measurePlanCapacity(db, practiceId, limit)
}

/** Returns the lock name that every registration in a practice with a limit holds, so that the last place is given once. */
export const planLimitLock = (practiceId: string): string => `patients of ${practiceId}`

/** Throws 402 `plan-limit` when there is no capacity for one more patient. */
export function requirePlanCapacity({ maxPatients, remaining, message }: PlanCapacity): void {
  if (remaining === 0) throw new ProblemError(402, 'plan-limit', message, { limit: maxPatients })
}
