import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unlimitedQuotas } from '#http/write-quotas.ts'
import type { Client } from '#tests/support/client.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { readMessages } from '#tests/support/outbox.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { loadState, receiveLinks, waitForJobs, waitForStatus } from './newsletter-app.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
let visitor: Client
beforeAll(async () => {
  app = await startTestApp()
  app.stopClock()
  visitor = app.newClient()
})
afterAll(() => app.dispose())

const newAddress = () => `reader-${randomUUID()}@example.test`
const path = '/api/newsletter/subscribe'
const subscribe = (email: string, client = visitor) => client.post(path, { email })
const dayMs = 24 * 3_600_000

/** Posts a form as a browser does without script. */
const postForm = (fields: Record<string, string>, headers: Record<string, string> = {}, to = path) =>
  visitor.sendRaw('POST', to, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  })

const confirmedReader = async () => {
  const email = newAddress()
  await subscribe(email)
  const links = await receiveLinks(app, email)
  expect((await visitor.post(links.confirm)).status).toBe(200)
  return { email, links }
}

describe('a subscription', () => {
  it('is requested, confirmed by the button behind the link, and left by that behind the other link', async () => {
    const email = newAddress()
    expect(await subscribe(email)).toMatchObject({ status: 202, body: { delivery: 'outbox' } })
    const { confirm, leave } = await receiveLinks(app, email)

    const page = await visitor.get(confirm)
    expect(page).toMatchObject({
      status: 200,
      body: expect.stringContaining('<button type="submit">Subscribe</button>'),
    })
    // Opening the page, as mail scanners do, changes nothing.
    expect((await loadState(app, email)).status).toBe('pending')
    expect(await visitor.post(confirm)).toMatchObject({
      status: 200,
      body: expect.stringContaining('You are subscribed'),
    })
    expect((await loadState(app, email)).status).toBe('confirmed')
    expect((await visitor.post(confirm)).status).toBe(200)

    expect((await visitor.get(leave)).body).toContain('<button type="submit">Unsubscribe</button>')
    expect((await loadState(app, email)).status).toBe('confirmed')
    for (let n = 0; n < 2; n++)
      expect(await visitor.post(leave)).toMatchObject({
        status: 200,
        body: expect.stringContaining('You are unsubscribed'),
      })
    expect((await loadState(app, email)).status).toBe('left')
    expect(await visitor.post(confirm)).toMatchObject({ status: 410, body: expect.stringContaining('no longer works') })
  })

  it('is left with one click in a mail program, whatever body it sends (RFC 8058)', async () => {
    const bodies = [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      ],
    ] as const
    for (const [type, body] of bodies) {
      const { email, links } = await confirmedReader()
      const answer = await fetch(app.url + links.leave, { method: 'POST', headers: { 'content-type': type }, body })
      expect(answer.status).toBe(200)
      expect((await loadState(app, email)).status).toBe('left')
    }
  })

  it('erases the address when it is left: its key is destroyed', async () => {
    const { email, links } = await confirmedReader()
    await visitor.post(links.leave)
    const state = await loadState(app, email)
    const subject = state.status === 'left' ? state.subscriptionId : ''
    await waitForJobs(app)
    expect((await app.services.keyStore.getMany([subject])).get(subject)).toBeNull()
    const { rows } = await app.services.pool.query(
      'select from read.newsletter_subscribers where subscription_id = $1',
      [subject],
    )
    expect(rows).toEqual([])
    const events = await readAllEvents(app.services.store)
    expect(
      JSON.stringify(
        events.filter(({ type }) => type.startsWith('Newsletter')),
        replaceBigInt,
      ),
    ).not.toContain(email)
  })

  it('begins again after it was left', async () => {
    const { email, links } = await confirmedReader()
    await visitor.post(links.leave)
    await waitForJobs(app)
    await subscribe(email)
    expect((await waitForStatus(app, email, 'pending')).status).toBe('pending')
    // A link of the first subscription does not confirm the second one, but leaves it.
    expect((await visitor.post(links.confirm)).status).toBe(410)
    expect((await visitor.post(links.leave)).status).toBe(200)
    expect((await loadState(app, email)).status).toBe('left')
  })

  it('is one for addresses that differ in case only', async () => {
    const { email } = await confirmedReader()
    await subscribe(email.toUpperCase())
    await waitForJobs(app)
    expect(await readMessages(app, email)).toHaveLength(1)
    expect(await readMessages(app, email.toUpperCase())).toEqual([])
  })
})

const replaceBigInt = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

describe('the reply', () => {
  itLong('is the same for unknown, pending, confirmed and left addresses, and for robots', async () => {
    const { email, links } = await confirmedReader()
    const left = await confirmedReader()
    await visitor.post(left.links.leave)
    const pending = newAddress()
    await subscribe(pending)
    const answers = [
      await subscribe(newAddress()),
      await subscribe(pending),
      await subscribe(email),
      await subscribe(left.email),
      await visitor.post(path, { email: newAddress(), website: 'https://spam.example' }),
    ]
    for (const { status, body, headers } of answers) {
      const names = [...headers.keys()].toSorted()
      expect({ status, body, names }).toEqual({
        status: 202,
        body: { delivery: 'outbox' },
        names: [...(answers[0]?.headers.keys() ?? [])].toSorted(),
      })
    }
    expect(links.confirm).not.toBe('')
  })

  it('takes a quarter of a second at least, so that its time does not show what is known', async () => {
    const { email } = await confirmedReader()
    const began = performance.now()
    await subscribe(email)
    expect(performance.now() - began).toBeGreaterThan(245)
  })
})

