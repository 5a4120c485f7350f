import { z } from 'zod'
import type { PlanId } from './plans.ts'

/** How many patients a practice may have with each plan (spec page 1, section 9); null where there is no limit. */
export const patientLimits: Readonly<Record<PlanId, number | null>> = {
  starter: 500,
  professional: 2_000,
  enterprise: null,
}

/** Where a subscription stands, as people read it (spec page 1, section 4). */
export const BillingStatus = z.enum(['incomplete', 'trialing', 'active', 'past_due', 'canceled'])
export type BillingStatus = z.infer<typeof BillingStatus>
