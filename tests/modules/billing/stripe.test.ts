import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signed } from '#modules/billing/webhook.ts'
import { statusBecomes, userBecomes } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { type StripeCall, stripeServer } from '#tests/support/stripe-server.ts'
import { startTestApp, type TestApp, webhookSecret } from '#tests/support/test-app.ts'
import { until } from '#tests/support/until.ts'

const prices = { starter: 'price_s', professional: 'price_p', enterprise: 'price_e' }
const day = 86_400
const start = 1_790_000_000
const iso = (at: number) => new Date(at * 1_000).toISOString()

let app: TestApp
let stripe: Awaited<ReturnType<typeof stripeServer>>
let owner: Awaited<ReturnType<typeof newOwner>>
/** What Stripe has in its books. */
let book: Record<string, unknown>
let refuse: { status: number; body: object } | null = null
let messages = 0

const subscription = (over: object = {}) => ({
  id: 'sub_1',
  object: 'subscription',
  status: 'trialing',
  created: start,
  cancel_at_period_end: false,
  trial_end: start + 30 * day,
  pending_setup_intent: { id: 'seti_1', client_secret: 'seti_1_secret_2' },
  default_payment_method: null,
  latest_invoice: { id: 'in_0', confirmation_secret: null },
  items: {
    data: [{ id: 'si_1', price: { id: 'price_p' }, current_period_start: start, current_period_end: start + 30 * day }],
  },
  metadata: { practiceId: owner.practice.id },
  ...over,
})

function answer({ method, path, form }: StripeCall) {
  if (refuse) return refuse
  if (path === '/v1/customers') return { body: { id: 'cus_1', object: 'customer' } }
  if (path === '/v1/subscriptions')
    book = { ...book, metadata: { practiceId: form['metadata[practiceId]'], checkoutId: form['metadata[checkoutId]'] } }
  if (path === '/v1/billing_portal/sessions') return { body: { id: 'bps_1', url: 'https://billing.stripe.test/p/1' } }
  if (path.startsWith('/v1/invoices'))
    return {
      body: { object: 'list', data: [{ id: 'in_1', invoice_pdf: 'https://stripe.test/in_1.pdf' }], has_more: false },
    }
  if (path === '/v1/subscriptions/sub_1' && method === 'POST') change(form)
  return { body: book }
}

function change(form: Record<string, string>): void {
  const price = form['items[0][price]']
  const [item] = (book['items'] as { data: object[] }).data
  if (price) book['items'] = { data: [{ ...item, price: { id: price } }] }
  if (form['cancel_at_period_end']) book['cancel_at_period_end'] = form['cancel_at_period_end'] === 'true'
  const metadata: Record<string, unknown> = { ...(book['metadata'] as object) }
  for (const field of ['keeps', 'keeps_until']) {
    const value = form[`metadata[${field}]`]
    if (value) metadata[field] = value
    else if (value === '') delete metadata[field]
  }
  book['metadata'] = metadata
}

async function tell(type: string, object: object, created: number) {
  const payload = JSON.stringify({ id: `evt_stripe_${++messages}`, object: 'event', type, created, data: { object } })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signed(payload, webhookSecret, new Date()) }
  expect((await app.visitor().raw('POST', '/api/stripe/webhook', payload, headers)).status).toBe(200)
}

const asked = (path: string, method = 'POST') =>
  stripe.calls.filter((call) => call.path === path && call.method === method)
const choose = (planType = 'professional') => owner.client.post('/api/create-subscription', { planType })

beforeAll(async () => {
  stripe = await stripeServer(answer)
  const settings = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', prices, apiBase: stripe.url }
  app = await startTestApp({ sandbox: 'off', stripe: settings })
})
afterAll(async () => {
  await app.end()
  await stripe.close()
})
beforeEach(async () => {
  owner = await newOwner(app)
  stripe.calls.length = 0
  refuse = null
  stripe.setTime(new Date(start * 1_000))
  book = subscription()
})

