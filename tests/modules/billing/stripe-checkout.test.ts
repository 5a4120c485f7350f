import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus } from '#tests/support/billing.ts'
import { newMember } from '#tests/support/members.ts'
import { waitForEmailToken } from '#tests/support/outbox.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { start, createStripeFixture } from './stripe-fixture.ts'

let fixture: Awaited<ReturnType<typeof createStripeFixture>>
let owner: Awaited<ReturnType<typeof fixture.newOwner>>
const choose = (planType = 'professional') => owner.client.post('/api/create-subscription', { planType })

beforeAll(async () => {
  fixture = await createStripeFixture()
})
afterAll(() => fixture.dispose())
beforeEach(async () => {
  owner = await fixture.newOwner()
})

describe('choosing a plan with Stripe', () => {
  it('creates a customer and an unpaid subscription with a trial, each with its own idempotency key', async () => {
    const { body } = await choose()
    expect(body).toEqual({ clientSecret: 'seti_1_secret_2', publishableKey: 'pk_test_1', trialDays: 30 })
    const [customer] = fixture.requests('/v1/customers')
    expect(customer?.form).toEqual({
      email: owner.user.email,
      name: 'Harbor Clinic',
      'metadata[practiceId]': owner.practice.id,
    })
    expect(customer?.headers).toMatchObject({
      authorization: 'Bearer sk_test_1',
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': '2026-10-28.endive',
      'idempotency-key': `customer ${owner.practice.id}`,
    })
    const [created] = fixture.requests('/v1/subscriptions')
    const checkoutId = created?.form['metadata[checkoutId]']
    expect(created?.form).toEqual({
      customer: 'cus_1',
      'items[0][price]': 'price_p',
      payment_behavior: 'default_incomplete',
      'payment_settings[save_default_payment_method]': 'on_subscription',
      trial_period_days: '30',
      'trial_settings[end_behavior][missing_payment_method]': 'cancel',
      'metadata[practiceId]': owner.practice.id,
      'metadata[checkoutId]': checkoutId,
      'metadata[plan]': 'professional',
      'expand[0]': 'latest_invoice.confirmation_secret',
      'expand[1]': 'pending_setup_intent',
    })
    expect(created?.headers['idempotency-key']).toBe(`checkout ${checkoutId}`)
    // Stripe calls it a trial already, but without a card it does not count.
    expect((await owner.client.get('/api/subscription/status')).status).toBe(404)
    expect((await owner.client.get('/api/user')).body.subscriptionStatus).toBe('demo')
    expect((await choose()).body).toEqual(body)
    expect(fixture.requests('/v1/customers')).toHaveLength(1)
    // Stripe forgets idempotency keys after a day, so a known subscription is retrieved by id.
    expect(fixture.requests('/v1/subscriptions')).toHaveLength(1)
  })

  it('uses the current state, not the replayed first reply', async () => {
    // The first request was killed before its reply, and the plan was paid in another window.
    fixture.at.firstReply = { ...fixture.at.subscription }
    fixture.at.subscription = { ...fixture.at.subscription, pending_setup_intent: null, default_payment_method: 'pm_1' }
    fixture.stripe.setTime(new Date((start + 60) * 1_000))
    expect(await choose()).toMatchObject({ status: 409, problem: { code: 'already-subscribed' } })
    expect(await waitForSubscriptionStatus(owner.client, 'trialing')).toMatchObject({ plan: { id: 'professional' } })
  })

  it('cancels the unpaid subscription when another plan is chosen', async () => {
    await choose()
    await choose('starter')
    expect(fixture.requests('/v1/subscriptions/sub_1', 'DELETE')).toHaveLength(1)
    expect(fixture.requests('/v1/subscriptions').map(({ form }) => form['items[0][price]'])).toEqual([
      'price_p',
      'price_s',
    ])
  })

  it('reports that payments are unavailable, without the reason', async () => {
    fixture.at.refuse = {
      status: 401,
      body: { error: { type: 'invalid_request_error', message: 'Invalid API Key sk_test_1' } },
    }
    const answered = await choose()
    expect(answered).toMatchObject({ status: 503, problem: { code: 'payments-unavailable' } })
    expect(JSON.stringify(answered.body)).not.toContain('sk_test')
  })

  it('lists Stripe\u2019s prices and has no sandbox', async () => {
    const plans = (await owner.client.get('/api/subscription/plans')).body as { priceId: string }[]
    expect(plans.map(({ priceId }) => priceId)).toEqual(['price_s', 'price_p', 'price_e'])
    expect((await owner.client.post('/api/billing-sandbox/advance', { days: 1 })).status).toBe(404)
  })
})

it('gives Stripe the new address of the owner, and only the owner', async () => {
  await choose()
  const change = async (client: typeof owner.client, email: string) => {
    await client.post('/api/account/email', { email, password })
    const token = await waitForEmailToken(fixture.app, email)
    expect((await client.post('/api/account/email/confirm', { token })).status).toBe(204)
  }
  const { client: nurse } = await newMember(fixture.app, owner.practice.id, 'nurse')
  await change(nurse, 'nurse.new@example.test')
  await change(owner.client, 'owner.new@example.test')
  const updates = await waitUntil(
    () => fixture.requests('/v1/customers/cus_1'),
    (found) => found.length > 0,
  )
  expect(updates.map(({ form }) => form)).toEqual([{ email: 'owner.new@example.test', name: 'Harbor Clinic' }])
})

it('gives Stripe the address of a new owner', async () => {
  const { client, practice } = await newOwner(fixture.app, { selectedPlan: 'professional' })
  expect((await client.post('/api/create-subscription', { planType: 'professional' })).status).toBe(200)
  const { user: nurse } = await newMember(fixture.app, practice.id, 'nurse')
  expect((await client.post(`/api/team/${nurse.id}/transfer-ownership`)).status).toBe(200)
  const updates = await waitUntil(
    () => fixture.requests('/v1/customers/cus_1'),
    (found) => found.some(({ form }) => form['email'] === nurse.email),
  )
  expect(updates.at(-1)?.form).toEqual({ email: nurse.email, name: 'Harbor Clinic' })
})