describe('messages', () => {
  it('are sent once a day to an address, however often it is entered', async () => {
    const email = newAddress()
    await Promise.all(Array.from({ length: 5 }, () => subscribe(email)))
    await waitForJobs(app)
    expect(await readMessages(app, email)).toHaveLength(1)
  })

  it('are not sent for a form that a robot has filled in', async () => {
    const email = newAddress()
    await visitor.post(path, { email, website: 'https://spam.example' })
    await postForm({ email, website: 'https://spam.example' })
    expect((await loadState(app, email)).status).toBe('none')
  })

  it('show no address in their links', async () => {
    const email = newAddress()
    await subscribe(email)
    const { confirm, leave } = await receiveLinks(app, email)
    for (const link of [confirm, leave]) {
      expect(link).toMatch(/^\/newsletter\/(confirm|leave)\/[\w.-]+$/)
      expect(decodeURIComponent(link)).not.toContain('reader')
    }
  })
})

describe('a link', () => {
  it('works only as it was sent', async () => {
    const email = newAddress()
    await subscribe(email)
    const { confirm, leave } = await receiveLinks(app, email)
    const altered = confirm.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const swapped = [confirm.replace('/confirm/', '/leave/'), leave.replace('/leave/', '/confirm/')]
    for (const link of [altered, ...swapped, '/newsletter/confirm/x', '/newsletter/leave/...', '/newsletter/leave/%00'])
      for (const answer of [await visitor.get(link), await visitor.post(link)])
        expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('This link is not valid') })
    expect((await loadState(app, email)).status).toBe('pending')
  })

  it('is accepted from pages of Everchart and from mail programs, not from other sites', async () => {
    const email = newAddress()
    await subscribe(email)
    const { confirm } = await receiveLinks(app, email)
    const answer = await visitor.sendRaw('POST', confirm, '', { origin: 'https://evil.example' })
    expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('<h1>Not allowed</h1>') })
    expect((await loadState(app, email)).status).toBe('pending')
  })
})

describe('a page', () => {
  it('needs no script, and allows none', async () => {
    const { body, headers } = await visitor.get('/newsletter/thanks')
    expect(body).toContain('Mail is not configured on this installation: the confirmation is in its outbox.')
    expect(body).not.toMatch(/<script|style=|<style/)
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'self';(?!.*unsafe)/)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })

  it('says that there is nothing at another path', async () => {
    for (const answer of [await visitor.get('/newsletter/nothing'), await visitor.get('/newsletter/')])
      expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('There is nothing here.') })
  })
})

describe('the plain form', () => {
  it('leads to a page of thanks', async () => {
    const email = newAddress()
    const answer = await postForm({ email, website: '' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/newsletter/thanks'])
    expect((await loadState(app, email)).status).toBe('pending')
  })

  it('explains on a page what is wrong', async () => {
    for (const fields of [{ email: 'reader' }, { email: '' }, { email: newAddress(), role: 'administrator' }, {}]) {
      const answer = await postForm(fields as Record<string, string>)
      expect(answer).toMatchObject({ status: 422, body: expect.stringContaining('Please check the fields') })
    }
    expect((await postForm({ email: 'reader' })).body).toContain('Please enter a valid email address')
    const large = await postForm({ email: 'x'.repeat(10_000) })
    expect(large).toMatchObject({ status: 400, body: expect.stringContaining('The form cannot be read.') })
  })

  it('is refused from another site, and at other endpoints', async () => {
    const email = newAddress()
    expect((await postForm({ email }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await postForm({ email }, {}, '/api/login')).status).toBe(415)
    expect((await loadState(app, email)).status).toBe('none')
  })
})

describe('limits', () => {
  let limited: TestApp
  beforeAll(async () => {
    limited = await startTestApp({
      quotas: { ...unlimitedQuotas, newsletterRequestsPerNetwork: 3, newsletterRequests: 5 },
      publicUrl: 'https://practice.example',
    })
    limited.stopClock()
  })
  afterAll(() => limited.dispose())

  const from = (address: string, email: string) =>
    limited.newClient().request('POST', path, { email }, { 'x-forwarded-for': address })

  itLong('hold per network and altogether, for known and unknown addresses alike', async () => {
    const known = newAddress()
    for (const email of [known, newAddress(), newAddress()]) expect((await from('192.0.2.1', email)).status).toBe(202)
    for (const email of [known, newAddress()])
      expect(await from('192.0.2.1', email)).toMatchObject({
        status: 429,
        problem: {
          code: 'too-many-attempts',
          message: 'Too many subscriptions from your network. Please try again in 15 minutes.',
        },
      })
    for (const host of [2, 3]) expect((await from(`192.0.2.${host}`, newAddress())).status).toBe(202)
    const refused = newAddress()
    expect(await from('192.0.2.4', refused)).toMatchObject({
      status: 429,
      problem: { message: 'Too many subscriptions. Please try again in 15 minutes.' },
    })
    expect((await loadState(limited, refused)).status).toBe('none')
    limited.advanceClock(3_600_001)
    expect((await from('192.0.2.1', newAddress())).status).toBe(202)
  })
})

// Last, because it moves the clock of the application.
describe('the link of a request', () => {
  it('works for a week; then the address is erased', async () => {
    const email = newAddress()
    await subscribe(email)
    const { confirm } = await receiveLinks(app, email)
    app.advanceClock(7 * dayMs - 1)
    await app.services.jobs.send('expire-newsletter-requests', {})
    await waitForJobs(app)
    expect((await loadState(app, email)).status).toBe('pending')
    expect((await visitor.get(confirm)).status).toBe(200)
    app.advanceClock(2)
    for (const answer of [await visitor.get(confirm), await visitor.post(confirm)])
      expect(answer).toMatchObject({ status: 410, body: expect.stringContaining('This link has expired') })
    await app.services.jobs.send('expire-newsletter-requests', {})
    await waitForStatus(app, email, 'left')
  })
})
