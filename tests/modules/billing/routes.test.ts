import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import { plans } from '#contracts/values/plans.ts'
import { hasHadPlan, hasPlan } from '#modules/billing/public.ts'
import {
  cardDetails,
  newSubscriber,
  waitForSubscriptionStatus,
  subscribe,
  waitForUserSubscription,
} from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const isDemo = { subscriptionStatus: 'demo', subscriptionTier: 'starter', isDemoUser: true, isActiveSubscriber: false }

describe('the plans', () => {
  it('are public, with their prices', async () => {
    const { status, body } = await app.newClient().get('/api/subscription/plans')
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: 'starter', name: 'Starter', price: 49, recommended: false, priceId: 'price_sandbox_starter' },
      { id: 'professional', price: 129, recommended: true, description: '4-10 providers, up to 2,000 patients' },
      { id: 'enterprise', price: 249, features: plans[2]?.features },
    ])
  })
})

it('a practice has a plan from its first day until its access ends, and has had one from then on', async () => {
  const [paying, demo] = [await newSubscriber(app, 'starter'), await newOwner(app)]
  const { db, clock } = app.services
  const [own, other] = [PracticeId.parse(paying.practice.id), PracticeId.parse(demo.practice.id)]
  const inDays = (days: number) => new Date(clock().getTime() + days * 86_400_000)
  // A job asks for practices together.
  const ask = (now: Date) => Promise.all([hasPlan(db, own, now), hasPlan(db, other, now)])
  expect(await ask(clock())).toEqual([true, false])
  // Open until the provider says otherwise, as when a payment is due.
  expect(await ask(inDays(365))).toEqual([true, false])
  await app.services.pool.query('update read.subscriptions set access_until = $2 where practice_id = $1', [
    own,
    inDays(10),
  ])
  expect(await ask(inDays(9))).toEqual([true, false])
  expect(await ask(inDays(11))).toEqual([false, false])
  expect([await hasHadPlan(db, own), await hasHadPlan(db, other)]).toEqual([true, false])
})

describe('choosing and paying', () => {
  it('starts with a secret that stays the same until another plan is chosen', async () => {
    const { client, practice } = await newOwner(app)
    const choose = async (planType: string) =>
      (await client.post('/api/create-subscription', { planType })).body.clientSecret as string
    const [first, second] = await Promise.all([choose('starter'), choose('starter')])
    expect(second).toBe(first)
    expect(await choose('starter')).toBe(first)
    const other = await choose('professional')
    expect(other).not.toBe(first)
    expect(await client.get('/api/subscription/status')).toMatchObject({
      status: 404,
      problem: { code: 'no-subscription' },
    })
    expect((await client.get('/api/user')).body).toMatchObject(isDemo)
    // The first choice can no longer be paid.
    expect(await client.post('/api/billing-sandbox/confirm', { clientSecret: first, ...cardDetails })).toMatchObject({
      status: 409,
      problem: { code: 'subscription-inactive' },
    })
    const ledger = await readStream(app.services.store, `sandbox-${practice.id}`)
    const names = new Set(ledger.map(({ data }) => (data['subscription'] as { subscriptionId: string }).subscriptionId))
    expect(names.size).toBe(2)
  })

  it('leads to a trial for all members of the practice, then to the first invoice', async () => {
    const { client, practice, user } = await newOwner(app)
    await subscribe(client)
    expect(await waitForUserSubscription(client, 'trial')).toMatchObject({
      subscriptionTier: 'professional',
      isDemoUser: false,
      isActiveSubscriber: true,
    })
    const nurse = await joinPractice(app, practice.id, 'nurse')
    expect(await waitForUserSubscription(nurse, 'trial')).toMatchObject({ subscriptionTier: 'professional' })
    expect((await client.get('/api/billing/invoice/latest')).problem.code).toBe('no-invoice')
    const { body } = await client.post('/api/billing-sandbox/advance', { days: 31 })
    expect(Date.parse(body.now)).toBeGreaterThan(Date.now() + 30 * 86_400_000)
    expect(await waitForSubscriptionStatus(client, 'active')).toMatchObject({
      plan: { id: 'professional', name: 'Professional', amount: 129_00, interval: 'month' },
      cancelAtPeriodEnd: false,
      nextPlan: null,
      customer: { email: user.email },
    })
    expect(await waitForUserSubscription(client, 'active')).toMatchObject({ subscriptionTier: 'professional' })
    expect((await client.post('/api/create-subscription', { planType: 'starter' })).problem.code).toBe(
      'already-subscribed',
    )
  })

  it("passes on the bank's message and stores only the last four digits", async () => {
    const { client, practice } = await newOwner(app)
    const { body } = await client.post('/api/create-subscription', { planType: 'starter' })
    const pay = (over: object) =>
      client.post('/api/billing-sandbox/confirm', { clientSecret: body.clientSecret, ...cardDetails, ...over })
    expect(await pay({ cardNumber: '4000 0000 0000 0002' })).toMatchObject({
      status: 402,
      problem: { code: 'card-declined', title: 'Payment declined', message: 'Your card was declined.' },
    })
    expect(await pay({ cardNumber: '4000000000009995' })).toMatchObject({
      status: 402,
      problem: { message: 'Your card has insufficient funds.' },
    })
    const wrong = [
      [{ cardNumber: '4242 4242 4242 4243' }, 'cardNumber', 'Your card number is invalid.'],
      [{ cardNumber: '4242' }, 'cardNumber', 'Your card number is incomplete.'],
      [{ expYear: 2020 }, 'expYear', "Your card's expiration date is in the past."],
      [{ expMonth: 13 }, 'expMonth', "Your card's expiration month is invalid."],
      [{ cvc: '12' }, 'cvc', "Your card's security code is incomplete."],
    ] as const
    for (const [over, path, message] of wrong)
      expect((await pay(over)).problem).toMatchObject({ status: 422, errors: [{ path, message }] })
    expect((await pay({ cardNumber: '4000 0025 0000 3155' })).body).toEqual({ status: 'requires_action' })
    expect((await client.get('/api/user')).body).toMatchObject(isDemo)
    expect((await pay({ cardNumber: '4000 0025 0000 3155', confirmed: true })).body).toEqual({ status: 'succeeded' })
    await waitForSubscriptionStatus(client, 'trialing')
    const stored = await readStream(app.services.store, `sandbox-${practice.id}`)
    expect(JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? Number(value) : value))).not.toMatch(
      /4000002500003155|"cvc"|"123"/,
    )
    expect(stored.find(({ type }) => type === 'SandboxCardAttached')?.data['card']).toMatchObject({ lastFour: '3155' })
  })

  it('refuses the secret of another practice', async () => {
    const [one, other] = [await newOwner(app), await newOwner(app)]
    const { body } = await one.client.post('/api/create-subscription', { planType: 'starter' })
    await other.client.post('/api/create-subscription', { planType: 'starter' })
    for (const clientSecret of [body.clientSecret, `${body.clientSecret}x`, 'sub_1', '_secret_'])
      expect(await other.client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })).toMatchObject({
        status: 404,
        problem: { code: 'not-found' },
      })
  })
})

