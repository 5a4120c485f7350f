import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CurrentUser } from '#contracts/accounts.ts'
import { Permission } from '#contracts/values/roles.ts'
import { users } from '#modules/accounts/projection.ts'
import { measureProcessCpuMs } from '#tests/support/cpu-time.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { newOwner, newUser, password, registrationForm } from '#tests/support/practice.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

describe('accounts over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  describe('registering', () => {
    it('answers the user, signed in', async () => {
      const sent = registrationForm({ newsletterOptIn: true })
      const client = app.newClient()
      const answer = await client.post('/api/register', sent)
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: sent.email,
        username: sent.username,
        firstName: 'Ada',
        lastName: 'Okafor',
        role: 'staff',
        practiceId: null,
        isOwner: false,
        permissions: ['patients:read', 'patients:write', 'scheduling', 'insurance', 'billing'],
        subscriptionStatus: 'demo',
        subscriptionTier: 'starter',
        hasLapsed: false,
        pastDueUntil: null,
        hasOpenInvoice: false,
        isRemovingSamples: false,
        newsletterOptIn: true,
        sessionTimeout: 60,
        mustSetUpTwoFactor: false,
        hasPasskey: false,
        mustProveEmail: false,
        isDemoUser: true,
        isDemo: true,
        isActiveSubscriber: false,
        isAuthenticated: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
      expect(await client.get('/api/user')).toMatchObject({ status: 200, body: answer.body })
    })

    it('refuses an address that is taken, in any case', async () => {
      const { registration: sent } = await newUser(app)
      const again = await app.newClient().post('/api/register', registrationForm({ email: sent.email.toUpperCase() }))
      expect(again).toMatchObject({
        status: 409,
        problem: { code: 'email-taken', errors: [{ path: 'email', message: 'This email is already registered' }] },
      })
      expect(again.headers.getSetCookie()).toEqual([])
    })

    it('refuses a username that is taken, in any case, and leaves the address free', async () => {
      const { registration: sent } = await newUser(app)
      const other = registrationForm({ username: sent.username.toUpperCase() })
      expect(await app.newClient().post('/api/register', other)).toMatchObject({
        status: 409,
        problem: { code: 'username-taken', errors: [{ path: 'username', message: 'This username is already taken' }] },
      })
      expect((await app.newClient().post('/api/register', registrationForm({ email: other.email }))).status).toBe(201)
    })

    it('lets one of twenty win who want one address at the same moment', async () => {
      const { email } = registrationForm()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          app.newClient().post('/api/register', registrationForm({ email: n % 2 ? email : email.toUpperCase() })),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      const refused = answers
        .filter(({ status }) => status !== 201)
        .map(({ status, problem }) => [status, problem.code])
      expect(refused).toEqual(Array.from({ length: 19 }, () => [409, 'email-taken']))
      const { rows } = await app.services.pool.query('select from read.users where lower(email) = $1', [email])
      expect(rows).toHaveLength(1)
    })

    it('lets one of ten win who want one username at the same moment', async () => {
      const { username } = registrationForm()
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => app.newClient().post('/api/register', registrationForm({ username }))),
      )
      const outcomes = answers.map(({ status, problem }) => (status === 201 ? 'won' : problem.code)).toSorted()
      expect(outcomes).toEqual([...Array.from({ length: 9 }, () => 'username-taken'), 'won'])
    })

    it.each([
      ['typed as two characters', 'Ka\u0308se-2026', 'Käse-2026'],
      ['composed', 'Käse-2026', 'Ka\u0308se-2026'],
      ['with another space', 'cheese\u00A0and\u2003wine', 'cheese and wine'],
    ])('knows the password however a keyboard sends it: %s', async (_, registered, signedIn) => {
      const registration = registrationForm({ password: registered })
      expect((await app.newClient().post('/api/register', registration)).status).toBe(201)
      const credentials = { email: registration.email, password: signedIn }
      expect((await app.newClient().post('/api/login', credentials)).status).toBe(200)
    })

    const tooLong = 'x'.repeat(100_000)
    it.each([
      ['email', 'no address', 'Please enter a valid email address'],
      ['email', `${tooLong}@example.test`, 'Please enter a valid email address'],
      ['email', 'a\u0000b@example.test', 'Please enter a valid email address'],
      ['email', null, 'Please enter a valid email address'],
      ['password', 'short', 'Password must be at least 8 characters'],
      // Seven characters, of which one was typed as two.
      ['password', 'Ka\u0308se-26', 'Password must be at least 8 characters'],
      ['password', 'x'.repeat(257), 'Password must be at most 256 characters'],
      ['password', 'half a pair \ud800', 'Password contains characters that cannot be typed'],
      ['password', 12_345_678, 'Password must be at least 8 characters'],
      ['username', 'ab', 'Username must be at least 3 characters'],
      ['username', 'with space', 'Use letters, digits, dots, dashes or underscores'],
      ['username', tooLong, 'At most 50 characters'],
      ['firstName', '  ', 'Please enter your first name'],
      ['firstName', 'a\u0000b', 'Contains characters that cannot be stored'],
      ['lastName', 'a\ud800b', 'Contains characters that cannot be stored'],
      ['lastName', tooLong, 'At most 100 characters'],
      ['lastName', ['Okafor'], 'Please enter text'],
      ['role', 'administrator', 'Not a valid value'],
      ['newsletterOptIn', 'yes', 'Not a valid value'],
      ['isOwner', true, 'This field is not known'],
    ])('refuses a wrong %s (%#)', async (path, value, message) => {
      const answer = await app.newClient().post('/api/register', registrationForm({ [path]: value }))
      expect(answer).toMatchObject({ status: 422, problem: { code: 'invalid-request', errors: [{ path, message }] } })
    })

    it('takes names of any script', async () => {
      const { user } = await newUser(app, {
        firstName: '  José  María ',
        lastName: '李',
        username: `Ønsker.${Date.now()}`,
      })
      expect(user).toMatchObject({ firstName: 'José María', lastName: '李' })
    })
  })

  describe('signing in', () => {
    it('takes the address in whatever case', async () => {
      const { user } = await newUser(app)
      const client = app.newClient()
      const answer = await client.post('/api/login', { email: ` ${user.email.toUpperCase()} `, password })
      expect(answer).toMatchObject({ status: 200, body: user })
      expect(CurrentUser.parse((await client.get('/api/user')).body)).toEqual(user)
    })

    it('replies the same to a wrong password and to an unknown address', async () => {
      const { user } = await newUser(app)
      const wrong = await app.newClient().post('/api/login', { email: user.email, password: 'not my password' })
      const unknown = await app.newClient().post('/api/login', { email: 'unknown@example.test', password })
      expect(wrong).toMatchObject({
        status: 401,
        problem: { code: 'invalid-credentials', message: 'Invalid email or password', errors: [] },
      })
      expect(unknown.body).toEqual(wrong.body)
      expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()])
      expect(unknown.headers.get('content-length')).toBe(wrong.headers.get('content-length'))
      expect(wrong.headers.getSetCookie()).toEqual([])
    })

    it('does the same work for an unknown address', async () => {
      const { user } = await newUser(app)
      const workFor = (email: string) =>
        measureProcessCpuMs(() => app.newClient().post('/api/login', { email, password: 'not my password' }))
      const known: number[] = []
      const unknown: number[] = []
      for (let n = 0; n < 5; n++) {
        known.push(await workFor(user.email))
        unknown.push(await workFor('another.user@example.test'))
      }
      // Without the placeholder hash, an unknown address would cost a tenth of the processor time.
      expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3)
    })

    it('accepts no password for the placeholder hash', async () => {
      for (const guess of ['        ', 'password', '0'.repeat(32)])
        expect(
          (await app.newClient().post('/api/login', { email: `${guess.length}@example.test`, password: guess })).status,
        ).toBe(401)
    })

    it('refuses a user whose registration never finished', async () => {
      const { registration: sent } = await newUser(app)
      const other = registrationForm({ username: sent.username })
      expect((await app.newClient().post('/api/register', other)).status).toBe(409)
      expect(await app.newClient().post('/api/login', { email: other.email, password })).toMatchObject({ status: 401 })
    })

    it.each([
      [{ email: 'ada@example.test' }, 'password'],
      [{ password }, 'email'],
      [{ email: 'ada@example.test', password, remember: true }, 'remember'],
      [{ email: { $ne: null }, password }, 'email'],
    ])('refuses %j', async (body, path) => {
      expect(await app.newClient().post('/api/login', body)).toMatchObject({
        status: 422,
        problem: { errors: [{ path }] },
      })
    })
  })

  describe('who is signed in', () => {
    it('is signed out at first', async () => {
      expect(await app.newClient().get('/api/user')).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
    })

    it('is signed out after signing out, also twice', async () => {
      const { client } = await newUser(app)
      expect(await client.post('/api/logout')).toMatchObject({ status: 204, body: '' })
      expect((await client.get('/api/user')).status).toBe(401)
      expect((await client.post('/api/logout')).status).toBe(204)
      expect((await app.newClient().post('/api/logout')).status).toBe(204)
    })

    it('has every right in a practice of their own', async () => {
      const { client, practice } = await newOwner(app)
      expect((await client.get('/api/user')).body).toMatchObject({
        practiceId: practice.id,
        isOwner: true,
        permissions: Permission.options,
      })
    })
  })

  describe('the record', () => {
    it('says who registered, signed in and out, and who was refused', async () => {
      const { client, user, registration: sent } = await newUser(app)
      await client.post('/api/login', { email: sent.email, password: 'not my password' })
      await client.post('/api/login', { email: sent.email, password })
      await client.post('/api/logout')
      const own = (await readAllEvents(app.services.store)).filter(({ data }) => data.userId === user.id)
      expect(own.map(({ type }) => type)).toEqual([
        'EmailReserved',
        'UsernameReserved',
        'UserRegistered',
        'SignedIn',
        'SignInRefused',
        'SignedOut',
        'SignedIn',
        'SignedOut',
      ])
      const [, , registered, signedIn, refused, replaced, , signedOut] = own
      expect(registered?.metadata.actor).toEqual({ kind: 'user', userId: user.id, role: 'staff' })
      expect(signedIn?.metadata.actor).toEqual({ kind: 'user', userId: user.id, role: 'staff' })
      expect(refused?.metadata.actor).toEqual({ kind: 'process', name: 'visitor' })
      expect([replaced?.data.reason, signedOut?.data.reason]).toEqual(['signed-in-again', 'signed-out'])
      expect(signedIn?.data.addressHash).toMatch(/^[0-9a-f]{64}$/)
    })

    it('says that a browser ended a session because it was not used', async () => {
      const { client, user } = await newUser(app)
      expect((await client.post('/api/logout?reason=tired')).status).toBe(422)
      expect((await client.post('/api/logout?reason=idle')).status).toBe(204)
      const events = await readAllEvents(app.services.store)
      const ended = events.filter(({ type, data }) => type === 'SignedOut' && data['userId'] === user.id)
      expect(ended.map(({ data }) => data['reason'])).toEqual(['idle'])
    })

    it('contains no password, and no name in streams and metadata', async () => {
      const { registration: sent } = await newUser(app)
      const text = await readAllEvents(app.services.store)
      const everything = JSON.stringify(text, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      expect(everything).not.toContain(password)
      expect(everything).not.toContain('argon2')
      expect(everything).not.toContain('127.0.0.1')
      const around = JSON.stringify(text.map(({ stream, metadata }) => [stream, metadata]))
      for (const word of [sent.email, sent.username, 'Okafor', '@']) expect(around).not.toContain(word)
      const { rows } = await app.services.pool.query<{ password_hash: string }>('select * from app.credentials limit 1')
      expect(rows[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    })

    it('leads to the same accounts when it is read again from the beginning', async () => {
      expect(await readTableRows(app.services.pool, users)).toEqual(await foldRows(app.services.store, users))
    })
  })
})
