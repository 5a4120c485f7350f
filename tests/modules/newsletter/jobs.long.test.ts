import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { listDeadLetters } from '#jobs/dead-letters.ts'
import { retryJob } from '#jobs/retry-and-drop.ts'
import { applyEmailChange } from '#modules/newsletter/jobs.ts'
import { requestNewsletter } from '#modules/newsletter/request-newsletter.ts'
import { checkHealth } from '#tests/support/check-health.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { type MailReply, type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { readMessages, waitForEmailToken } from '#tests/support/outbox.ts'
import { newUser, password, practiceDetails } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { loadState, parseLinks, receiveLinks, waitForJobs, waitForStatus } from './newsletter-app.ts'
import { itLong } from '#tests/support/long.ts'

describe('the choice of a user', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  const completeSetup = (client: Awaited<ReturnType<typeof newUser>>['client'], newsletterOptIn?: boolean) =>
    client.post('/api/practices/setup', { ...practiceDetails, selectedPlan: 'starter', newsletterOptIn })

  it('at registration is confirmed like any other request', async () => {
    const { user } = await newUser(app, { newsletterOptIn: true })
    const { confirm } = await receiveLinks(app, user.email)
    await app.newClient().post(confirm)
    expect((await loadState(app, user.email)).status).toBe('confirmed')
  })

  it('is none unless it was made', async () => {
    const { client, user } = await newUser(app)
    await completeSetup(client)
    await waitForJobs(app)
    expect((await loadState(app, user.email)).status).toBe('none')
  })

  it('in the set-up of a practice requests the newsletter', async () => {
    const { client, user } = await newUser(app)
    await completeSetup(client, true)
    expect(await waitForStatus(app, user.email, 'pending')).toMatchObject({ status: 'pending' })
  })

  it('is kept by a set-up that does not mention it, with one message', async () => {
    const { client, user } = await newUser(app, { newsletterOptIn: true })
    await completeSetup(client)
    await waitForJobs(app)
    expect((await loadState(app, user.email)).status).toBe('pending')
    expect(await readMessages(app, user.email)).toHaveLength(1)
  })

  it('ends the newsletter when it is withdrawn in the set-up', async () => {
    const { client, user } = await newUser(app, { newsletterOptIn: true })
    await waitForStatus(app, user.email, 'pending')
    await completeSetup(client, false)
    expect(await waitForStatus(app, user.email, 'left')).toMatchObject({ status: 'left' })
  })

  it('ends the newsletter when it is withdrawn in a later change of the set-up', async () => {
    const { client, user } = await newUser(app)
    await completeSetup(client, true)
    await waitForStatus(app, user.email, 'pending')
    await completeSetup(client, false)
    expect(await waitForStatus(app, user.email, 'left')).toMatchObject({ status: 'left' })
  })

  it('moves to the last of several new addresses, also when the job of an earlier change comes late', async () => {
    const [first, second, third] = ['first@reader.test', 'second@reader.test', 'third@reader.test']
    const { client, user } = await newUser(app, { email: first })
    for (const email of [second, third]) {
      await client.post('/api/account/email', { email, password })
      const token = await waitForEmailToken(app, email)
      expect((await client.post('/api/account/email/confirm', { token })).status).toBe(204)
    }
    await waitForJobs(app)
    const { services } = app
    const events = await readAllEvents(services.store)
    const change = events.find(({ type, data }) => type === 'EmailChanged' && data['to'] === second)
    const cause = { correlationId: randomUUID(), causationId: String(change?.id) }
    const context = { practiceId: null, actor: { kind: 'process', name: 'test' }, ...cause } as const
    await requestNewsletter(services, { email: first, source: 'registration' }, context)
    const data = { userId: UserId.parse(user.id), requestId: String(change?.data['requestId']), cause }
    await applyEmailChange.run(services, data, {
      id: randomUUID(),
      attempt: 1,
      signal: new AbortController().signal,
    })
    const states = await Promise.all([first, second, third].map((email) => loadState(app, email)))
    expect(states.map(({ status }) => status)).toEqual(['left', 'none', 'pending'])
  })

  it('moves to the new address of the account, and only if the account made it', async () => {
    const [address, next, last] = ['moving@reader.test', 'moved@reader.test', 'moved.again@reader.test']
    const changeEmail = async (client: Awaited<ReturnType<typeof newUser>>['client'], email: string) => {
      await client.post('/api/account/email', { email, password })
      const token = await waitForEmailToken(app, email)
      expect((await client.post('/api/account/email/confirm', { token })).status).toBe(204)
      await waitForJobs(app)
    }
    const { client } = await newUser(app, { email: address, newsletterOptIn: true })
    await waitForStatus(app, address, 'pending')
    await changeEmail(client, next)
    expect(await loadState(app, address)).toMatchObject({ status: 'left' })
    expect(await loadState(app, next)).toMatchObject({ status: 'pending', source: 'registration' })

    // Of the public form: the person who reads it there may be another one.
    await app.newClient().post('/api/newsletter/subscribe', { email: 'form@reader.test' })
    await waitForStatus(app, 'form@reader.test', 'pending')
    const { client: other } = await newUser(app, { email: 'form@reader.test' })
    await changeEmail(other, last)
    expect(await loadState(app, 'form@reader.test')).toMatchObject({ status: 'pending' })
    expect(await loadState(app, last)).toMatchObject({ status: 'none' })
  })

  it('does not end a subscription on the public form when it was made and withdrawn by an account with that address', async () => {
    const address = 'reader@elsewhere.test'
    await app.newClient().post('/api/newsletter/subscribe', { email: address })
    const { confirm } = await receiveLinks(app, address)
    await app.newClient().post(confirm)
    const { client } = await newUser(app, { email: address, newsletterOptIn: true })
    await completeSetup(client, false)
    await waitForJobs(app)
    expect((await loadState(app, address)).status).toBe('confirmed')
  })

  it('does not end a subscription on the public form when it was never made', async () => {
    const { client, user } = await newUser(app)
    await client.post('/api/newsletter/subscribe', { email: user.email })
    await completeSetup(client, false)
    await waitForJobs(app)
    expect((await loadState(app, user.email)).status).toBe('pending')
  })
})

