import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubscriptionView } from '#contracts/billing.ts'
import { fetchSubscriptionJob } from '#modules/billing/process-manager.ts'
import { waitForSubscriptionStatus } from '#tests/support/billing.ts'
import type { StripeCall } from '#tests/support/stripe-server.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { createStripeFixture, start } from './stripe-fixture.ts'

let fixture: Awaited<ReturnType<typeof createStripeFixture>>
let owner: Awaited<ReturnType<typeof fixture.newOwner>>

beforeAll(async () => {
  fixture = await createStripeFixture()
})
afterAll(() => fixture.dispose())
beforeEach(async () => {
  owner = await fixture.newOwner()
})

const failed = { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong' } } }
const isChange = ({ method }: StripeCall) => method === 'POST'

/** Returns a function that sends the same request with the same idempotency key each time. */
function sameIntent(path: string, body?: unknown) {
  const headers = { 'idempotency-key': randomUUID() }
  return () => owner.client.request('POST', path, body, headers)
}

const status = async () => (await owner.client.get('/api/subscription/status')).body as SubscriptionView

describe.each([
  {
    name: 'an upgrade',
    path: '/api/subscription/change-plan',
    body: { priceId: 'price_e' },
    isDone: ({ plan }: SubscriptionView) => plan.id === 'enterprise',
  },
  {
    name: 'a cancellation',
    path: '/api/subscription/cancel',
    body: undefined,
    isDone: ({ cancelAtPeriodEnd }: SubscriptionView) => cancelAtPeriodEnd,
  },
  {
    name: 'a reactivation',
    path: '/api/subscription/reactivate',
    body: undefined,
    isDone: ({ cancelAtPeriodEnd }: SubscriptionView) => !cancelAtPeriodEnd,
  },
])('$name', ({ name, path, body, isDone }) => {
  beforeEach(async () => {
    await owner.client.post('/api/create-subscription', { planType: 'professional' })
    fixture.at.subscription = { ...fixture.at.subscription, pending_setup_intent: null, default_payment_method: 'pm_1' }
    fixture.stripe.setTime(new Date((start + 60) * 1_000))
    await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 50)
    await waitForSubscriptionStatus(owner.client, 'trialing')
    if (name === 'a reactivation') await owner.client.post('/api/subscription/cancel')
    fixture.stripe.setTime(new Date((start + 70) * 1_000))
    fixture.at.changes = 0
    expect(isDone(await status())).toBe(false)
  })

  it.each([
    ['whose reply is lost, each time it is sent', { isLost: true }],
    ['that is answered as failed although it happened', failed],
  ])('%s succeeds: Stripe is asked', async (_, fault) => {
    fixture.at.fault = (call) => (isChange(call) ? fault : {})
    const send = sameIntent(path, body)
    const answer = await send()
    expect([answer.status, answer.problem.message]).toEqual([200, undefined])
    expect(isDone(answer.body)).toBe(true)
    expect(isDone(await status())).toBe(true)
    expect((await send()).body).toEqual(answer.body)
    expect(fixture.at.changes).toBe(1)
  })

  it('that is not confirmed is answered as unknown, shown as soon as Stripe can be asked, and happens once', async () => {
    let hasChanged = false
    fixture.at.fault = (call) => {
      hasChanged ||= isChange(call)
      return hasChanged ? { isLost: true } : {}
    }
    const send = sameIntent(path, body)
    const answer = await send()
    expect(answer).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
    expect(answer.problem.message).toMatch(/did not confirm this, so it may have happened\. .*nothing is charged twice/)
    expect(answer.headers.get('retry-after')).toBe('5')
    fixture.at.fault = () => ({})
    // No webhook arrives: a job asks after a minute, which the test does not wait for.
    const { rows } = await fixture.app.services.pool.query<{ seconds: number }>(
      `with queued as (select id, start_after - created_on as delay from jobs.job
         where name = $1 and data ->> 'practiceId' = $2)
       update jobs.job set start_after = now() from queued where job.id = queued.id and job.name = $1
       returning round(extract(epoch from queued.delay))::int as seconds`,
      [fetchSubscriptionJob, owner.practice.id],
    )
    expect(rows).toEqual([{ seconds: 60 }])
    await waitUntil(status, isDone)
    const repeated = await send()
    expect([repeated.status, isDone(repeated.body)]).toEqual([200, true])
    expect(fixture.at.changes).toBe(1)
  })

  it('that is not confirmed and did not happen is answered as unknown, and happens when it is repeated', async () => {
    fixture.at.fault = (call) => (isChange(call) ? { ...failed, isIgnored: true } : {})
    expect(await sameIntent(path, body)()).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
    expect(isDone(await status())).toBe(false)
    fixture.at.fault = () => ({})
    expect((await sameIntent(path, body)()).status).toBe(200)
    expect(isDone(await status())).toBe(true)
  })

  it('whose reply is slow is not sent a second time', async () => {
    const { promise: slow, resolve: proceed } = Promise.withResolvers<void>()
    fixture.at.fault = (call) => (isChange(call) ? { after: slow } : {})
    const send = sameIntent(path, body)
    const first = send()
    await waitUntil(async () => fixture.at.changes === 1)
    expect(await send()).toMatchObject({ status: 409, problem: { code: 'still-running' } })
    proceed()
    const answer = await first
    expect([answer.status, isDone(answer.body)]).toEqual([200, true])
    expect((await send()).body).toEqual(answer.body)
    expect(fixture.at.changes).toBe(1)
  })
})

it('a checkout whose reply is lost is answered as unknown, and creates one subscription', async () => {
  const isCreation = ({ path, method }: StripeCall) => path === '/v1/subscriptions' && method === 'POST'
  fixture.at.fault = (call) => (isCreation(call) ? { isLost: true } : {})
  const send = sameIntent('/api/create-subscription', { planType: 'professional' })
  expect(await send()).toMatchObject({ status: 503, problem: { code: 'outcome-unknown' } })
  fixture.at.fault = () => ({})
  expect(await send()).toMatchObject({ status: 200, body: { clientSecret: 'seti_1_secret_2' } })
  const keys = fixture.requests('/v1/subscriptions').map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  // The customer and the subscription.
  expect(fixture.at.changes).toBe(2)
})

it('a change that Stripe refuses did not happen', async () => {
  await owner.client.post('/api/create-subscription', { planType: 'professional' })
  fixture.at.subscription = { ...fixture.at.subscription, pending_setup_intent: null, default_payment_method: 'pm_1' }
  await fixture.sendWebhook('customer.subscription.updated', fixture.at.subscription, start + 50)
  await waitForSubscriptionStatus(owner.client, 'trialing')
  fixture.at.refuse = { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } }
  expect(await owner.client.post('/api/subscription/cancel')).toMatchObject({
    status: 503,
    problem: { code: 'payments-unavailable' },
  })
})
