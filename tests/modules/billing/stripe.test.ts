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

describe('a webhook in the shape of API versions before 2025-03-31', () => {
  it('opens the plan and records payments: periods are on the subscription, and invoices have no parent', async () => {
    await choose()
    const { items, ...subscription } = fixture.at.subscription
    const [item] = (items as { data: object[] }).data
    const before = {
      ...subscription,
      items: { data: [{ id: 'si_1', price: { id: 'price_p' }, object: (item as { object?: string }).object }] },
      pending_setup_intent: null,
      default_payment_method: 'pm_1',
    }
    const period = { current_period_start: start, current_period_end: start + 30 * day }
    fixture.at.subscription = { ...before, ...period }
    await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 50)
    expect(await waitForSubscriptionStatus(owner.client, 'trialing')).toMatchObject({
      currentPeriodEnd: iso(start + 30 * day),
    })
    expect(await waitForUserSubscription(owner.client, 'trial')).toMatchObject({ subscriptionTier: 'professional' })
    const [paidAt, nextEnd] = [start + 30 * day, start + 61 * day]
    const next = { current_period_start: paidAt, current_period_end: nextEnd }
    fixture.at.subscription = { ...before, ...next, status: 'active' }
    fixture.stripe.setTime(new Date((paidAt + 5) * 1_000))
    const invoice = {
      id: 'in_old',
      amount_due: 129_00,
      subscription: 'sub_1',
      subscription_details: { metadata: { practiceId: owner.practice.id } },
      lines: { data: [{ period: { start: paidAt, end: nextEnd }, price: { id: 'price_p' } }] },
    }
    await fixture.sendWebhook('invoice.paid', invoice, paidAt)
    expect(await waitForSubscriptionStatus(owner.client, 'active')).toMatchObject({ currentPeriodEnd: iso(nextEnd) })
    const record = await readStream(fixture.app.services.store, `subscription-${owner.practice.id}`)
    expect(record.find(({ type }) => type === 'PaymentSucceeded')?.data['invoice']).toMatchObject({
      invoiceId: 'in_old',
      subscriptionId: 'sub_1',
      plan: 'professional',
      periodEnd: iso(nextEnd),
    })
  })
})

describe('a webhook that names our practice', () => {
  const deadLetters = async () => (await owner.client.get('/api/health')).body.deadLetters as number

  it('and cannot be read becomes a dead letter, and is never dropped', async () => {
    const metadata = { practiceId: owner.practice.id }
    const { items: _, ...withoutItems } = fixture.at.subscription
    const unreadable: [string, object][] = [
      ['customer.subscription.updated', withoutItems],
      ['customer.subscription.updated', { ...fixture.at.subscription, status: 'of_next_year' }],
      ['customer.subscription.updated', { ...fixture.at.subscription, items: { data: [] } }],
      ['invoice.paid', { id: 'in_1', amount_due: 5, parent: { subscription_details: { metadata } }, lines: {} }],
      ['invoice.paid', { id: 'in_1', amount_due: 5, subscription_details: { metadata }, lines: { data: [] } }],
    ]
    const countUnhandled = async () =>
      (await fixture.app.services.pool.query('select from app.provider_messages where handled_at is null')).rowCount ??
      0
    const before = await deadLetters()
    const unhandled = await countUnhandled()
    for (const [type, object] of unreadable) await fixture.sendWebhook(type, object, start + 50)
    // Neither ours nor about a subscription: stored without effect.
    await fixture.sendWebhook('customer.subscription.updated', { ...withoutItems, metadata: {} }, start + 50)
    await fixture.sendWebhook('invoice.paid', { id: 'in_of_a_shop', amount_due: 5 }, start + 50)
    await fixture.sendWebhook('customer.updated', { metadata }, start + 50)
    await waitUntil(deadLetters, (count) => count === before + unreadable.length)
    await waitUntil(countUnhandled, (count) => count === unhandled + unreadable.length)
    expect((await owner.client.get('/api/user')).body).toMatchObject({ isDemoUser: true })
  })

  it('is refused when its dates are out of range', async () => {
    const { subscription } = fixture.at
    const [item] = (subscription['items'] as { data: object[] }).data
    const before = await deadLetters()
    for (const second of [-1, 253_402_300_800, 9e15, 1e300]) {
      const changed = { ...item, current_period_end: second }
      for (const object of [
        { ...subscription, created: second },
        { ...subscription, trial_end: second },
        { ...subscription, items: { data: [changed] } },
      ])
        expect(await fixture.trySendWebhook('customer.subscription.updated', object, start + 50)).toMatchObject({
          status: 400,
          problem: { code: 'invalid-message' },
        })
    }
    expect(await deadLetters()).toBe(before)
  })
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

  it('is requested in the pinned version of the API', async () => {
    await owner.client.post('/api/subscription/cancel')
    expect(fixture.stripe.calls.map(({ headers }) => headers['stripe-version'])).toEqual(['2026-10-28.endive'])
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

  it('is canceled in the portal by a date in place of the flag, and reactivated all the same', async () => {
    fixture.at.subscription = { ...fixture.at.subscription, cancel_at: start + 30 * day }
    await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 60)
    const isScheduled = async () => (await owner.client.get('/api/subscription/status')).body.cancelAtPeriodEnd
    await waitUntil(isScheduled)
    fixture.stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/reactivate')).body.cancelAtPeriodEnd).toBe(false)
    expect(fixture.requests('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
      { cancel_at_period_end: 'false' },
      { cancel_at: '' },
    ])
    expect(fixture.at.subscription['cancel_at']).toBeNull()
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
