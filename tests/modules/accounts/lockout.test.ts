import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { registrationsPerClient, signInsPerClient } from '#modules/accounts/attempts.ts'
import type { Client } from '#tests/support/client.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { newUser, password, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const minute = 60_000
const wrong = 'not my password'

/** So many tries with a wrong password, one after the other; answers their statuses. */
async function fail(client: Client, email: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await client.post('/api/login', { email, password: wrong })).status)
  return statuses
}
const five = [401, 401, 401, 401, 401]

describe('failed sign-ins', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
  })
  afterAll(() => app.dispose())

  it('lock the account after five, for a minute, for the right password too', async () => {
    const { user } = await newUser(app)
    const client = app.newClient()
    expect(await fail(client, user.email, 5)).toEqual(five)
    const locked = await client.post('/api/login', { email: user.email, password })
    expect(locked).toMatchObject({ status: 429, problem: { code: 'locked' } })
    expect(locked.problem.message).toMatch(/^Too many failed attempts\. Please try again in (\d+ seconds|1 minute)\.$/)
    const seconds = Number(locked.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(locked.headers.getSetCookie()).toEqual([])
    app.advanceClock(61_000)
    expect((await client.post('/api/login', { email: user.email, password })).status).toBe(200)
  })

  it('lock for longer and longer, up to an hour', async () => {
    const { email } = registrationForm()
    const client = app.newClient()
    for (const minutes of [1, 5, 15, 60, 60]) {
      expect(await fail(client, email, 5)).toEqual(five)
      const locked = await client.post('/api/login', { email, password })
      const seconds = Number(locked.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan((minutes - 1) * 60)
      expect(seconds).toBeLessThanOrEqual(minutes * 60)
      app.advanceClock(minutes * minute + 1_000)
    }
  })

  it('do not lock for longer after attempts during the lock', async () => {
    const { email } = registrationForm()
    const client = app.newClient()
    await fail(client, email, 5)
    expect(await fail(client, email, 7)).toEqual(Array.from({ length: 7 }, () => 429))
    app.advanceClock(61_000)
    expect(await fail(client, email, 5)).toEqual(five)
  })

  it('count for one address in whatever case, and for no other', async () => {
    const { user } = await newUser(app)
    const { user: other } = await newUser(app)
    const client = app.newClient()
    await fail(client, user.email, 3)
    await fail(client, user.email.toUpperCase(), 2)
    expect((await client.post('/api/login', { email: user.email, password })).status).toBe(429)
    expect((await client.post('/api/login', { email: other.email, password })).status).toBe(200)
  })

  it('lock an address without an account in the same way', async () => {
    const client = app.newClient()
    const { user } = await newUser(app)
    const { email } = registrationForm()
    await fail(client, user.email, 5)
    await fail(client, email, 5)
    const known = await client.post('/api/login', { email: user.email, password })
    const unknown = await client.post('/api/login', { email, password })
    expect(unknown.status).toBe(429)
    expect(unknown.problem.code).toBe(known.problem.code)
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
  })

  it('are forgotten after a success', async () => {
    const { user } = await newUser(app)
    const client = app.newClient()
    for (let n = 0; n < 3; n++) {
      expect(await fail(client, user.email, 4)).toEqual(five.slice(1))
      expect((await client.post('/api/login', { email: user.email, password })).status).toBe(200)
    }
  })

  it('are forgotten after a day', async () => {
    const { email } = registrationForm()
    const client = app.newClient()
    await fail(client, email, 4)
    app.advanceClock(24 * 60 * minute + 1_000)
    expect(await fail(client, email, 5)).toEqual(five)
  })

  it('give no more than five tries to twenty at the same moment', async () => {
    const { user } = await newUser(app)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.newClient().post('/api/login', { email: user.email, password: wrong })),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...five, ...Array.from({ length: 15 }, () => 429)])
  })

  it('are in the record while they were tries, not while it was locked', async () => {
    const { user } = await newUser(app)
    await fail(app.newClient(), user.email, 8)
    const refused = (await readAllEvents(app.services.store)).filter(
      ({ type, data }) => type === 'SignInRefused' && data.userId === user.id,
    )
    expect(refused).toHaveLength(5)
  })
})

