import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus } from '#tests/support/billing.ts'
import { start, stripeHouse } from './stripe-fixture.ts'

let house: Awaited<ReturnType<typeof stripeHouse>>
let owner: Awaited<ReturnType<typeof house.newOwner>>
const choose = (planType = 'professional') => owner.client.post('/api/create-subscription', { planType })

beforeAll(async () => {
  house = await stripeHouse()
})
afterAll(() => house.end())
beforeEach(async () => {
  owner = await house.newOwner()
})

describe('choosing a plan with Stripe', () => {
  it('asks for a customer and an unpaid subscription with a trial, each under a key of its own', async () => {
    const { body } = await choose()
    expect(body).toEqual({ clientSecret: 'seti_1_secret_2', publishableKey: 'pk_test_1', trialDays: 30 })
    const [customer] = house.asked('/v1/customers')
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
    const [created] = house.asked('/v1/subscriptions')
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
    // Stripe calls it a trial already. Nobody gave a card: it is none.
    expect((await owner.client.get('/api/subscription/status')).status).toBe(404)
    expect((await owner.client.get('/api/user')).body.subscriptionStatus).toBe('demo')
    expect((await choose()).body).toEqual(body)
    expect(house.asked('/v1/customers')).toHaveLength(1)
    // Stripe forgets keys after a day: what is known is asked for by its name.
    expect(house.asked('/v1/subscriptions')).toHaveLength(1)
  })

  it('is told how things are now, not how they were when it asked the first time', async () => {
    // Whoever asked first was killed before the answer, and somebody paid in another window.
    house.at.repeats = { ...house.at.book }
    house.at.book = { ...house.at.book, pending_setup_intent: null, default_payment_method: 'pm_1' }
    house.stripe.setTime(new Date((start + 60) * 1_000))
    expect(await choose()).toMatchObject({ status: 409, problem: { code: 'already-subscribed' } })
    expect(await waitForSubscriptionStatus(owner.client, 'trialing')).toMatchObject({ plan: { id: 'professional' } })
  })

  it('gives up the unpaid one when another plan is chosen', async () => {
    await choose()
    await choose('starter')
    expect(house.asked('/v1/subscriptions/sub_1', 'DELETE')).toHaveLength(1)
    expect(house.asked('/v1/subscriptions').map(({ form }) => form['items[0][price]'])).toEqual(['price_p', 'price_s'])
  })

  it('says that payments do not answer, and nothing of why', async () => {
    house.at.refuse = {
      status: 401,
      body: { error: { type: 'invalid_request_error', message: 'Invalid API Key sk_test_1' } },
    }
    const answered = await choose()
    expect(answered).toMatchObject({ status: 503, problem: { code: 'payments-unavailable' } })
    expect(JSON.stringify(answered.body)).not.toContain('sk_test')
  })

  it('shows Stripe\u2019s prices and has no sandbox', async () => {
    const plans = (await owner.client.get('/api/subscription/plans')).body as { priceId: string }[]
    expect(plans.map(({ priceId }) => priceId)).toEqual(['price_s', 'price_p', 'price_e'])
    expect((await owner.client.post('/api/billing-sandbox/advance', { days: 1 })).status).toBe(404)
  })
})
