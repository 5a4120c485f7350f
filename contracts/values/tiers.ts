import { z } from 'zod'
import type { PlanId, SubscriptionStatus } from './plans.ts'

/** How many patients a practice may have with each plan (spec page 1, section 9); null where there is no limit. */
export const patientLimits: Readonly<Record<PlanId, number | null>> = {
  starter: 500,
  professional: 2_000,
  enterprise: null,
}

/** Where a subscription stands, as people read it (spec page 1, section 4). */
export const BillingStatus = z.enum(['incomplete', 'trialing', 'active', 'past_due', 'canceled'])
export type BillingStatus = z.infer<typeof BillingStatus>

/** What only a plan opens, and from which one on (spec page 2, section 6); `name` as people read it. All else is for everybody. */
export const features = {
  'ai-insights': { name: 'AI Insights', tier: 'professional' },
  'advanced-analytics': { name: 'Advanced Analytics', tier: 'professional' },
  'insurance-verification': { name: 'Insurance Verification', tier: 'starter' },
} as const satisfies Record<string, { name: string; tier: PlanId }>
export type Feature = keyof typeof features

/** Where a practice stands with us. `hasLapsed`: it subscribed once, and what it paid for is over. */
export type AccessStatus = { subscriptionStatus: SubscriptionStatus; subscriptionTier: PlanId; hasLapsed: boolean }

const ranks: Readonly<Record<PlanId, number>> = { starter: 1, professional: 2, enterprise: 3 }

/**
 * What stands before a feature (spec page 2, section 4.7): nothing; that this is a demo; that no subscription is active any
 * more; or that the plan is too small.
 */
export function checkFeatureAccess(
  who: AccessStatus,
  feature: Feature,
): 'open' | 'demo' | 'no-subscription' | 'below-tier' {
  if (who.subscriptionStatus === 'demo') return who.hasLapsed ? 'no-subscription' : 'demo'
  return ranks[who.subscriptionTier] >= ranks[features[feature].tier] ? 'open' : 'below-tier'
}
