import { describe, expect, it } from 'vitest'
import { ApiProblem } from '#web/api/call.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { describeFeatureGate } from '#web/entities/billing/feature-gate.tsx'
import { parsePlanRefusal } from '#web/entities/billing/plan-notice.tsx'

const starterUser = { subscriptionStatus: 'active', subscriptionTier: 'starter', hasLapsed: false } as const
const demo = { ...starterUser, subscriptionStatus: 'demo' } as const

it('shows sample data to demo users who never subscribed, and not to users with records of their own', () => {
  const isShown = (isDemoUser: boolean, hasLapsed: boolean) =>
    showsSampleData({ subscriptionStatus: isDemoUser ? 'demo' : 'active', hasLapsed })
  expect([isShown(true, false), isShown(true, true), isShown(false, true), isShown(false, false)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

describe('a feature gate', () => {
  it('is open if the plan includes the feature, during a trial too', () => {
    expect(describeFeatureGate(starterUser, 'insurance-verification')).toBeNull()
    expect(
      describeFeatureGate(
        { ...starterUser, subscriptionStatus: 'trial', subscriptionTier: 'enterprise' },
        'ai-insights',
      ),
    ).toBeNull()
  })

  it('offers the demo an upgrade, whatever its stored tier', () => {
    const card = describeFeatureGate({ ...demo, subscriptionTier: 'enterprise' }, 'ai-insights')
    expect(card).toMatchObject({ title: 'Upgrade to use AI Insights', action: 'Upgrade', plan: 'professional' })
    expect(card?.hint).toContain('$129 per month. The first 30 days are free.')
  })

  it('has the exact text of the spec after a subscription has ended', () => {
    expect(describeFeatureGate({ ...demo, hasLapsed: true }, 'insurance-verification')).toEqual({
      title: 'Subscription Required',
      hint: 'Please activate your subscription to access Insurance Verification.',
      now: null,
      action: 'Activate Subscription',
      plan: null,
    })
  })

  it('shows the current and the required plan below the tier', () => {
    expect(describeFeatureGate(starterUser, 'advanced-analytics')).toMatchObject({
      title: 'Advanced Analytics needs the Professional plan or higher',
      now: 'Current plan: Starter',
      action: 'Upgrade to Professional',
      plan: 'professional',
    })
  })
})

describe('a plan refusal', () => {
  const refused = (status: number, code: string, more: object = {}) =>
    new ApiProblem({ type: 'about:blank', title: 'No', status, code, message: 'Why not.', errors: [], ...more })

  it('has the message of the server and a link to the plans', () => {
    expect(parsePlanRefusal(refused(402, 'plan-limit'))).toEqual({
      title: 'Your plan is full',
      text: 'Why not.',
      action: 'Upgrade',
      plan: null,
    })
    expect(parsePlanRefusal(refused(403, 'upgrade-required', { tier: 'professional' }))?.plan).toBe('professional')
    expect(parsePlanRefusal(refused(403, 'upgrade-required', { tier: 'free' }))?.plan).toBeNull()
    expect(parsePlanRefusal(refused(403, 'subscription-required'))?.action).toBe('Activate Subscription')
  })

  it('is no other error', () => {
    expect(parsePlanRefusal(refused(403, 'forbidden'))).toBeNull()
    expect(parsePlanRefusal(refused(402, 'card-declined'))).toBeNull()
    expect(parsePlanRefusal(new Error('plan-limit'))).toBeNull()
  })
})