describe('two copies of the application', () => {
  let one: TestApp
  let other: TestApp
  beforeAll(async () => {
    one = await startTestApp()
    other = await startTestApp({ databaseUrl: one.databaseUrl })
  })
  afterAll(async () => {
    await other.stopInstance()
    await one.dispose()
  })

  it('share accounts and sessions', async () => {
    const { client, user } = await newUser(one)
    const elsewhere = other.newClient()
    elsewhere.setCookie(client.cookie())
    expect((await elsewhere.get('/api/user')).body).toEqual(user)
    await elsewhere.post('/api/logout')
    expect((await client.get('/api/user')).status).toBe(401)
  })

  it('share one lock', async () => {
    const { user } = await newUser(one)
    expect(await fail(one.newClient(), user.email, 3)).toEqual(five.slice(2))
    expect(await fail(other.newClient(), user.email, 3)).toEqual([401, 401, 429])
    expect((await one.newClient().post('/api/login', { email: user.email, password })).status).toBe(429)
  })

  it('give no more than five tries together', async () => {
    const { user } = await newUser(one)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? one : other).newClient().post('/api/login', { email: user.email, password: wrong }),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('let one person have an address that both were asked for', async () => {
    const { email } = registrationForm()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? one : other).newClient().post('/api/register', registrationForm({ email })),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })
})

describe('limits by network', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ publicUrl: 'https://practice.example' })
    app.stopClock()
  })
  afterAll(() => app.dispose())

  const from = (address: string, path: string, body: unknown) =>
    app.newClient().request('POST', path, body, {
      origin: 'https://practice.example',
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
    })

  /** Stores a number of attempts from a network: hashing hundreds of passwords would prove nothing more. */
  const tried = (times: number) => app.services.pool.query('update app.attempts set tries = $1', [times])

  it('stop a client that tries many addresses from one network, and no other client', async () => {
    const user = await newUserFrom('198.51.100.1')
    await app.services.pool.query('delete from app.attempts')
    expect((await from('203.0.113.7', '/api/login', { email: 'a@example.test', password: wrong })).status).toBe(401)
    await app.services.pool.query('update app.attempts set tries = $1 where key = $2', [
      signInsPerClient.maxAttempts - 1,
      app.services.keyedHash(signInsPerClient.purpose, '203.0.113.7'),
    ])
    expect((await from('203.0.113.7', '/api/login', { email: 'b@example.test', password: wrong })).status).toBe(401)
    const stopped = await from('203.0.113.7', '/api/login', { email: user.email, password })
    expect(stopped).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect((await from('203.0.113.8', '/api/login', { email: user.email, password })).status).toBe(200)
    app.advanceClock(15 * minute + 1_000)
    expect((await from('203.0.113.7', '/api/login', { email: user.email, password })).status).toBe(200)
  })

  it('do not count successful sign-ins', async () => {
    const user = await newUserFrom('198.51.100.2')
    await app.services.pool.query('delete from app.attempts')
    for (let n = 0; n < 3; n++)
      expect((await from('203.0.113.9', '/api/login', { email: user.email, password })).status).toBe(200)
    const { rows } = await app.services.pool.query<{ tries: number }>('select tries from app.attempts')
    expect(rows).toEqual([{ tries: 0 }])
  })

  it('stop endless registrations from one network, also an IPv6 network', async () => {
    await app.services.pool.query('delete from app.attempts')
    expect((await from('2001:db8:1:2::1', '/api/register', registrationForm())).status).toBe(201)
    await tried(registrationsPerClient.maxAttempts - 1)
    expect((await from('2001:db8:1:2::2', '/api/register', registrationForm())).status).toBe(201)
    const stopped = await from('2001:db8:1:2:ffff::3', '/api/register', registrationForm())
    expect(stopped).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
    expect(stopped.problem.message).toMatch(/Please try again in 60 minutes\.$/)
    expect((await from('2001:db8:1:3::1', '/api/register', registrationForm())).status).toBe(201)
  })

  async function newUserFrom(address: string): Promise<CurrentUser> {
    const answer = await from(address, '/api/register', registrationForm())
    expect(answer.status).toBe(201)
    return answer.body
  }

  it('refuse sign-ins and registrations while attempts cannot be counted', async () => {
    const user = await newUserFrom('198.51.100.3')
    await app.services.pool.query('alter table app.attempts rename to attempts_away')
    const signIn = await from('198.51.100.3', '/api/login', { email: user.email, password })
    expect(signIn).toMatchObject({ status: 503, problem: { code: 'sign-in-unavailable' } })
    expect(signIn.headers.getSetCookie()).toEqual([])
    expect((await from('198.51.100.3', '/api/register', registrationForm())).status).toBe(503)
    await app.services.pool.query('alter table app.attempts_away rename to attempts')
    expect((await from('198.51.100.3', '/api/login', { email: user.email, password })).status).toBe(200)
  })

  it('store no name or address in the table', async () => {
    await from('203.0.113.77', '/api/login', { email: 'someone@example.test', password: wrong })
    const { rows } = await app.services.pool.query<{ key: string }>('select key from app.attempts')
    expect(rows.length).toBeGreaterThan(1)
    for (const { key } of rows) expect(key).toMatch(/^[0-9a-f]{64}$/)
  })
})
