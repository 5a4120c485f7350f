import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { purgeMessages, requeueMessages } from '#modules/billing/jobs.ts'
import { signMessage } from '#modules/billing/receive-message.ts'
import { loadMessage } from '#modules/billing/stored-messages.ts'
import { cardDetails, waitForSubscriptionStatus, subscribe } from '#tests/support/billing.ts'
import { newOwner } from '#tests/support/practice.ts'
import { readStream } from '#tests/support/events.ts'
import { startTestApp, type TestApp, webhookSecret } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const path = '/api/stripe/webhook'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const messageOf = (id: string, type = 'customer.created', object: object = { practice: 'none' }) =>
  JSON.stringify({ id, object: 'event', type, created: 1_800_000_000, data: { object } })

function send(payload: string, over: { secret?: string; at?: Date; signature?: string } = {}) {
  const signature = over.signature ?? signMessage(payload, over.secret ?? webhookSecret, over.at ?? new Date())
  return app
    .newClient()
    .sendRaw('POST', path, payload, { 'content-type': 'application/json', 'stripe-signature': signature })
}

const kept = async (id: string) =>
  (
    await app.services.pool.query<{ type: string; handled_at: Date | null }>(
      'select type, handled_at from app.provider_messages where message_id = $1',
      [id],
    )
  ).rows

/** Returns the stored messages about a practice, decrypted. */
async function loadMessagesOf({ services }: TestApp, practiceId: string) {
  const { rows } = await services.pool.query<{ id: string; isHandled: boolean }>(
    'select message_id as id, handled_at is not null as "isHandled" from app.provider_messages',
  )
  const messages = await Promise.all(rows.map(async (row) => ({ ...row, ...(await loadMessage(services, row.id)) })))
  return messages.filter(({ object }) => (object as { practiceId?: string } | undefined)?.practiceId === practiceId)
}

const handled = (id: string) =>
  waitUntil(
    () => kept(id),
    ([row]) => row?.handled_at != null,
  )