describe('choosing a plan with Stripe', () => {
  it('asks for a customer and an unpaid subscription with a trial, each under a key of its own', async () => {
    const { body } = await choose()
    expect(body).toEqual({ clientSecret: 'seti_1_secret_2', publishableKey: 'pk_test_1', trialDays: 30 })
    const [customer] = asked('/v1/customers')
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
    const [created] = asked('/v1/subscriptions')
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
      'expand[0]': 'latest_invoice.confirmation_secret',
      'expand[1]': 'pending_setup_intent',
    })
    expect(created?.headers['idempotency-key']).toBe(`checkout ${checkoutId}`)
    // Stripe calls it a trial already. Nobody gave a card: it is none.
    expect((await owner.client.get('/api/subscription/status')).status).toBe(404)
    expect((await owner.client.get('/api/user')).body.subscriptionStatus).toBe('demo')
    await choose()
    expect(asked('/v1/customers')).toHaveLength(1)
    expect(new Set(asked('/v1/subscriptions').map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('gives up the unpaid one when another plan is chosen', async () => {
    await choose()
    await choose('starter')
    expect(asked('/v1/subscriptions/sub_1', 'DELETE')).toHaveLength(1)
    expect(asked('/v1/subscriptions').map(({ form }) => form['items[0][price]'])).toEqual(['price_p', 'price_s'])
  })

  it('says that payments do not answer, and nothing of why', async () => {
    refuse = { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key sk_test_1' } } }
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

describe('a subscription at Stripe', () => {
  beforeEach(async () => {
    await choose()
    book = { ...book, pending_setup_intent: null, default_payment_method: 'pm_1' }
    stripe.setTime(new Date((start + 60) * 1_000))
    await tell('customer.subscription.updated', book, start + 50)
    await statusBecomes(owner.client, 'trialing')
    stripe.calls.length = 0
  })

  it('is a trial once there is a card', async () => {
    expect(await userBecomes(owner.client, 'trial')).toMatchObject({ subscriptionTier: 'professional' })
  })

  it('is looked up when it is paid, and not when something else is said', async () => {
    const item = { id: 'si_1', price: { id: 'price_p' } }
    const period = { current_period_start: start + 30 * day, current_period_end: start + 61 * day }
    book = { ...book, status: 'active', items: { data: [{ ...item, ...period }] } }
    const paidAt = start + 30 * day + 3_600
    stripe.setTime(new Date((paidAt + 5) * 1_000))
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
    await tell('invoice.created', invoice, paidAt)
    await tell('invoice.paid', { ...invoice, id: 'in_0', amount_due: 0 }, paidAt)
    await tell('invoice.paid', invoice, paidAt)
    expect(await statusBecomes(owner.client, 'active')).toMatchObject({ currentPeriodEnd: iso(start + 61 * day) })
    expect(asked('/v1/subscriptions/sub_1', 'GET')).toHaveLength(1)
    const record = await readStream(app.services.store, `subscription-${owner.practice.id}`)
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
    const declined = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
    refuse = { status: 402, body: { error: declined } }
    expect(await owner.client.post('/api/subscription/change-plan', better)).toMatchObject({
      status: 402,
      problem: { code: 'card-declined', message: 'Your card was declined.' },
    })
    refuse = null
    expect((await owner.client.post('/api/subscription/change-plan', better)).body.plan.id).toBe('enterprise')
    expect(asked('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
      {
        'items[0][id]': 'si_1',
        'items[0][price]': 'price_e',
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      },
    ])
  })

  it('changes to a smaller plan with the next bill, keeps the better one until then, and can be left as it was', async () => {
    const { body } = await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    expect(body).toMatchObject({ plan: { id: 'professional' }, nextPlan: 'starter' })
    expect(asked('/v1/subscriptions/sub_1').at(-1)?.form).toEqual({
      'items[0][id]': 'si_1',
      'items[0][price]': 'price_s',
      proration_behavior: 'none',
      'metadata[keeps]': 'professional',
      'metadata[keeps_until]': iso(start + 30 * day),
    })
    stripe.setTime(new Date((start + 70) * 1_000))
    const back = await owner.client.post('/api/subscription/change-plan', { priceId: 'price_p' })
    expect(back.body).toMatchObject({ plan: { id: 'professional' }, nextPlan: null })
    stripe.setTime(new Date((start + 80) * 1_000))
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    await tell('customer.subscription.updated', book, start + 30 * day + 1)
    await until(
      () => owner.client.get('/api/subscription/status'),
      ({ body: view }) => view.plan.id === 'starter' && view.nextPlan === null,
    )
  })

  it('reckons a better plan from the one in effect, not from the smaller one to come', async () => {
    await owner.client.post('/api/subscription/change-plan', { priceId: 'price_s' })
    stripe.calls.length = 0
    stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/change-plan', { priceId: 'price_e' })).body).toMatchObject({
      plan: { id: 'enterprise' },
      nextPlan: null,
    })
    expect(
      asked('/v1/subscriptions/sub_1').map(({ form }) => [form['items[0][price]'], form['proration_behavior']]),
    ).toEqual([
      ['price_p', 'none'],
      ['price_e', 'always_invoice'],
    ])
  })

  it('is canceled at the end of the period, and taken back', async () => {
    expect((await owner.client.post('/api/subscription/cancel')).body.cancelAtPeriodEnd).toBe(true)
    stripe.setTime(new Date((start + 70) * 1_000))
    expect((await owner.client.post('/api/subscription/reactivate')).body.cancelAtPeriodEnd).toBe(false)
    expect(asked('/v1/subscriptions/sub_1').map(({ form }) => form)).toEqual([
      { cancel_at_period_end: 'true' },
      { cancel_at_period_end: 'false' },
    ])
  })

  it('has its card and invoices at Stripe', async () => {
    expect((await owner.client.post('/api/billing/portal')).body).toEqual({ url: 'https://billing.stripe.test/p/1' })
    expect(asked('/v1/billing_portal/sessions')[0]?.form).toEqual({
      customer: 'cus_1',
      return_url: 'https://practice.example/manage-subscription',
    })
    expect((await owner.client.get('/api/billing/invoice/latest')).body).toEqual({
      invoice_pdf: 'https://stripe.test/in_1.pdf',
    })
    expect(asked('/v1/invoices?subscription=sub_1&limit=1', 'GET')).toHaveLength(1)
  })

  it('of which Stripe knows nothing any more stays as it is', async () => {
    refuse = { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }
    await app.services.jobs.send('look-at-every-subscription', {})
    await until(
      async () => stripe.calls.length,
      (count) => count > 0,
    )
    expect((await owner.client.get('/api/subscription/status')).body.status).toBe('trialing')
  })
})
