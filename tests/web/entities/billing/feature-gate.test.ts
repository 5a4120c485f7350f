import { describe, expect, it } from 'vitest'
import { ApiProblem } from '#web/api/call.ts'
import { isShownSampleData } from '#web/entities/accounts/current-user.ts'
import { describeFeatureGate } from '#web/entities/billing/feature-gate.tsx'
import { parsePlanRefusal } from '#web/entities/billing/plan-notice.tsx'

const someone = { subscriptionStatus: 'active', subscriptionTier: 'starter', hasLapsed: false } as const
const demo = { ...someone, subscriptionStatus: 'demo' } as const

it('shows the sample to a demo that never subscribed, and to nobody who has records of their own to lose in it', () => {
  const asked = (isDemoUser: boolean, hasLapsed: boolean) => isShownSampleData({ isDemoUser, hasLapsed })
  expect([asked(true, false), asked(true, true), asked(false, true), asked(false, false)]).toEqual([
    true,
    false,
    false,
    false,
  ])
})

describe('what stands before a feature', () => {
  it('is nothing for whose plan opens it, in a trial too', () => {
    expect(describeFeatureGate(someone, 'insurance-verification')).toBeNull()
    expect(
      describeFeatureGate({ ...someone, subscriptionStatus: 'trial', subscriptionTier: 'enterprise' }, 'ai-insights'),
    ).toBeNull()
  })

  it('is an upgrade for the demo, whatever tier is written down for it', () => {
    const card = describeFeatureGate({ ...demo, subscriptionTier: 'enterprise' }, 'ai-insights')
    expect(card).toMatchObject({ title: 'Upgrade to use AI Insights', action: 'Upgrade', plan: 'professional' })
    expect(card?.hint).toContain('$129 per month. The first 30 days are free.')
  })

  it('is the exact text of the spec where a subscription is over', () => {
    expect(describeFeatureGate({ ...demo, hasLapsed: true }, 'insurance-verification')).toEqual({
      title: 'Subscription Required',
      hint: 'Please activate your subscription to access Insurance Verification.',
      now: null,
      action: 'Activate Subscription',
      plan: null,
    })
  })

  it('is the current plan and a better one below the tier', () => {
    expect(describeFeatureGate(someone, 'advanced-analytics')).toMatchObject({
      title: 'Advanced Analytics needs the Professional plan or higher',
      now: 'Current plan: Starter',
      action: 'Upgrade to Professional',
      plan: 'professional',
    })
  })
})

describe('a call that the plan does not allow', () => {
  const refused = (status: number, code: string, more: object = {}) =>
    new ApiProblem({ type: 'about:blank', title: 'No', status, code, message: 'Why not.', errors: [], ...more })

  it('is said in the words of the server, with the way to the plans', () => {
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

  it('is not any other refusal', () => {
    expect(parsePlanRefusal(refused(403, 'forbidden'))).toBeNull()
    expect(parsePlanRefusal(refused(402, 'card-declined'))).toBeNull()
    expect(parsePlanRefusal(new Error('plan-limit'))).toBeNull()
  })
})
