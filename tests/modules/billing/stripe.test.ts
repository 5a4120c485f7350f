import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus, waitForUserSubscription } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { pollUntil } from '#tests/support/until.ts'
import { day, declined, iso, start, stripeHouse } from './stripe-fixture.ts'

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

describe('a subscription at Stripe', () => {
  beforeEach(async () => {
    await choose()
    house.at.book = { ...house.at.book, pending_setup_intent: null, default_payment_method: 'pm_1' }
    house.stripe.setTime(new Date((start + 60) * 1_000))
    await house.tell('customer.subscription.updated', house.at.book, start + 50)
    await waitForSubscriptionStatus(owner.client, 'trialing')
    house.stripe.calls.length = 0
  })

  it('is a trial once there is a card', async () => {
    expect(await waitForUserSubscription(owner.client, 'trial')).toMatchObject({ subscriptionTier: 'professional' })
  })

  it('is looked up when it is paid, and not when something else is said', async () => {
    const item = { id: 'si_1', price: { id: 'price_p' } }
    const period = { current_period_start: start + 30 * day, current_period_end: start + 61 * day }
    house.at.book = { ...house.at.book, status: 'active', items: { data: [{ ...item, ...period }] } }
    const paidAt = start + 30 * day + 3_600
    house.stripe.setTime(new Date((paidAt + 5) * 1_000))
    const line = {
      period: { start: start + 30 * day, end: start + 61 * day },
      pricing: { price_details: { price: 'price_p' } },
    }
    const details = { subscription: 'sub_1', metadata: { practiceId: owner.practice.id } }
    const invoice = {
      id: 'in_1',
      amount_due: 129_00,
      parent: { subscription_details: details },
      lines: { data: [line] },
    }
    await house.tell('invoice.created', invoice, paidAt)
    await house.tell('invoice.paid', { ...invoice, id: 'in_0', amount_due: 0 }, paidAt)
    await house.tell('invoice.paid', invoice, paidAt)
    expect(await waitForSubscriptionStatus(owner.client, 'active')).toMatchObject({
      currentPeriodEnd: iso(start + 61 * day),
    })
    expect(house.asked('/v1/subscriptions/sub_1', 'GET')).toHaveLength(1)
    const record = await readStream(house.app.services.store, `subscription-${owner.practice.id}`)
    expect(record.filter(({ type }) => type === 'PaymentSucceeded').map(({ data }) => data['invoice'])).toEqual([
      {
        invoiceId: 'in_1',
        subscriptionId: 'sub_1',
        status: 'paid',
        plan: 'professional',
        amount: { cents: 129_00, currency: 'USD' },
        periodStart: iso(start + 30 * day),
        periodEnd: iso(start + 61 * day),
      },
    ])
  })

  it('changes to a better plan at once, and is not changed when the card does not pay', async () => {
    const better = { priceId: 'price_e' }
    house.at.refuse = { status: 402, body: { error: declined } }
    expect(await owner.client.post('/api/subscription/change-plan', better)).toMatchObject({
      status: 402,
      problem: { code: 'card-declined', message: 'Your card was declined.' },
    })
    house.at.refuse = null
    expect((await owner.client.post('/api/subscription/change-plan', better)).body.plan.id).toBe('enterprise')
    expect(house.asked('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
      {
        'items[0][id]': 'si_1',
        'items[0][price]': 'price_e',
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
        'metadata[plan]': 'enterprise',
        'metadata[keeps]': '',
        'metadata[keeps_until]': '',
      },
    ])
  })

  it('changes to a smaller plan with the next bill, keeps the better one until then, and can be left as it was', async () => {
    const { body } = await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    expect(body).toMatchObject({ plan: { id: 'professional' }, nextPlan: 'starter' })
    expect(house.asked('/v1/subscriptions/sub_1').at(-1)?.form).toEqual({
      'items[0][id]': 'si_1',
      'items[0][price]': 'price_s',
      proration_behavior: 'none',
      'metadata[plan]': 'starter',
      'metadata[keeps]': 'professional',
      'metadata[keeps_until]': iso(start + 30 * day),
    })
    house.stripe.setTime(new Date((start + 70) * 1_000))
    const back = await owner.client.post('/api/subscription/change-plan', { priceId: 'price_p' })
    expect(back.body).toMatchObject({ plan: { id: 'professional' }, nextPlan: null })
    house.stripe.setTime(new Date((start + 80) * 1_000))
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    await house.tell('customer.subscription.updated', house.at.book, start + 30 * day + 1)
    await pollUntil(
      () => owner.client.get('/api/subscription/status'),
      ({ body: view }) => view.plan.id === 'starter' && view.nextPlan === null,
    )
  })

  it('reckons a better plan from the one in effect, not from the smaller one to come', async () => {
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    house.stripe.calls.length = 0
    house.stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/change-plan', { priceId: 'price_e' })).body).toMatchObject({
      plan: { id: 'enterprise' },
      nextPlan: null,
    })
    expect(
      house.asked('/v1/subscriptions/sub_1').map(({ form }) => [form['items[0][price]'], form['proration_behavior']]),
    ).toEqual([
      ['price_p', 'none'],
      ['price_e', 'always_invoice'],
    ])
  })

  it('keeps what was chosen for the next month when the card does not pay for something better', async () => {
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    house.stripe.calls.length = 0
    house.at.noMoney = true
    house.stripe.setTime(new Date((start + 70) * 1_000))
    expect(await owner.client.post('/api/subscription/change-plan', { priceId: 'price_e' })).toMatchObject({
      status: 402,
      problem: { code: 'card-declined' },
    })
    expect(house.asked('/v1/subscriptions/sub_1').map(({ form }) => form['items[0][price]'])).toEqual([
      'price_p',
      'price_e',
      'price_s',
    ])
    await house.tell('customer.subscription.updated', house.at.book, start + 80)
    await pollUntil(
      async () => readStream(house.app.services.store, `subscription-${owner.practice.id}`),
      (record) =>
        record.at(-1)?.data['observed'] !== undefined && JSON.stringify(record.at(-1)?.data).includes(iso(start + 80)),
    )
    expect((await owner.client.get('/api/subscription/status')).body).toMatchObject({
      plan: { id: 'professional' },
      nextPlan: 'starter',
    })
  })

  it('ends, and is paid, at a price that is not on offer any more', async () => {
    const items = {
      data: [{ ...(house.at.book['items'] as { data: object[] }).data[0], price: { id: 'price_of_last_year' } }],
    }
    house.at.book = { ...house.at.book, items, status: 'canceled' }
    await house.tell('customer.subscription.deleted', house.at.book, start + 90)
    expect(await waitForSubscriptionStatus(owner.client, 'canceled')).toMatchObject({ plan: { id: 'professional' } })
  })

  it('is canceled at the end of the period, and taken back', async () => {
    expect((await owner.client.post('/api/subscription/cancel')).body.cancelAtPeriodEnd).toBe(true)
    house.stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/reactivate')).body.cancelAtPeriodEnd).toBe(false)
    expect(house.asked('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
      { cancel_at_period_end: 'true' },
      { cancel_at_period_end: 'false' },
    ])
  })

  it('has its card and invoices at Stripe', async () => {
    expect((await owner.client.post('/api/billing/portal')).body).toEqual({ url: 'https://billing.stripe.test/p/1' })
    expect(house.asked('/v1/billing_portal/sessions')[0]?.form).toEqual({
      customer: 'cus_1',
      return_url: 'https://practice.example/manage-subscription',
    })
    expect((await owner.client.get('/api/billing/invoice/latest')).body).toEqual({
      invoice_pdf: 'https://stripe.test/in_1.pdf',
    })
    expect(house.asked('/v1/invoices?subscription=sub_1&limit=1', 'GET')).toHaveLength(1)
  })

  it('of which Stripe knows nothing any more stays as it is', async () => {
    house.at.refuse = { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }
    await house.app.services.jobs.send('reconcile-subscriptions', {})
    await pollUntil(
      async () => house.stripe.calls.length,
      (count) => count > 0,
    )
    expect((await owner.client.get('/api/subscription/status')).body.status).toBe('trialing')
  })
})