describe('a webhook of the payment provider', () => {
  it('is stored once before the reply, and handled', async () => {
    const payload = messageOf('evt_1')
    const answers = await Promise.all([send(payload), send(payload), send(payload)])
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { received: true } })
    expect(await kept('evt_1')).toHaveLength(1)
    // An unknown type is stored and has no effect.
    expect(await handled('evt_1')).toMatchObject([{ type: 'customer.created' }])
    const before = await app.services.store.head()
    expect((await send(payload)).status).toBe(200)
    expect(await app.services.store.head()).toBe(before)
  })

  it('must have a recent signature of the provider over its bytes', async () => {
    const payload = messageOf('evt_2')
    const good = signMessage(payload, webhookSecret, new Date())
    const wrong = [
      send(payload, { secret: 'whsec_of_another_account' }),
      send(payload, { at: new Date(Date.now() - 301_000) }),
      send(payload, { at: new Date(Date.now() + 330_000) }),
      send(payload, { at: new Date(Date.now() + 86_400_000) }),
      send(payload, { signature: '' }),
      send(payload, { signature: good.replace('v1=', 'v0=') }),
      send(payload, { signature: `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}` }),
      send(payload.replace('evt_2', 'evt_3'), { signature: good }),
      send(`${payload} `, { signature: good }),
    ]
    for (const answer of await Promise.all(wrong))
      expect(answer).toMatchObject({ status: 400, problem: { code: 'invalid-signature' } })
    expect([...(await kept('evt_2')), ...(await kept('evt_3'))]).toEqual([])
  })

  it('is refused when it is signed but malformed', async () => {
    for (const payload of [
      '',
      '[]',
      'null',
      '{',
      '{"id":1}',
      messageOf('x'.repeat(300)),
      messageOf('Ada Lovelace'),
      '{"id":"evt_4","type":"a"}',
    ])
      expect(await send(payload)).toMatchObject({ status: 400 })
    const answer = await app.newClient().sendRaw('POST', path, 'a=b', { 'content-type': 'text/plain' })
    expect(answer.status).toBe(415)
  })

  it('is refused when it is nested deeper than any object of the provider', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const deep = (levels: number, id: string) =>
      `{"id":"${id}","type":"customer.updated","created":1800000000,"data":{"object":${nested(levels)}}}`
    for (const levels of [100, 5_000, 100_000])
      expect(await send(deep(levels, 'evt_deep'))).toMatchObject({ status: 400, problem: { code: 'invalid-message' } })
    expect(await kept('evt_deep')).toEqual([])
    expect((await send(deep(20, 'evt_flat'))).status).toBe(200)
  })

  it('may contain any characters, except in its id', async () => {
    const odd = { name: 'a\u0000b\ud800c', path: 'c:\\u0000', '\u0000': 1, smile: '\u{1F600}' }
    expect((await send(messageOf('evt_odd', 'customer.updated', odd))).status).toBe(200)
    await handled('evt_odd')
    const object = { name: 'a\ufffdb\ufffdc', path: 'c:\\u0000', '\ufffd': 1, smile: '\u{1F600}' }
    expect(await loadMessage(app.services, 'evt_odd')).toMatchObject({ object })
    for (const payload of [messageOf('evt_\u0000'), messageOf('evt_5', 'customer.\ud800')])
      expect(await send(payload)).toMatchObject({ status: 400, problem: { code: 'invalid-message' } })
  })

  it('is handled although the process was killed between storing and enqueueing it', async () => {
    await app.services.pool.query(
      `insert into app.provider_messages (message_id, type, object, created_at, received_at)
       values ('evt_left', 'customer.created', '{}', now(), now() - interval '2 minutes')`,
    )
    const working = { id: randomUUID(), signal: new AbortController().signal, attempt: 1 }
    await requeueMessages.run(app.services, {}, working)
    await requeueMessages.run(app.services, {}, working)
    expect(await handled('evt_left')).toHaveLength(1)
  })

  itLong('is handled although a thousand older ones wait for an operator', async () => {
    const { pool } = app.services
    // These name no practice: their jobs become dead letters, and they are never handled.
    await pool.query(
      `insert into app.provider_messages (message_id, type, object, created_at, received_at)
       select 'evt_hopeless_' || n, 'customer.subscription.updated', '{}', now(), now() - interval '1 day'
       from generate_series(1, 1000) as n`,
    )
    const attempt = { id: randomUUID(), signal: new AbortController().signal, attempt: 1 }
    const requeue = () => requeueMessages.run(app.services, {}, attempt)
    await requeue()
    await requeue()
    await pool.query(
      `insert into app.provider_messages (message_id, type, object, created_at, received_at)
       values ('evt_after_hopeless', 'customer.created', '{}', now(), now() - interval '2 minutes')`,
    )
    await requeue()
    expect(await handled('evt_after_hopeless')).toHaveLength(1)
  })

  it('is stored encrypted, and deleted 90 days after it was handled', async () => {
    const { pool } = app.services
    expect((await send(messageOf('evt_named', 'customer.created', { name: 'Zyxwvut Qwortle' }))).status).toBe(200)
    await handled('evt_named')
    await pool.query(
      `insert into app.provider_messages (message_id, type, object, created_at, received_at, handled_at)
       values ('evt_clear', 'customer.created', '{"name": "Zyxwvut"}', now(), now(), now() - interval '89 days'),
         ('evt_old', 'customer.created', '{}', now(), now(), now() - interval '91 days')`,
    )
    const attempt = { id: randomUUID(), signal: new AbortController().signal, attempt: 1 }
    await purgeMessages.run(app.services, {}, attempt)
    expect(await kept('evt_old')).toEqual([])
    expect(await loadMessage(app.services, 'evt_clear')).toMatchObject({ object: { name: 'Zyxwvut' } })
    const { rows } = await pool.query<{ text: string }>('select m::text as text from app.provider_messages m')
    const found = JSON.stringify(rows)
    expect(found).toContain('evt_clear')
    for (const word of ['Zyxwvut', 'Qwortle']) {
      expect(found).not.toContain(word)
      expect(found).not.toContain(Buffer.from(word).toString('hex'))
    }
  })

  it('of 100 MB is refused without being read, with and without a content length', async () => {
    const { hostname, port } = new URL(app.url)
    const head = { hostname, port, path, method: 'POST' }
    const json = { 'content-type': 'application/json' }
    const announced = await new Promise<number>((resolve, reject) => {
      const asked = request({ ...head, headers: { ...json, 'content-length': 100 * 1024 * 1024 } }, (answer) => {
        resolve(answer.statusCode ?? 0)
        asked.destroy()
      }).on('error', reject)
      asked.write('{')
    })
    expect(announced).toBe(413)
    const streamed = await new Promise<number>((resolve, reject) => {
      const asked = request({ ...head, headers: json }, (answer) => {
        resolve(answer.statusCode ?? 0)
        asked.destroy()
      }).on('error', reject)
      asked.write(Buffer.alloc(2 * 1024 * 1024, 'a'))
    })
    expect(streamed).toBe(413)
  })

  itLong('is handled once although it is sent again years later, when its job is gone', async () => {
    const { client, practice } = await newOwner(app)
    await subscribe(client)
    const messages = await loadMessagesOf(app, practice.id)
    const before = await readStream(app.services.store, `subscription-${practice.id}`)
    for (const { id, type, object } of messages) {
      expect((await send(messageOf(`${id}_again`, type, object as object))).status).toBe(200)
      await handled(`${id}_again`)
    }
    expect(messages.length).toBeGreaterThan(1)
    expect(await readStream(app.services.store, `subscription-${practice.id}`)).toEqual(before)
  })
})

