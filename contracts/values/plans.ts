import { z } from 'zod'

export const PlanId = z.enum(['starter', 'professional', 'enterprise'])
export type PlanId = z.infer<typeof PlanId>

/** The subscription status of a user (spec page 1, section 4). Demo users see sample data. */
export const SubscriptionStatus = z.enum(['demo', 'trial', 'active'])
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

/** Trials are 30 days wherever they are mentioned (product.md 5). */
export const trialDays = 30

type Plan = {
  id: PlanId
  name: string
  price: number
  summary: string
  features: readonly string[]
  recommended: boolean
}

/** The three plans (spec page 1 section 9, page 2 section 9); `price` in whole US dollars a month. */
export const plans: readonly Plan[] = [
  {
    id: 'starter',
    name: 'Starter',
    price: 49,
    summary: '1-3 providers, up to 500 patients',
    features: ['Up to 500 patients', 'Basic AI insights', 'Standard scheduling', 'Form processing', 'Email support'],
    recommended: false,
  },
  {
    id: 'professional',
    name: 'Professional',
    price: 129,
    summary: '4-10 providers, up to 2,000 patients',
    features: [
      'Up to 2,000 patients',
      'Advanced AI insights',
      'Smart scheduling',
      'Advanced form analysis',
      'SMS notifications',
      'Priority support',
      'Team management',
    ],
    recommended: true,
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    price: 249,
    summary: '10+ providers, unlimited patients',
    features: [
      'Unlimited patients',
      'Premium AI insights',
      'Multi-location support',
      'Custom integrations',
      'Dedicated support',
      'Advanced analytics',
      'API access',
    ],
    recommended: false,
  },
]

/** Returns a plan by its id. */
export function getPlan(id: PlanId): Plan {
  const found = plans.find((plan) => plan.id === id)
  if (!found) throw new Error(`There is no plan ${id}`)
  return found
}
