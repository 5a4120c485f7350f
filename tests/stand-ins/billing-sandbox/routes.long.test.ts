import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardDetails, waitForSubscriptionStatus, subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { reconcileSubscriptions } from '#modules/billing/jobs.ts'
import { fetchMissedUpdates } from '#modules/billing/process-manager.ts'
import { sendSandboxMessages } from '#stand-ins/billing-sandbox/process-manager.ts'
import { readStream } from '#tests/support/events.ts'
import { extractPdfText } from '#tests/support/pdf.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

describe('a failed payment', () => {
  it('keeps access for fourteen days, then ends it, and a new card restores it', async () => {
    const { client, practice } = await newOwner(app)
    const { body: patient } = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    const secret = await subscribe(client, 'professional', { cardNumber: '4000 0000 0000 0341' })
    const advance = async (days: number) =>
      expect((await client.post('/api/billing-sandbox/advance', { days })).status).toBe(200)
    await advance(31)
    const { accessUntil } = await waitForSubscriptionStatus(client, 'past_due')
    const nurse = await joinPractice(app, practice.id, 'nurse')
    for (const member of [client, nurse])
      expect(await waitForUserSubscription(member, 'active')).toMatchObject({
        isActiveSubscriber: true,
        subscriptionTier: 'professional',
        pastDueUntil: accessUntil,
      })
    expect(
      (await client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_starter' })).problem.code,
    ).toBe('not-active')
    await advance(5)
    expect((await client.get('/api/user')).body).toMatchObject({ isActiveSubscriber: true })
    await advance(8)
    const fallen = { isActiveSubscriber: false, subscriptionTier: 'starter', hasLapsed: true, pastDueUntil: null }
    for (const member of [client, nurse]) expect(await waitForUserSubscription(member, 'demo')).toMatchObject(fallen)
    expect((await client.get(`/api/patients/${patient.id}`)).body).toMatchObject({ lastName: 'Hopper' })
    expect(await client.get('/api/subscription/status')).toMatchObject({ body: { status: 'past_due' } })
    const pay = (over: object) =>
      client.post('/api/billing-sandbox/confirm', { clientSecret: secret, ...cardDetails, ...over })
    expect((await pay({ cardNumber: '4000000000000002' })).status).toBe(402)
    expect((await pay({})).status).toBe(200)
    await waitForSubscriptionStatus(client, 'active')
    // The message about the paid invoice may be projected before that about the subscription: access is back, still past due.
    const restored = await waitUntil(
      () => nurse.get('/api/user'),
      ({ body }) => body.subscriptionStatus === 'active' && body.pastDueUntil === null,
    )
    expect(restored.body).toMatchObject({ hasLapsed: false, hasOpenInvoice: false })
  })
})

describe('the billing portal', () => {
  it('shows the card, the invoices and the clock, and nothing that could be used to pay', async () => {
    const { client } = await newOwner(app)
    expect((await client.get('/api/billing-sandbox/portal')).status).toBe(404)
    const clientSecret = await subscribe(client, 'starter', { cardNumber: '4000 0000 0000 0341' })
    expect((await client.post('/api/billing/portal')).body).toEqual({ url: '/billing-portal' })
    const card = { brand: 'visa', lastFour: '0341', expMonth: 12, expYear: 2040 }
    const shown = async () => (await client.get('/api/billing-sandbox/portal')).body
    expect(await shown()).toEqual({ now: expect.any(String), clientSecret, card, invoices: [] })
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'past_due')
    const { now, invoices } = await shown()
    expect(Date.parse(now)).toBeGreaterThan(Date.now() + 30 * 86_400_000)
    expect(invoices).toMatchObject([{ number: 1, status: 'failed', plan: 'starter', amount: 4_900 }])
    await client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })
    expect(await shown()).toMatchObject({ card: { lastFour: '4242' }, invoices: [{ number: 1, status: 'paid' }] })
  })

  it('reports the end of access by its own clock', async () => {
    const { client } = await newOwner(app)
    await subscribe(client, 'starter', { cardNumber: '4000 0000 0000 0341' })
    const status = async () => (await client.get('/api/subscription/status')).body
    expect(await status()).toMatchObject({ accessUntil: null, patients: 0 })
    const { currentPeriodEnd: ends } = await status()
    await client.post('/api/subscription/cancel')
    expect(await status()).toMatchObject({ accessUntil: ends, cancelAtPeriodEnd: true })
    await client.post('/api/subscription/reactivate')
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    const due = await waitForSubscriptionStatus(client, 'past_due')
    expect(Date.parse(due.accessUntil) - Date.parse(ends)).toBe(14 * 86_400_000)
    expect(Date.parse(due.asOf)).toBeGreaterThan(Date.parse(ends))
  })
})

