import { z } from 'zod'
import { PlanId, type SubscriptionStatus } from './plans.ts'

/** The maximum number of patients of each plan (spec page 1, section 9); null without a limit. */
export const patientLimits: Readonly<Record<PlanId, number | null>> = {
  starter: 500,
  professional: 2_000,
  enterprise: null,
}

/** The maximum number of providers of each plan (spec page 1, section 9), open invitations included; null without a limit. */
export const providerLimits: Readonly<Record<PlanId, number | null>> = {
  starter: 3,
  professional: 10,
  enterprise: null,
}

/** The plan whose limits a practice has that never subscribed; its sample records do not count. */
export const demoLimitPlan: PlanId = 'starter'

/** Returns the smallest plan with room for a number of patients and of providers. */
export const findPlanFor = (patients: number, providers: number): PlanId =>
  PlanId.options.find(
    (plan) => patients <= (patientLimits[plan] ?? Infinity) && providers <= (providerLimits[plan] ?? Infinity),
  ) ?? 'enterprise'

/** The status of a subscription as it is shown (spec page 1, section 4). */
export const BillingStatus = z.enum(['incomplete', 'trialing', 'active', 'past_due', 'canceled'])
export type BillingStatus = z.infer<typeof BillingStatus>

/**
 * The features that need a plan, with the lowest one that includes them (spec page 2, section 6), and their displayed
 * names. Everything else is available in every plan.
 */
export const features = {
  'ai-insights': { name: 'AI Insights', tier: 'professional' },
  'advanced-analytics': { name: 'Advanced Analytics', tier: 'professional' },
  'insurance-verification': { name: 'Insurance Verification', tier: 'starter' },
} as const satisfies Record<string, { name: string; tier: PlanId }>
export type Feature = keyof typeof features

/** The access of a practice. `hasLapsed`: it had a subscription that has ended. */
export type AccessStatus = { subscriptionStatus: SubscriptionStatus; subscriptionTier: PlanId; hasLapsed: boolean }

/**
 * Returns whether the sample practice's data is shown: until the first plan opens, and never again, because records of its
 * own must not be mixed with sample data.
 */
export const showsSampleData = ({
  subscriptionStatus,
  hasLapsed,
}: Pick<AccessStatus, 'subscriptionStatus' | 'hasLapsed'>): boolean => subscriptionStatus === 'demo' && !hasLapsed

const ranks: Readonly<Record<PlanId, number>> = { starter: 1, professional: 2, enterprise: 3 }

/**
 * Returns whether a feature is available, and otherwise why not (spec page 2, section 4.7): demo, no active
 * subscription, or a plan that is too small.
 */
export function checkFeatureAccess(
  who: AccessStatus,
  feature: Feature,
): 'open' | 'demo' | 'no-subscription' | 'below-tier' {
  if (who.subscriptionStatus === 'demo') return who.hasLapsed ? 'no-subscription' : 'demo'
  return ranks[who.subscriptionTier] >= ranks[features[feature].tier] ? 'open' : 'below-tier'
}
