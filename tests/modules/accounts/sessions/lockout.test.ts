import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import { ProblemError } from '#http/problems.ts'
import { createRateLimiter } from '#http/rate-limiter.ts'
import {
  createRegistrationLimit,
  signInsPerAccount,
  signInsPerAccountAndNetwork,
  signInsPerDevice,
  signInsPerNetwork,
} from '#modules/accounts/attempts.ts'
import type { Client } from '#tests/support/client.ts'
import { unlimitedQuotas } from '#http/write-quotas.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { cases, itLong } from '#tests/support/long.ts'
import { newUser, password, registrationForm } from '#tests/support/practice.ts'
import { withRefusedAppends } from '#tests/support/refused-appends.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTwoInstances } from '#tests/support/two-instances.ts'

const minute = 60_000
const wrong = 'not my password'

/** So many tries with a wrong password, one after the other; answers their statuses. */
async function fail(client: Client, email: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await client.post('/api/login', { email, password: wrong })).status)
  return statuses
}
const createUnavailable = () => new ProblemError(503, 'unavailable', 'Not available')
const five = [401, 401, 401, 401, 401]

describe('failed sign-ins', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
  })
  afterAll(() => app.dispose())

  it('lock the account for unknown devices after five, for a minute, for the right password too', async () => {
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

  it('lock for longer and longer, up to a quarter of an hour', async () => {
    const { email } = registrationForm()
    const client = app.newClient()
    for (const minutes of [1, 5, 15, 15, 15]) {
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

  it('are not counted while passwords cannot be verified', async () => {
    const { user } = await newUser(app)
    const client = app.newClient()
    await app.services.pool.query('alter table app.credentials rename to credentials_away')
    try {
      for (let n = 0; n < 5; n++)
        expect((await client.post('/api/login', { email: user.email, password })).status).toBe(500)
    } finally {
      await app.services.pool.query('alter table app.credentials_away rename to credentials')
    }
    expect((await client.post('/api/login', { email: user.email, password })).status).toBe(200)
  })

  it('are counted when the refusal cannot be recorded: the password was judged', async () => {
    const { user } = await newUser(app)
    const client = app.newClient()
    expect(await fail(client, user.email, 4)).toEqual(five.slice(1))
    await withRefusedAppends(app.databaseUrl, 'SignInRefused', async () => {
      const [status] = await fail(client, user.email, 1)
      expect(status).toBeGreaterThanOrEqual(500)
    })
    expect((await client.post('/api/login', { email: user.email, password })).status).toBe(429)
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

describe('a lock', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
  })
  afterAll(() => app.dispose())

  const readLocks = async (addressHash: unknown) =>
    (await readAllEvents(app.services.store)).flatMap(({ type, data }) =>
      type === 'AttemptsLocked' && data['addressHash'] === addressHash ? [data] : [],
    )

  it('is on the record when it begins, with what is locked, for whom and until when', async () => {
    const { user } = await newUser(app)
    const client = app.newClient()
    await fail(client, user.email, 4)
    const [refused] = (await readAllEvents(app.services.store)).filter(({ type }) => type === 'SignInRefused')
    const addressHash = refused?.data['addressHash']
    expect(await readLocks(addressHash)).toEqual([])
    await fail(client, user.email, 3)
    const until = new Date(app.services.clock().getTime() + minute).toISOString()
    const locked = { addressHash, scope: 'account-in-network', until }
    expect(await readLocks(addressHash)).toEqual([{ userId: user.id, ...locked }])
    await fail(client, registrationForm().email as string, 5)
    expect(await readLocks(addressHash)).toEqual([
      { userId: user.id, ...locked },
      { userId: null, ...locked },
    ])
  })

  it('is not on the record when the last try succeeds', async () => {
    const { user } = await newUser(app)
    const client = app.newClient()
    await fail(client, user.email, 4)
    expect((await client.post('/api/login', { email: user.email, password })).status).toBe(200)
    const events = await readAllEvents(app.services.store)
    expect(events.filter(({ type, data }) => type === 'AttemptsLocked' && data['userId'] === user.id)).toEqual([])
  })

  it('of the password that a signed-in user gives again is on the record, too', async () => {
    const { client, user } = await newUser(app)
    for (let n = 0; n < 6; n++)
      await client.post('/api/account/password', { currentPassword: wrong, password: 'another long secret' })
    const locks = (await readAllEvents(app.services.store)).filter(
      ({ type, data }) => type === 'AttemptsLocked' && data['userId'] === user.id,
    )
    expect(locks).toMatchObject([{ data: { scope: 'password' }, metadata: { actor: { userId: user.id } } }])
  })
})

describe('a device that signed in before', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
  })
  afterAll(() => app.dispose())

  const signIn = (client: Client, email: string, tried = password) =>
    client.post('/api/login', { email, password: tried })

  it('is not locked out by failures of others, neither of one account nor of its network', async () => {
    const { client, user } = await newUser(app)
    expect((await client.post('/api/logout')).status).toBe(204)
    const attacker = app.newClient()
    expect(await fail(attacker, user.email, 6)).toEqual([...five, 429])
    for (const limit of [signInsPerNetwork, signInsPerAccount])
      await app.services.pool.query(
        `insert into app.attempts values ($1, $2, $3, $4) on conflict (key) do update
         set tries = excluded.tries, locked_until = excluded.locked_until`,
        [
          app.services.keyedHash(limit.purpose, limit === signInsPerNetwork ? '127.0.0.1' : user.email),
          limit.maxAttempts,
          new Date(),
          new Date(Date.now() + 15 * minute),
        ],
      )
    expect((await signIn(app.newClient(), user.email)).status).toBe(429)
    expect((await signIn(client, user.email)).status).toBe(200)
    await app.services.pool.query('delete from app.attempts')
  })

  it('has five tries of its own, and does not lock others out', async () => {
    const { client, user } = await newUser(app)
    expect(await fail(client, user.email, 6)).toEqual([...five, 429])
    expect((await signIn(client, user.email)).status).toBe(429)
    expect((await signIn(app.newClient(), user.email)).status).toBe(200)
    app.advanceClock(61_000)
    expect((await signIn(client, user.email)).status).toBe(200)
  })

  it('is known for the accounts that signed in on it, and for no other', async () => {
    const { client, user } = await newUser(app)
    const { user: colleague } = await newUser(app)
    await signIn(client, colleague.email)
    const { user: stranger } = await newUser(app)
    const attacker = app.newClient()
    for (const { email } of [user, colleague, stranger]) await fail(attacker, email, 5)
    expect((await signIn(client, stranger.email)).status).toBe(429)
    expect((await signIn(client, colleague.email)).status).toBe(200)
    expect((await signIn(client, user.email)).status).toBe(200)
  })

  it('cannot be forged, and its cookie contains no e-mail address', async () => {
    const { client, user } = await newUser(app)
    const cookie = client.cookie() ?? ''
    expect(decodeURIComponent(cookie)).not.toContain(user.email)
    const value = /everchart\.device=([^;]+)/.exec(cookie)?.[1] ?? ''
    expect(value).toMatch(/^[0-9a-f-]{36}\.[0-9a-f]{32}$/)
    await fail(app.newClient(), user.email, 5)
    const forger = app.newClient()
    forger.setCookie(`everchart.device=${value}; everchart.device.sig=forged`)
    expect((await signIn(forger, user.email)).status).toBe(429)
  })
})

describe('limits of attempts', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  const limits = [signInsPerAccountAndNetwork, signInsPerDevice, createRegistrationLimit(5)]
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constant({ kind: 'fail' as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'succeed' as const }) },
    // The clock may be set back and ahead, by up to two years.
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        minutes: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('move' as const), minutes: fc.integer({ min: -20, max: 20 }) }),
    },
  )

  it('admit a limit of an hour once in it, and one attempt after each lock', async () => {
    const limit = { ...signInsPerAccount, maxAttempts: 10 }
    let now = Date.now()
    const limiter = createRateLimiter({ ...app.services, clock: () => new Date(now), createUnavailable })
    let admitted = 0
    for (let elapsed = 0; elapsed < 60; elapsed++, now += minute)
      for (let n = 0; n < 3; n++)
        await limiter.consume([{ limit, value: 'an attacked account' }]).then(
          () => (admitted += 1),
          (error: unknown) => expect(error).toMatchObject({ status: 429 }),
        )
    expect(admitted).toBe(10 + 3)
  })

  it('lock for a quarter of an hour at most, whatever the clock did, and admit no more than the limit', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...limits), fc.array(step, { maxLength: 40 }), async (declared, steps) => {
        const limit = { ...declared, maxAttempts: 5 }
        const attempts = [{ limit, value: `run ${run++}` }]
        let now = Date.now()
        const limiter = createRateLimiter({ ...app.services, clock: () => new Date(now), createUnavailable })
        const isAdmitted = async () => {
          try {
            await limiter.consume(attempts)
            return true
          } catch (error) {
            if (!(error instanceof ProblemError) || error.status !== 429) throw error
            const seconds = Number(error.extra.headers?.['Retry-After'])
            expect(seconds).toBeGreaterThan(0)
            expect(seconds).toBeLessThanOrEqual(15 * 60)
            return false
          }
        }
        let failuresInARow = 0
        for (const { kind, ...moved } of steps) {
          if (kind === 'move') {
            now += (moved as { minutes: number }).minutes * minute
            failuresInARow = 0
          } else if (await isAdmitted()) {
            if (kind === 'succeed') await limiter.reset(attempts)
            failuresInARow = kind === 'succeed' ? 0 : failuresInARow + 1
            expect(failuresInARow).toBeLessThanOrEqual(5)
          }
        }
        // Only an attempt can show that the clock was set back: a refused one promises a quarter of an hour at most.
        const wasAdmitted = await isAdmitted()
        now += 15 * minute
        expect(await isAdmitted(), `admitted before: ${wasAdmitted}`).toBe(true)
      }),
      { numRuns: cases(40, 1_000) },
    )
  })

  it('count nothing when a later limit refuses', async () => {
    const limiter = createRateLimiter({ ...app.services, clock: () => new Date(), createUnavailable })
    const [own, shared] = [
      { limit: signInsPerAccountAndNetwork, value: 'own' },
      { limit: signInsPerNetwork, value: 'shared' },
    ]
    await limiter.consume([shared])
    await app.services.pool.query(
      `update app.attempts set locked_until = now() + interval '5 minutes' where key = $1`,
      [app.services.keyedHash(signInsPerNetwork.purpose, 'shared')],
    )
    for (let n = 0; n < 6; n++) await expect(limiter.consume([own, shared])).rejects.toMatchObject({ status: 429 })
    await limiter.consume([own])
  })
})