describe('an invoice', () => {
  let invoiceId = ''
  it('is a PDF with the payment, the card, and a note that it is not real', async () => {
    const { client, user } = await newOwner(app, { name: 'Clínica São José 診療所' })
    await subscribe(client)
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'active')
    const { body } = await client.get('/api/billing/invoice/latest')
    expect(body.invoice_pdf).toMatch(/^\/api\/billing-sandbox\/invoices\/in_sandbox_[0-9a-f]{12}_1$/)
    const answer = await fetch(app.url + body.invoice_pdf, { headers: { cookie: client.cookie() ?? '' } })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; filename="invoice-\d{4}-\d{2}\.pdf"$/)
    invoiceId = String(body.invoice_pdf).split('/').at(-1) ?? ''
    const pdf = Buffer.from(await answer.arrayBuffer())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const words = extractPdfText(pdf)
    expect(words).toContain('Invoice 1')
    expect(words).toContain('To: Clinica Sao Jose ???')
    expect(words).toContain(user.email)
    expect(words).toMatch(/Professional plan, \w{3} \d{1,2}, \d{4} to \w{3} \d{1,2}, \d{4}/)
    expect(words).toContain('Amount: $129.00')
    expect(words).toContain('Status: Paid')
    expect(words).toContain('Paid with: visa ending in 4242')
    expect(words).toContain('Sandbox: no real card is charged.')
  })

  it('is not visible to another practice', async () => {
    const { client } = await newOwner(app)
    for (const id of [invoiceId, '0', '__proto__', 'constructor', 'x'.repeat(300)])
      expect((await client.get(`/api/billing-sandbox/invoices/${id}`)).status).toBe(404)
  })
})

describe('without a payment provider', () => {
  itLong('no one can pay, and the plans are still listed', async () => {
    const off = await startTestApp({ sandbox: 'off' })
    try {
      const { client } = await newOwner(off)
      expect((await client.get('/api/subscription/plans')).body).toHaveLength(3)
      expect((await client.post('/api/create-subscription', { planType: 'starter' })).problem).toMatchObject({
        status: 503,
        code: 'payments-not-set-up',
      })
      expect((await client.post('/api/billing-sandbox/advance', { days: 1 })).status).toBe(404)
      const working = { id: randomUUID(), signal: new AbortController().signal, attempt: 1 }
      await expect(reconcileSubscriptions.run(off.services, {}, working)).resolves.toBeUndefined()
      const clientSecret = 'sub_sandbox_1_secret_2'
      expect((await client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })).status).toBe(404)
    } finally {
      await off.dispose()
    }
  })
})

describe('scheduled jobs', () => {
  it('charge due months', async () => {
    const { client, practice, user } = await newOwner(app)
    await subscribe(client)
    app.advanceClock(31 * 86_400_000)
    await client.post('/api/login', { email: user.email, password })
    await app.services.jobs.send('run-sandbox-billing', {})
    expect(await waitForSubscriptionStatus(client, 'active')).toMatchObject({ plan: { amount: 129_00 } })
    await waitUntil(
      () => readStream(app.services.store, `subscription-${practice.id}`),
      (events) => events.some(({ type }) => type === 'PaymentSucceeded'),
    )
  })

  itLong('recover lost webhooks', async () => {
    const disabledProcessManagers = [fetchMissedUpdates.name, sendSandboxMessages.name]
    const withoutWebhooks = await startTestApp({ disabledProcessManagers })
    try {
      const { client } = await newOwner(withoutWebhooks)
      const { body } = await client.post('/api/create-subscription', { planType: 'starter' })
      const paid = { clientSecret: body.clientSecret, ...cardDetails }
      expect((await client.post('/api/billing-sandbox/confirm', paid)).status).toBe(200)
      expect((await client.get('/api/subscription/status')).status).toBe(404)
      await withoutWebhooks.services.jobs.send('reconcile-subscriptions', {})
      await waitForSubscriptionStatus(client, 'trialing')
    } finally {
      await withoutWebhooks.dispose()
    }
  })
})
