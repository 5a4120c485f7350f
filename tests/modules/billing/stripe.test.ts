import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus, waitForUserSubscription } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { day, declined, iso, start, createStripeFixture } from './stripe-fixture.ts'

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

describe('a subscription at Stripe', () => {
  beforeEach(async () => {
    await choose()
    fixture.at.subscription = { ...fixture.at.subscription, pending_setup_intent: null, default_payment_method: 'pm_1' }
    fixture.stripe.setTime(new Date((start + 60) * 1_000))
    await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 50)
    await waitForSubscriptionStatus(owner.client, 'trialing')
    fixture.stripe.calls.length = 0
  })

  it('becomes a trial once there is a card', async () => {
    expect(await waitForUserSubscription(owner.client, 'trial')).toMatchObject({ subscriptionTier: 'professional' })
  })

  it('is fetched when it is paid, and not for other webhooks', async () => {
    const item = { id: 'si_1', price: { id: 'price_p' } }
    const period = { current_period_start: start + 30 * day, current_period_end: start + 61 * day }
    fixture.at.subscription = {
      ...fixture.at.subscription,
      status: 'active',
      items: { data: [{ ...item, ...period }] },
    }
    const paidAt = start + 30 * day + 3_600
    fixture.stripe.setTime(new Date((paidAt + 5) * 1_000))
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
    await fixture.sendWebhook('invoice.created', invoice, paidAt)
    await fixture.sendWebhook('invoice.paid', { ...invoice, id: 'in_0', amount_due: 0 }, paidAt)
    await fixture.sendWebhook('invoice.paid', invoice, paidAt)
    expect(await waitForSubscriptionStatus(owner.client, 'active')).toMatchObject({
      currentPeriodEnd: iso(start + 61 * day),
    })
    expect(fixture.requests('/v1/subscriptions/sub_1', 'GET')).toHaveLength(1)
    const record = await readStream(fixture.app.services.store, `subscription-${owner.practice.id}`)
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

  it('upgrades immediately, unless the card is declined', async () => {
    const better = { priceId: 'price_e' }
    fixture.at.refuse = { status: 402, body: { error: declined } }
    expect(await owner.client.post('/api/subscription/change-plan', better)).toMatchObject({
      status: 402,
      problem: { code: 'card-declined', message: 'Your card was declined.' },
    })
    fixture.at.refuse = null
    expect((await owner.client.post('/api/subscription/change-plan', better)).body.plan.id).toBe('enterprise')
    expect(fixture.requests('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
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

  it('downgrades with the next invoice, keeps the larger plan until then, and can withdraw the change', async () => {
    const { body } = await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    expect(body).toMatchObject({ plan: { id: 'professional' }, nextPlan: 'starter' })
    expect(fixture.requests('/v1/subscriptions/sub_1').at(-1)?.form).toEqual({
      'items[0][id]': 'si_1',
      'items[0][price]': 'price_s',
      proration_behavior: 'none',
      'metadata[plan]': 'starter',
      'metadata[keeps]': 'professional',
      'metadata[keeps_until]': iso(start + 30 * day),
    })
    fixture.stripe.setTime(new Date((start + 70) * 1_000))
    const back = await owner.client.post('/api/subscription/change-plan', { priceId: 'price_p' })
    expect(back.body).toMatchObject({ plan: { id: 'professional' }, nextPlan: null })
    fixture.stripe.setTime(new Date((start + 80) * 1_000))
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 30 * day + 1)
    await waitUntil(
      () => owner.client.get('/api/subscription/status'),
      ({ body: view }) => view.plan.id === 'starter' && view.nextPlan === null,
    )
  })

  it('prorates an upgrade from the plan in effect, not from the scheduled smaller one', async () => {
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    fixture.stripe.calls.length = 0
    fixture.stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/change-plan', { priceId: 'price_e' })).body).toMatchObject({
      plan: { id: 'enterprise' },
      nextPlan: null,
    })
    expect(
      fixture
        .requests('/v1/subscriptions/sub_1')
        .map(({ form }) => [form['items[0][price]'], form['proration_behavior']]),
    ).toEqual([
      ['price_p', 'none'],
      ['price_e', 'always_invoice'],
    ])
  })

  it('keeps the scheduled plan when the card is declined for an upgrade', async () => {
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    fixture.stripe.calls.length = 0
    fixture.at.declinesPayments = true
    fixture.stripe.setTime(new Date((start + 70) * 1_000))
    expect(await owner.client.post('/api/subscription/change-plan', { priceId: 'price_e' })).toMatchObject({
      status: 402,
      problem: { code: 'card-declined' },
    })
    expect(fixture.requests('/v1/subscriptions/sub_1').map(({ form }) => form['items[0][price]'])).toEqual([
      'price_p',
      'price_e',
      'price_s',
    ])
    await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 80)
    await waitUntil(
      async () => readStream(fixture.app.services.store, `subscription-${owner.practice.id}`),
      (record) =>
        record.at(-1)?.data['observed'] !== undefined && JSON.stringify(record.at(-1)?.data).includes(iso(start + 80)),
    )
    expect((await owner.client.get('/api/subscription/status')).body).toMatchObject({
      plan: { id: 'professional' },
      nextPlan: 'starter',
    })
  })

  it('is renewed and canceled at a price that is no longer offered', async () => {
    const items = {
      data: [
        { ...(fixture.at.subscription['items'] as { data: object[] }).data[0], price: { id: 'price_of_last_year' } },
      ],
    }
    fixture.at.subscription = { ...fixture.at.subscription, items, status: 'canceled' }
    await fixture.sendWebhook('customer.subscription.deleted', fixture.at.subscription, start + 90)
    expect(await waitForSubscriptionStatus(owner.client, 'canceled')).toMatchObject({ plan: { id: 'professional' } })
  })

  it('is canceled at the end of the period, and reactivated', async () => {
    expect((await owner.client.post('/api/subscription/cancel')).body.cancelAtPeriodEnd).toBe(true)
    fixture.stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/reactivate')).body.cancelAtPeriodEnd).toBe(false)
    expect(fixture.requests('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
      { cancel_at_period_end: 'true' },
      { cancel_at_period_end: 'false' },
    ])
  })

  it('links to Stripe for its card and invoices', async () => {
    expect((await owner.client.post('/api/billing/portal')).body).toEqual({ url: 'https://billing.stripe.test/p/1' })
    expect(fixture.requests('/v1/billing_portal/sessions')[0]?.form).toEqual({
      customer: 'cus_1',
      return_url: 'https://practice.example/manage-subscription',
    })
    expect((await owner.client.get('/api/billing/invoice/latest')).body).toEqual({
      invoice_pdf: 'https://stripe.test/in_1.pdf',
    })
    expect(fixture.requests('/v1/invoices?subscription=sub_1&limit=1', 'GET')).toHaveLength(1)
  })

  it('stays unchanged when Stripe no longer knows it', async () => {
    fixture.at.refuse = { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }
    await fixture.app.services.jobs.send('reconcile-subscriptions', {})
    await waitUntil(
      async () => fixture.stripe.calls.length,
      (count) => count > 0,
    )
    expect((await owner.client.get('/api/subscription/status')).body.status).toBe('trialing')
  })
})
