import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Integration } from '#contracts/integrations.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import { vendorTestTimeoutMs } from '#database/vendor-log.ts'
import { readAllEvents } from '#tests/support/events.ts'
import type { Client } from '#tests/support/client.ts'
import { type MailReply, startMailServer } from '#tests/support/mail-server.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startStripeServer, type StripeResponse } from '#tests/support/stripe-server.ts'
import { proveEmail } from '#tests/support/prove-email.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const secretKey = 'sk_test_of_the_test_run'

const list = async (client: Client) => (await client.get('/api/integrations')).body.items as Integration[]
const find = async (client: Client, name: string) => (await list(client)).find((item) => item.name === name)
const test = (client: Client, name: string) => client.post('/api/integrations/test', { name })

describe('with stand-ins', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  it('says what is a stand-in and what is not set up, and tests neither', async () => {
    const { client } = await newOwner(app)
    const nothing = { lastSuccessAt: null, lastError: null, canTest: false }
    expect(await list(client)).toMatchObject([
      { name: 'ai', status: 'not_configured', ...nothing },
      { name: 'payments', status: 'stand_in', ...nothing },
      { name: 'email', status: 'stand_in', ...nothing },
      { name: 'sms', status: 'stand_in', ...nothing },
      { name: 'clearinghouse', status: 'not_configured', ...nothing },
      { name: 'database', status: 'operational', lastError: null, canTest: true },
    ])
    for (const name of ['ai', 'payments', 'email', 'sms', 'clearinghouse'])
      expect(await test(client, name)).toMatchObject({ status: 409, problem: { code: 'not-configured' } })
  })

  it('tests the database, and puts the test on the record', async () => {
    const { client, user, practice } = await newOwner(app)
    const reply = await test(client, 'database')
    expect(reply).toMatchObject({ status: 200, body: { isWorking: true, error: null } })
    const recorded = (await readAllEvents(app.services.store)).filter(
      ({ type, metadata }) => type === 'IntegrationTested' && metadata.practiceId === practice.id,
    )
    expect(recorded.map(({ data }) => data)).toEqual([
      { practiceId: practice.id, userId: user.id, name: 'database', error: null, durationMs: reply.body.durationMs },
    ])
  })

  it('is for the owner and administrators', async () => {
    const { practice } = await newOwner(app)
    for (const role of ['doctor', 'nurse', 'staff', 'reviewer'] as const) {
      const { client } = await newMember(app, practice.id, role)
      expect((await client.get('/api/integrations')).status).toBe(403)
      expect((await test(client, 'database')).status).toBe(403)
    }
    const { client } = await newMember(app, practice.id, 'administrator')
    expect((await test(client, 'database')).status).toBe(200)
  })

  it('carries out one request once, and ten an hour', async () => {
    const { client, practice } = await newOwner(app)
    const key = { 'Idempotency-Key': '5b1f5d0e-0c3a-4e0b-9a57-2d1f5c0e7b11' }
    const again = () => client.request('POST', '/api/integrations/test', { name: 'database' }, key)
    const first = await again()
    expect((await again()).body).toEqual(first.body)
    const count = async () =>
      (await readAllEvents(app.services.store)).filter(
        ({ type, metadata }) => type === 'IntegrationTested' && metadata.practiceId === practice.id,
      ).length
    expect(await count()).toBe(1)
    for (let attempt = 2; attempt <= 10; attempt++) expect((await test(client, 'database')).status).toBe(200)
    expect(await test(client, 'database')).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
    expect(await count()).toBe(10)
    // Another practice has its own number.
    expect((await test((await newOwner(app)).client, 'database')).status).toBe(200)
  })
})