describe('changing and cancelling', () => {
  it('cancels at the end of the period, and reactivates', async () => {
    const { client } = await newOwner(app)
    await subscribe(client)
    expect((await client.post('/api/subscription/reactivate')).problem.code).toBe('not-canceling')
    expect((await client.post('/api/subscription/cancel')).body).toMatchObject({
      status: 'trialing',
      cancelAtPeriodEnd: true,
    })
    expect((await client.post('/api/subscription/cancel')).problem.code).toBe('already-canceling')
    expect((await client.get('/api/user')).body).toMatchObject({ isActiveSubscriber: true })
    expect((await client.post('/api/subscription/reactivate')).body).toMatchObject({ cancelAtPeriodEnd: false })
    await client.post('/api/subscription/cancel')
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'canceled')
    expect(await waitForUserSubscription(client, 'demo')).toMatchObject(isDemo)
    expect((await client.post('/api/subscription/cancel')).problem.code).toBe('no-subscription')
    // A returning practice has had its trial.
    await subscribe(client, 'starter')
    expect(await waitForSubscriptionStatus(client, 'active')).toMatchObject({ plan: { amount: 49_00 } })
  })

  it('upgrades immediately and downgrades with the next month', async () => {
    const { client } = await newOwner(app)
    await subscribe(client)
    const change = (plan: string) => client.post('/api/subscription/change-plan', { priceId: `price_sandbox_${plan}` })
    expect((await change('nothing')).problem).toMatchObject({ status: 422, errors: [{ path: 'priceId' }] })
    expect((await change('professional')).problem.code).toBe('same-plan')
    expect((await change('enterprise')).body).toMatchObject({ plan: { id: 'enterprise', amount: 249_00 } })
    expect((await client.get('/api/user')).body).toMatchObject({ subscriptionTier: 'enterprise' })
    expect((await change('starter')).body).toMatchObject({ plan: { id: 'enterprise' }, nextPlan: 'starter' })
    await client.post('/api/billing-sandbox/advance', { days: 30 })
    expect(await waitForSubscriptionStatus(client, 'active')).toMatchObject({ plan: { id: 'starter' }, nextPlan: null })
  })

  itLong('refuses a plan that is too small, with the number of patients over its limit', async () => {
    const { client } = await newOwner(app)
    await subscribe(client)
    const csv = `First Name,Last Name,DOB\n${Array.from({ length: 502 }, (_, at) => `Person,N${at},1980-01-01`).join('\n')}`
    const started = await client.post('/api/patients/import', { csv })
    expect(started.status).toBeLessThan(300)
    await waitUntil(
      () => client.get(`/api/patients/import/${started.body.importId}`),
      ({ body }) => body.state === 'done',
    )
    expect(
      (await client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_starter' })).problem,
    ).toMatchObject({
      status: 409,
      code: 'too-many-patients',
      message: 'This plan holds 500 patients and you have 502. Remove 2 first.',
    })
  })

  itLong('refuses to sell a plan that is too small, and names one that is not', async () => {
    const { client } = await newSubscriber(app, 'professional')
    const csv = `First Name,Last Name,DOB\n${Array.from({ length: 555 }, (_, at) => `Person,N${at},1980-01-01`).join('\n')}`
    await client.post('/api/patients/import', { csv })
    await waitUntil(
      () => client.get('/api/subscription/status'),
      ({ body }) => body.patients === 555,
    )
    await client.post('/api/subscription/cancel')
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForUserSubscription(client, 'demo')
    const { status, problem } = await client.post('/api/create-subscription', { planType: 'starter' })
    expect([status, problem]).toMatchObject([
      409,
      {
        code: 'too-many-patients',
        tier: 'professional',
        message: 'Starter holds 500 patients and you have 555. Choose Professional, or remove 55 first.',
      },
    ])
    expect((await client.post('/api/create-subscription', { planType: 'professional' })).status).toBe(200)
  })

  itLong('knows after a checkout whether it was paid, without a webhook', async () => {
    const deaf = await startTestApp({ disabledProcessManagers: ['send-sandbox-messages'] })
    try {
      const { client, practice } = await newOwner(deaf)
      const refresh = async () => (await client.post('/api/subscription/refresh')).body.checkout
      expect(await refresh()).toBe('none')
      const { clientSecret } = (await client.post('/api/create-subscription', { planType: 'starter' })).body
      expect(await refresh()).toBe('unpaid')
      expect((await client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })).status).toBe(200)
      expect((await client.get('/api/user')).body).toMatchObject(isDemo)
      expect(await refresh()).toBe('open')
      expect((await client.get('/api/user')).body).toMatchObject({ subscriptionStatus: 'trial' })
      expect(await refresh()).toBe('open')
      const staff = await joinPractice(deaf, practice.id, 'staff')
      expect((await staff.post('/api/subscription/refresh')).status).toBe(403)
    } finally {
      await deaf.dispose()
    }
  })

  it('leads to the open invoice while a payment is past due, and not to a second plan', async () => {
    const { client } = await newOwner(app)
    await subscribe(client, 'starter', { cardNumber: '4000 0000 0000 0341' })
    const status = async () => (await client.get('/api/user')).body
    expect(await waitForUserSubscription(client, 'trial')).toMatchObject({ hasOpenInvoice: false })
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitUntil(status, ({ hasOpenInvoice }) => hasOpenInvoice)
    expect(await status()).toMatchObject({ isActiveSubscriber: true, hasLapsed: false })
    await client.post('/api/billing-sandbox/advance', { days: 14 })
    expect(await waitForUserSubscription(client, 'demo')).toMatchObject({ hasOpenInvoice: true, hasLapsed: true })
    expect((await client.post('/api/create-subscription', { planType: 'starter' })).problem).toMatchObject({
      code: 'already-subscribed',
      message: 'The last payment failed. Pay the open invoice or change the card, and your plan opens again at once.',
    })
    expect((await client.post('/api/subscription/refresh')).body).toEqual({ checkout: 'none' })
    const { clientSecret } = (await client.get('/api/billing-sandbox/portal')).body
    await client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })
    await waitUntil(status, ({ hasOpenInvoice }) => !hasOpenInvoice)
    expect(await status()).toMatchObject({ subscriptionStatus: 'active', hasLapsed: false })
  })

  it('is for the owner and administrators', async () => {
    const { client, practice } = await newOwner(app)
    await subscribe(client)
    const staff = await joinPractice(app, practice.id, 'staff')
    expect(await staff.post('/api/subscription/cancel')).toMatchObject({ status: 403, problem: { code: 'forbidden' } })
    expect((await staff.get('/api/subscription/status')).status).toBe(200)
    const administrator = await joinPractice(app, practice.id, 'administrator')
    expect((await administrator.post('/api/billing-sandbox/advance', { days: 1 })).status).toBe(403)
    expect((await administrator.post('/api/subscription/cancel')).body).toMatchObject({ cancelAtPeriodEnd: true })
  })
})