describe('a missed update', () => {
  itLong('is fetched when only an invoice has arrived', async () => {
    const quiet = await startTestApp({ sandbox: 'on' })
    try {
      const { client, practice } = await newOwner(quiet)
      await subscribe(client)
      const invoice = {
        invoiceId: 'in_of_a_month',
        subscriptionId: (await readStream(quiet.services.store, `sandbox-${practice.id}`))
          .map(({ data }) => data['subscription'] as { subscriptionId: string } | undefined)
          .find((one) => one !== undefined)?.subscriptionId,
        status: 'paid',
        plan: 'professional',
        amount: { cents: 129_00, currency: 'USD' },
        periodStart: '2026-03-01T00:00:00.000Z',
        periodEnd: '2026-04-01T00:00:00.000Z',
      }
      const observed = { version: 1, at: new Date().toISOString() }
      const object = { practiceId: practice.id, observed, invoice, subscriptionVersion: 99 }
      const payload = messageOf('evt_of_an_invoice', 'invoice.paid', object)
      const headers = {
        'content-type': 'application/json',
        'stripe-signature': signMessage(payload, webhookSecret, new Date()),
      }
      expect((await quiet.newClient().sendRaw('POST', path, payload, headers)).status).toBe(200)
      const types = async () =>
        (await readStream(quiet.services.store, `subscription-${practice.id}`)).map(({ type }) => type)
      await waitUntil(types, (all) => all.includes('ProviderUpdateMissed'))
      // The provider has no such version and returns its current state; nothing is invented.
      expect(await waitForSubscriptionStatus(client, 'trialing')).toMatchObject({ status: 'trialing' })
    } finally {
      await quiet.dispose()
    }
  })
})

describe('in chaos mode', () => {
  itLong('every webhook arrives twice and late, and the result is correct', async () => {
    const wild = await startTestApp({ sandbox: 'chaos' })
    try {
      const { client, practice } = await newOwner(wild)
      await subscribe(client, 'professional', { cardNumber: '4000000000000341' })
      await client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_starter' })
      await client.post('/api/billing-sandbox/advance', { days: 31 })
      await waitForSubscriptionStatus(client, 'past_due')
      const { clientSecret } = (await client.get('/api/billing-sandbox/portal')).body
      expect((await client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })).status).toBe(200)
      expect(await waitForSubscriptionStatus(client, 'active')).toMatchObject({
        plan: { id: 'starter' },
        nextPlan: null,
      })
      const told = async () => (await loadMessagesOf(wild, practice.id)).filter(({ isHandled }) => isHandled).length
      const books = await readStream(wild.services.store, `sandbox-${practice.id}`)
      const reported = books.filter(({ type }) => /Subscription|Invoice/.test(type)).length
      await waitUntil(told, (count) => count === reported)
      expect(await waitForSubscriptionStatus(client, 'active')).toMatchObject({ plan: { id: 'starter' } })
    } finally {
      await wild.dispose()
    }
  })
})
