import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '#database/migrations.ts'
import { deliveriesMigration } from '#mail/announcements.ts'
import { MailPostponed, MailRefused, MailUnavailable } from '#mail/errors.ts'
import { createSms } from '#sms/deliveries.ts'
import { createTwilioSender } from '#sms/twilio.ts'
import { startStripeServer, type StripeResponse } from '#tests/support/stripe-server.ts'
import { createTestDatabase, openTestPool } from '#tests/support/test-database.ts'

const accountSid = `AC${'0'.repeat(32)}`
const path = `/2010-04-01/Accounts/${accountSid}/Messages.json`
const message = {
  key: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003-1',
  to: '+16175550142',
  text: 'Harbor Clinic: your appointment is on Friday.',
  date: new Date('2031-03-05T14:00:00.000Z'),
}

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: Pool
let server: Awaited<ReturnType<typeof startStripeServer>>
/** The replies of the next calls that send; the last one stays. */
let replies: StripeResponse[]
/** The messages that the vendor lists. */
let received: object[]
let now: Date

beforeAll(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 4)
  await migrate(pool, [deliveriesMigration])
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  await pool.query('delete from app.mail_deliveries')
  replies = [{ status: 201, body: { sid: 'SM1' } }]
  received = []
  now = message.date
  server = await startStripeServer(({ method }) =>
    method === 'GET'
      ? { body: { messages: received } }
      : ((replies.length > 1 ? replies.shift() : replies[0]) ?? { body: {} }),
  )
})
afterEach(() => server.close())

const createSender = (over: object = {}) =>
  createTwilioSender({
    accountSid,
    authToken: 'secret of the tests',
    from: '+16175550100',
    apiBase: server.url,
    statusUrl: 'https://practice.example/api/twilio/status',
    ...over,
  })
const createDelivery = () => createSms({ pool, sender: createSender(), clock: () => now })
const refuse = (status: number, code: number): StripeResponse => ({
  status,
  body: { status, code, message: message.to },
})
const sendCalls = () => server.calls.filter(({ method }) => method === 'POST')

describe('a text message', () => {
  it('is handed to Twilio with its number, and with the address for its outcome', async () => {
    await createDelivery().deliver(message)
    const [call] = sendCalls()
    expect(call).toMatchObject({
      path,
      form: {
        To: message.to,
        From: '+16175550100',
        Body: message.text,
        StatusCallback: `https://practice.example/api/twilio/status?key=${message.key}`,
      },
    })
    const login = Buffer.from(`${accountSid}:secret of the tests`).toString('base64')
    expect(call?.headers['authorization']).toBe(`Basic ${login}`)
  })

  it('comes from a messaging service, without an address that the internet does not reach', async () => {
    await createSender({ from: `MG${'1'.repeat(32)}`, statusUrl: null }).send(message)
    expect(sendCalls()[0]?.form).toEqual({
      To: message.to,
      MessagingServiceSid: `MG${'1'.repeat(32)}`,
      Body: message.text,
    })
  })

  it('reports how the vendor took it, a refusal of one number apart, and whether the account is known', async () => {
    const outcomes: (string | null)[] = []
    const sms = createSms({
      pool,
      sender: createSender(),
      clock: () => now,
      onOutcome: (error) => outcomes.push(error),
    })
    await sms.deliver(message)
    replies = [refuse(400, 21_211)]
    await expect(sms.deliver({ ...message, key: 'refused-1' })).rejects.toBeInstanceOf(MailRefused)
    replies = [refuse(429, 20_429)]
    await expect(sms.deliver({ ...message, key: 'postponed-1' })).rejects.toBeInstanceOf(MailPostponed)
    expect(outcomes).toEqual([null, null, 'twilio-20429'])
    await sms.verify()
    expect(server.calls.at(-1)).toMatchObject({ method: 'GET', path: `/2010-04-01/Accounts/${accountSid}.json` })
  })

  it('leaves once, whichever instance delivers it again', async () => {
    await createDelivery().deliver(message)
    await createDelivery().deliver(message)
    await Promise.all([createDelivery().deliver(message), createDelivery().deliver(message)])
    expect(sendCalls()).toHaveLength(1)
  })

  it.each([
    [refuse(400, 21_610), MailRefused, 'number-stopped'],
    [refuse(400, 21_211), MailRefused, 'twilio-21211'],
    [refuse(429, 20_429), MailPostponed, 'twilio-20429'],
    [refuse(401, 20_003), MailUnavailable, 'twilio-20003'],
  ] as const)(
    'is refused or postponed with a code that names no number, and can be sent again: %#',
    async (reply, type, code) => {
      replies = [reply, { status: 201, body: { sid: 'SM1' } }]
      const error = await createDelivery()
        .deliver(message)
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ code, message: `Mail: ${code}` })
      await createDelivery().deliver(message)
      expect(sendCalls()).toHaveLength(2)
    },
  )

  it('is not sent where there is no Twilio', async () => {
    const unreachable = createTwilioSender({
      accountSid,
      authToken: 'secret of the tests',
      from: '+16175550100',
      apiBase: 'http://127.0.0.1:1',
      statusUrl: null,
    })
    await expect(unreachable.send(message)).rejects.toMatchObject({ name: 'MailUnavailable', code: 'ECONNREFUSED' })
  })
})

describe.each([
  ['its reply is lost', { body: {}, isLost: true }],
  ['the vendor fails', { status: 503, body: {} }],
] as [string, StripeResponse][])('when %s', (_, lost) => {
  beforeEach(() => {
    replies = [lost, { status: 201, body: { sid: 'SM2' } }]
  })
  const attempt = () => createDelivery().deliver(message)

  it('the vendor is asked, but not while an attempt may be under way', async () => {
    await expect(attempt()).rejects.toBeInstanceOf(MailPostponed)
    now = new Date(message.date.getTime() + 60_000)
    await expect(attempt()).rejects.toBeInstanceOf(MailPostponed)
    expect(server.calls.filter(({ method }) => method === 'GET')).toEqual([])
    expect(sendCalls()).toHaveLength(1)
  })

  it('a message that the vendor has is not sent again', async () => {
    await expect(attempt()).rejects.toBeInstanceOf(MailPostponed)
    now = new Date(message.date.getTime() + 180_000)
    received = [{ body: message.text, date_created: message.date.toUTCString() }]
    await attempt()
    await attempt()
    expect(sendCalls()).toHaveLength(1)
  })

  it('a message that the vendor does not have is sent again, also when an earlier one had the same text', async () => {
    await expect(attempt()).rejects.toBeInstanceOf(MailPostponed)
    now = new Date(message.date.getTime() + 180_000)
    const yesterday = new Date(message.date.getTime() - 86_400_000).toUTCString()
    received = [
      { body: message.text, date_created: yesterday },
      { body: 'Another text', date_created: message.date.toUTCString() },
    ]
    await attempt()
    expect(sendCalls()).toHaveLength(2)
  })
})
