import { Router } from '@koa/router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { modules } from '#main/modules.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { type Feature, features, checkFeatureAccess } from '#contracts/values/tiers.ts'
import { serve } from '#http/serve.ts'
import type { Module } from '#modules/module.ts'
import { waitForSubscriptionStatus, subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

/** Returns an endpoint behind a feature, declared as those of the feature will be. */
const gated = (feature: Feature) =>
  endpoint({
    method: 'GET',
    path: `/api/test/${feature}`,
    access: { permission: 'clinical:read', feature },
    reply: z.null(),
  })
const behindGates: Module = {
  name: 'behind-gates',
  events: [],
  routes: () => {
    const router = new Router()
    for (const feature of Object.keys(features) as Feature[]) serve(router, gated(feature), async () => null)
    return router
  },
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ modules: [...modules, behindGates] })
})
afterAll(() => app.dispose())

/** Returns, by feature, `open` or the refusal. */
const checkFeatures = async (client: Client) =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(features).map(async (feature) => {
        const { status, problem } = await client.get(`/api/test/${feature}`)
        return [feature, status === 204 ? 'open' : `${status} ${problem.code} ${problem['tier'] as string}`] as const
      }),
    ),
  )

describe('a feature of a plan', () => {
  it('is closed in a demo for the whole practice, and names the required plan', async () => {
    const { client, practice } = await newOwner(app)
    const closed = {
      'ai-insights': '403 upgrade-required professional',
      'advanced-analytics': '403 upgrade-required professional',
      'insurance-verification': '403 upgrade-required starter',
    }
    expect(await checkFeatures(client)).toEqual(closed)
    expect(await checkFeatures(await joinPractice(app, practice.id, 'nurse'))).toEqual(closed)
    expect((await client.get('/api/test/ai-insights')).problem.message).toBe(
      'AI Insights needs the Professional plan or higher.',
    )
    await client.post('/api/create-subscription', { planType: 'enterprise' })
    expect(await checkFeatures(client), 'chosen and not paid').toEqual(closed)
  })

  it('opens with the plan, and closes when the subscription has ended', async () => {
    const { client, practice } = await newOwner(app)
    await subscribe(client, 'starter')
    await waitForUserSubscription(client, 'trial')
    const nurse = await joinPractice(app, practice.id, 'nurse')
    expect(await checkFeatures(nurse)).toEqual({
      'ai-insights': '403 upgrade-required professional',
      'advanced-analytics': '403 upgrade-required professional',
      'insurance-verification': 'open',
    })
    await client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_professional' })
    const open = { 'ai-insights': 'open', 'advanced-analytics': 'open', 'insurance-verification': 'open' }
    expect(await checkFeatures(nurse)).toEqual(open)
    await client.post('/api/subscription/cancel')
    expect(await checkFeatures(nurse), 'canceled, and paid for').toEqual(open)
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'canceled')
    expect(await waitForUserSubscription(nurse, 'demo')).toMatchObject({ hasLapsed: true, isActiveSubscriber: false })
    expect(await checkFeatures(nurse)).toEqual({
      'ai-insights': '403 subscription-required professional',
      'advanced-analytics': '403 subscription-required professional',
      'insurance-verification': '403 subscription-required starter',
    })
    expect((await client.get('/api/test/ai-insights')).problem.message).toBe(
      'Please activate your subscription to access AI Insights.',
    )
  })

  it('checks the permission before the plan', async () => {
    const { practice } = await newOwner(app)
    const staff = await joinPractice(app, practice.id, 'staff')
    expect((await app.newClient().get('/api/test/ai-insights')).problem.code).toBe('signed-out')
    expect(await staff.get('/api/test/ai-insights')).toMatchObject({ status: 403, problem: { code: 'forbidden' } })
  })
})

it('a larger plan opens every feature of a smaller one', () => {
  const opens = (subscriptionTier: 'starter' | 'professional' | 'enterprise') =>
    (Object.keys(features) as Feature[]).filter(
      (feature) =>
        checkFeatureAccess({ subscriptionStatus: 'active', subscriptionTier, hasLapsed: false }, feature) === 'open',
    )
  expect(opens('starter')).toEqual(['insurance-verification'])
  expect(opens('professional')).toEqual(Object.keys(features))
  expect(opens('enterprise')).toEqual(Object.keys(features))
})