describe('with a mail server', () => {
  let app: TestApp
  let server: Awaited<ReturnType<typeof startMailServer>>
  let reply: MailReply | Promise<never> = 'accept'
  const never = new Promise<never>(() => undefined)
  beforeAll(async () => {
    server = await startMailServer({ answer: () => reply, credentials: { user: 'everchart', password: 'right' } })
    // Without the messages of registrations.
    app = await startTestApp({ smtp: server.settings(), disabledProcessManagers: ['follow-accounts'] })
  })
  afterEach(() => {
    reply = 'accept'
  })
  afterAll(async () => {
    await app.dispose()
    await server.close()
  })

  it('is unknown until it was used, and connected after a test that sends nothing', async () => {
    const { client } = await newOwner(app)
    expect(await find(client, 'email')).toEqual({
      name: 'email',
      status: 'unknown',
      lastSuccessAt: null,
      lastError: null,
      canTest: true,
    })
    expect((await test(client, 'email')).body).toMatchObject({ isWorking: true, error: null })
    await waitUntil(async () => (await find(client, 'email'))?.status === 'connected')
    expect((await find(client, 'email'))?.lastSuccessAt).toMatch(/T\d\d:00:00\.000Z$/)
    expect(server.messages).toEqual([])
  })

  it('shows the error of a mail server that refuses the connection, until the next success', async () => {
    const { client } = await newOwner(app)
    reply = 554
    expect((await test(client, 'email')).body).toMatchObject({ isWorking: false, error: 'smtp-554' })
    await waitUntil(async () => (await find(client, 'email'))?.status === 'error')
    expect((await find(client, 'email'))?.lastError?.code).toBe('smtp-554')
    reply = 'accept'
    app.advanceClock(1_000)
    expect((await test(client, 'email')).body.isWorking).toBe(true)
    await waitUntil(async () => (await find(client, 'email'))?.status === 'connected')
  })

  itLong('is rate limited while the mail server postpones messages, and a restart does not forget it', async () => {
    const { client } = await newOwner(app)
    await proveEmail(app, client)
    reply = 451
    app.advanceClock(1_000)
    await client.post('/api/team/invitations', { email: 'robin@example.test', role: 'nurse' })
    await waitUntil(async () => (await find(client, 'email'))?.status === 'rate_limited')
    const restarted = await startTestApp({ databaseUrl: app.databaseUrl, smtp: server.settings() })
    const second = restarted.newClient()
    second.setCookie(client.cookie())
    expect(await find(second, 'email')).toMatchObject({ status: 'rate_limited', lastError: { code: 'smtp-451' } })
    await restarted.stopInstance()
  })

  itLong('gives up on a mail server that does not respond before the request ends, and records it', async () => {
    expect(vendorTestTimeoutMs).toBeLessThanOrEqual(productionTimeouts.requestMs - 1_000)
    const { client, practice } = await newOwner(app)
    reply = never
    expect((await test(client, 'email')).body).toMatchObject({ isWorking: false, error: 'ETIMEDOUT' })
    const recorded = (await readAllEvents(app.services.store)).filter(
      ({ type, metadata }) => type === 'IntegrationTested' && metadata.practiceId === practice.id,
    )
    expect(recorded.map(({ data }) => data)).toMatchObject([{ name: 'email', error: 'ETIMEDOUT' }])
  })

  itLong('says that the password is wrong without showing it', async () => {
    const wrong = await startTestApp({
      smtp: server.settings({ credentials: { user: 'everchart', password: 'wrong' } }),
    })
    const { client } = await newOwner(wrong)
    expect((await test(client, 'email')).body).toMatchObject({ isWorking: false, error: 'smtp-535' })
    await waitUntil(async () => (await find(client, 'email'))?.status === 'error')
    expect(JSON.stringify(await list(client))).not.toContain('wrong')
    await wrong.dispose()
  })
})

describe('with Stripe', () => {
  let app: TestApp
  let server: Awaited<ReturnType<typeof startStripeServer>>
  let response: StripeResponse
  beforeAll(async () => {
    server = await startStripeServer(() => response)
    app = await startTestApp({
      sandbox: 'off',
      stripe: {
        secretKey,
        publishableKey: 'pk_test_1',
        prices: { starter: 'price_1', professional: 'price_2', enterprise: 'price_3' },
        apiBase: server.url,
      },
    })
  })
  afterAll(async () => {
    await app.dispose()
    await server.close()
  })

  it('asks for a price with the SDK, and shows what Stripe replies', async () => {
    const { client } = await newOwner(app)
    response = { body: { id: 'price_1', object: 'price' } }
    expect((await test(client, 'payments')).body).toMatchObject({ isWorking: true, error: null })
    expect(server.calls.at(-1)).toMatchObject({ method: 'GET', path: '/v1/prices/price_1' })
    expect(await find(client, 'payments')).toMatchObject({ status: 'connected', canTest: true })

    const failures: [StripeResponse, string][] = [
      [{ status: 401, body: { error: { type: 'invalid_request_error', message: secretKey } } }, 'http-401'],
      [{ status: 500, body: { error: { type: 'api_error', message: 'down' } } }, 'http-500'],
      [
        { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } },
        'price-not-found',
      ],
      [{ body: {}, isLost: true }, 'no-reply'],
    ]
    for (const [reply, error] of failures) {
      response = reply
      app.advanceClock(1_000)
      expect((await test(client, 'payments')).body).toMatchObject({ isWorking: false, error })
      expect(await find(client, 'payments')).toMatchObject({ status: 'error', lastError: { code: error } })
    }
    expect(JSON.stringify(await list(client))).not.toContain(secretKey)
  })

  itLong('records the outcome of ordinary calls, too', async () => {
    const { client } = await newOwner(app)
    app.advanceClock(1_000)
    response = { status: 500, body: { error: { type: 'api_error' } } }
    expect((await client.post('/api/create-subscription', { planType: 'starter' })).status).toBeGreaterThanOrEqual(500)
    await waitUntil(async () => (await find(client, 'payments'))?.lastError?.code === 'http-500')
  })
})

describe('without payments', () => {
  itLong('says that they are not set up', async () => {
    const app = await startTestApp({ sandbox: 'off' })
    const { client } = await newOwner(app)
    expect(await find(client, 'payments')).toMatchObject({ status: 'not_configured', canTest: false })
    await app.dispose()
  })
})