describe('a confirmation by mail', () => {
  let app: TestApp
  let server: MailServer
  /** The replies to the next contents; then they are accepted. */
  let replies: (MailReply | Promise<MailReply>)[] = []
  let attempts = 0
  beforeAll(async () => {
    server = await startMailServer({
      answer(step) {
        if (step !== 'content') return 'accept'
        attempts++
        return replies.shift() ?? 'accept'
      },
    })
    app = await startTestApp({ smtp: server.settings() })
  })
  afterEach(() => {
    replies = []
    attempts = 0
    server.messages.splice(0)
  })
  afterAll(async () => {
    await app.dispose()
    await server.close()
  })

  let readers = 0
  async function subscribe(): Promise<string> {
    const email = `reader${++readers}@example.test`
    const answer = await app.newClient().post('/api/newsletter/subscribe', { email })
    expect(answer).toMatchObject({ status: 202, body: { delivery: 'mail' } })
    return email
  }
  const findDeadLetters = () => listDeadLetters(app.services.pool)
  const waitForDeadLetter = async () => {
    const [letter] = await waitUntil(findDeadLetters, (letters) => letters.length === 1)
    return letter
  }
  const retry = (id: string) =>
    retryJob({ pool: app.services.pool, store: app.services.store } as Parameters<typeof retryJob>[0], id)

  it('arrives once, and its link works', async () => {
    const email = await subscribe()
    await waitForJobs(app)
    expect(server.messages).toMatchObject([{ to: email, from: 'news@practice.example' }])
    const text = (server.messages[0]?.content ?? '').replaceAll('=\r\n', '')
    expect(text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect((await app.newClient().post(parseLinks(text).confirm)).status).toBe(200)
    expect((await loadState(app, email)).status).toBe('confirmed')
    expect((await app.newClient().get('/newsletter/thanks')).body).toContain('Open the link in it to confirm')
    expect(await checkHealth(app)).toMatchObject({ status: 'ok', services: { mail: 'ok' } })
  })

  itLong('is tried again after a temporary refusal', async () => {
    replies = [451, 452]
    await subscribe()
    await waitUntil(() => attempts === 3)
    await waitForJobs(app)
    expect(attempts).toBe(3)
    expect(await findDeadLetters()).toEqual([])
  })

  it('is a dead letter at once after a final refusal, and is sent when an operator retries it', async () => {
    replies = [550]
    await subscribe()
    const letter = await waitForDeadLetter()
    expect(letter).toMatchObject({ error: expect.stringContaining('smtp-550'), attempts: 1 })
    expect(attempts).toBe(1)
    await retry(letter?.id ?? '')
    await waitUntil(() => attempts === 2)
    await waitForJobs(app)
    expect(await findDeadLetters()).toEqual([])
  })

  itLong(
    'is a dead letter when the connection was cut after the content, and is not sent twice by itself',
    async () => {
      replies = ['cut']
      await subscribe()
      const letter = await waitForDeadLetter()
      expect(letter).toMatchObject({ error: expect.stringContaining('outcome-unknown'), attempts: 1 })
      await waitForJobs(app)
      expect(attempts).toBe(1)
      await waitUntil(async () => {
        const { rows } = await app.services.pool.query('select state from app.mail_deliveries where key = $1', [
          letter?.id,
        ])
        return rows[0]?.state === 'released'
      })
      await retry(letter?.id ?? '')
      await waitUntil(() => attempts === 2)
      await waitForJobs(app)
      const ids = server.messages.map(({ content }) => /^Message-ID: .+$/m.exec(content)?.[0])
      expect(ids).toEqual([ids[0], ids[0]])
    },
  )

  itLong('is not sent when the request ended before', async () => {
    const reply = Promise.withResolvers<MailReply>()
    replies = [reply.promise]
    const email = await subscribe()
    await waitUntil(() => attempts === 1)
    const text = (server.messages[0]?.content ?? '').replaceAll('=\r\n', '')
    expect((await app.newClient().post(parseLinks(text).leave)).status).toBe(200)
    reply.resolve(451)
    await waitForJobs(app)
    expect(attempts).toBe(1)
    expect((await loadState(app, email)).status).toBe('left')
  })

  itLong('degrades the health while the mail server is away', async () => {
    await server.close()
    await subscribe()
    await waitUntil(async () => (await checkHealth(app)).services.mail === 'down')
    expect((await checkHealth(app)).status).toBe('degraded')
    const { port } = server
    server = await startMailServer({ port })
    await waitForJobs(app)
    expect(server.messages).toHaveLength(1)
    expect(await checkHealth(app)).toMatchObject({ status: 'ok', services: { mail: 'ok' } })
  })
})