describe('two instances of the application', () => {
  const instances = useTwoInstances()

  it('share accounts and sessions', async () => {
    const { one, other } = instances
    const { client, user } = await newUser(one)
    const elsewhere = other.newClient()
    elsewhere.setCookie(client.cookie())
    expect((await elsewhere.get('/api/user')).body).toEqual(user)
    await elsewhere.post('/api/logout')
    expect((await client.get('/api/user')).status).toBe(401)
  })

  it('share one lock', async () => {
    const { one, other } = instances
    const { user } = await newUser(one)
    expect(await fail(one.newClient(), user.email, 3)).toEqual(five.slice(2))
    expect(await fail(other.newClient(), user.email, 3)).toEqual([401, 401, 429])
    expect((await one.newClient().post('/api/login', { email: user.email, password })).status).toBe(429)
  })

  it('give no more than five tries together', async () => {
    const { one, other } = instances
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
    const { one, other } = instances
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
    app.newClient().request('POST', path, body, { 'x-forwarded-for': address })

  it('lock an account in the network of the failures only', async () => {
    const user = await newUserFrom('198.51.100.9')
    for (let n = 0; n < 5; n++)
      expect((await from('203.0.113.20', '/api/login', { email: user.email, password: wrong })).status).toBe(401)
    expect((await from('203.0.113.20', '/api/login', { email: user.email, password })).status).toBe(429)
    expect((await from('203.0.113.21', '/api/login', { email: user.email, password })).status).toBe(200)
  })

  itLong('lock no colleague of a network in which one account is attacked', async () => {
    const user = await newUserFrom('198.51.100.10')
    const colleague = await newUserFrom('198.51.100.10')
    await app.services.pool.query('delete from app.attempts')
    for (let n = 0; n < 120; n++) await from('203.0.113.30', '/api/login', { email: user.email, password: wrong })
    expect((await from('203.0.113.30', '/api/login', { email: colleague.email, password })).status).toBe(200)
  })

  it('ignore forged entries of X-Forwarded-For', async () => {
    const user = await newUserFrom('198.51.100.11')
    const statuses: number[] = []
    // A proxy appends the address that it was called from to what the client sent.
    for (let n = 0; n < 6; n++)
      statuses.push(
        (await from(`192.0.2.${n}, 203.0.113.40`, '/api/login', { email: user.email, password: wrong })).status,
      )
    expect(statuses).toEqual([...five, 429])
  })

  /** Stores a number of attempts from a network: hashing hundreds of passwords would prove nothing more. */
  const tried = (times: number) => app.services.pool.query('update app.attempts set tries = $1', [times])

  it('stop a client that tries many addresses from one network, and no other client', async () => {
    const user = await newUserFrom('198.51.100.1')
    await app.services.pool.query('delete from app.attempts')
    expect((await from('203.0.113.7', '/api/login', { email: 'a@example.test', password: wrong })).status).toBe(401)
    await app.services.pool.query('update app.attempts set tries = $1 where key = $2', [
      signInsPerNetwork.maxAttempts - 1,
      app.services.keyedHash(signInsPerNetwork.purpose, '203.0.113.7'),
    ])
    expect((await from('203.0.113.7', '/api/login', { email: 'b@example.test', password: wrong })).status).toBe(401)
    const stopped = await from('203.0.113.7', '/api/login', { email: user.email, password })
    expect(stopped).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    expect((await from('203.0.113.8', '/api/login', { email: user.email, password })).status).toBe(200)
    app.advanceClock(15 * minute + 1_000)
    expect((await from('203.0.113.7', '/api/login', { email: user.email, password })).status).toBe(200)
  })

  it('stop no colleague who has signed in from that network before, on a new device, and still guard the account', async () => {
    const user = await newUserFrom('198.51.100.20')
    const colleague = await newUserFrom('203.0.113.50')
    await app.services.pool.query('delete from app.attempts')
    const address = '203.0.113.50'
    expect((await from(address, '/api/login', { email: 'a@example.test', password: wrong })).status).toBe(401)
    await app.services.pool.query('update app.attempts set tries = $1 where key = $2', [
      signInsPerNetwork.maxAttempts - 1,
      app.services.keyedHash(signInsPerNetwork.purpose, address),
    ])
    expect((await from(address, '/api/login', { email: 'b@example.test', password: wrong })).status).toBe(401)
    expect((await from(address, '/api/login', { email: 'b@example.test', password: wrong })).status).toBe(429)
    expect((await from(address, '/api/login', { email: user.email, password })).status).toBe(429)
    expect((await from(address, '/api/login', { email: colleague.email, password })).status).toBe(200)
    for (let n = 0; n < 5; n++)
      expect((await from(address, '/api/login', { email: colleague.email, password: wrong })).status).toBe(401)
    expect((await from(address, '/api/login', { email: colleague.email, password })).status).toBe(429)
    // After three months without a sign-in, the network is as unknown as any.
    await app.services.pool.query('delete from app.attempts')
    await app.services.pool.query(`update app.known_networks set seen_at = seen_at - interval '91 days'`)
    await app.services.pool.query(
      'insert into app.attempts (key, tries, began_at, locked_until) values ($1, 100, $2, $3)',
      [
        app.services.keyedHash(signInsPerNetwork.purpose, address),
        app.services.clock(),
        new Date(app.services.clock().getTime() + 10 * minute),
      ],
    )
    expect((await from(address, '/api/login', { email: colleague.email, password })).status).toBe(429)
  })

  it('do not count successful sign-ins', async () => {
    const user = await newUserFrom('198.51.100.2')
    await app.services.pool.query('delete from app.attempts')
    for (let n = 0; n < 3; n++)
      expect((await from('203.0.113.9', '/api/login', { email: user.email, password })).status).toBe(200)
    const { rows } = await app.services.pool.query<{ tries: number }>('select tries from app.attempts')
    // For the network and for the account; the limits of one person are forgotten.
    expect(rows).toEqual([{ tries: 0 }, { tries: 0 }])
  })

  it('stop endless registrations from one network, also an IPv6 network', async () => {
    await app.services.pool.query('delete from app.attempts')
    expect((await from('2001:db8:1:2::1', '/api/register', registrationForm())).status).toBe(201)
    await tried(unlimitedQuotas.registrationsPerNetwork - 1)
    expect((await from('2001:db8:1:2::2', '/api/register', registrationForm())).status).toBe(201)
    const stopped = await from('2001:db8:1:2:ffff::3', '/api/register', registrationForm())
    expect(stopped).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
    expect(stopped.problem.message).toMatch(/Please try again in 15 minutes\.$/)
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
