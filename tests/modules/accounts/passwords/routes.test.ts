import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetMinutes } from '#contracts/account-security.ts'
import { UserId } from '#contracts/values/ids.ts'
import { passwordDecider } from '#modules/accounts/passwords/decider.ts'
import { createPasswordChanges } from '#modules/accounts/passwords/password-changes.ts'
import { createPasswordStore } from '#modules/accounts/passwords/password-store.ts'
import { readStream } from '#tests/support/events.ts'
import { findResetToken, readMessages, waitForMessages } from '#tests/support/outbox.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const newPassword = 'quite another password'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** Requests a link and returns its token from the `count`th message to the address. */
async function requestToken(email: string, count = 1): Promise<string> {
  expect((await app.newClient().post('/api/password/forgot', { email })).status).toBe(200)
  return findResetToken(await waitForMessages(app, email, count))
}

const signIn = async (email: string, typed: string) =>
  (await app.newClient().post('/api/login', { email, password: typed })).status
const reset = (token: string, typed = newPassword) =>
  app.newClient().post('/api/password/reset', { token, password: typed })
const readPasswordEvents = async (userId: string) =>
  (await readStream(app.services.store, `password-${userId}`)).map(({ type }) => type)

describe('a forgotten password', () => {
  it('is replaced with the link in a message, which ends every session and tells the user', async () => {
    const { client, user } = await newUser(app)
    const other = await newUser(app)
    const token = await requestToken(user.email)
    expect((await readMessages(app, user.email))[0]).toContain(`for ${resetMinutes} minutes`)
    expect((await reset(token)).status).toBe(204)
    expect((await client.get('/api/user')).status).toBe(401)
    expect(await signIn(user.email, password)).toBe(401)
    expect(await signIn(user.email, newPassword)).toBe(200)
    expect((await waitForMessages(app, user.email, 2)).join('\n')).toContain(
      'The password of your Everchart account was changed',
    )
    expect(await readPasswordEvents(user.id)).toEqual(['PasswordResetRequested', 'PasswordReset'])
    expect((await other.client.get('/api/user')).status).toBe(200)
    expect(await signIn(other.user.email, password)).toBe(200)
  })

  it('stays the newest when an earlier change is applied late', async () => {
    const { user } = await newUser(app)
    const { pool, newId } = app.services
    const changes = createPasswordChanges(pool)
    const prepare = async (text: string) => {
      const changeId = newId()
      await changes.prepare({ changeId, userId: user.id, passwordHash: await createPasswordStore(pool).hash(text) })
      return changeId
    }
    const [earlier, later] = [await prepare('an earlier password'), await prepare(newPassword)]
    await changes.apply({ changeId: later, version: 2, keptSessionId: null })
    await changes.apply({ changeId: earlier, version: 1, keptSessionId: null })
    expect(await signIn(user.email, newPassword)).toBe(200)
    expect(await signIn(user.email, 'an earlier password')).toBe(401)
  })

  it('gets the same reply for an address without an account, which gets no message', async () => {
    const { user } = await newUser(app)
    const known = await app.newClient().post('/api/password/forgot', { email: user.email.toUpperCase() })
    const unknown = await app.newClient().post('/api/password/forgot', { email: 'unknown@example.test' })
    expect({ ...unknown, headers: null }).toEqual({ ...known, headers: null })
    expect(known.body).toEqual({ delivery: 'outbox' })
    await waitForMessages(app, user.email, 1)
    expect(await readMessages(app, 'unknown@example.test')).toEqual([])
  })

  it('is replaced once with a link, also when two people open it at the same time', async () => {
    const { user } = await newUser(app)
    const token = await requestToken(user.email)
    const typed = ['first new password', 'second new password']
    const replies = await Promise.all(typed.map((text) => reset(token, text)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 410])
    const winner = replies.findIndex(({ status }) => status === 204)
    expect(await signIn(user.email, typed[winner] ?? '')).toBe(200)
    expect(await signIn(user.email, typed[1 - winner] ?? '')).toBe(401)
    expect(await reset(token)).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
  })

  it('is not replaced by a common password or one made of the own name; the link still works afterwards', async () => {
    const { user } = await newUser(app)
    const token = await requestToken(user.email)
    for (const weak of ['Football1', 'adaokafor', `${user.username}12`])
      expect(await reset(token, weak)).toMatchObject({ status: 422, problem: { errors: [{ path: 'password' }] } })
    expect(await signIn(user.email, password)).toBe(200)
    expect((await reset(token)).status).toBe(204)
  })

  it('is replaced on a page that tells no other request its link', async () => {
    const policy = async (path: string) => (await app.newClient().get(path)).headers.get('referrer-policy')
    expect(await policy('/reset/any-token')).toBe('no-referrer')
    expect(await policy('/invitations/any-token')).toBe('no-referrer')
    expect(await policy('/auth')).toBe('same-origin')
  })

  it('is not replaced with a changed token', async () => {
    const { user } = await newUser(app)
    const token = await requestToken(user.email)
    const { user: other } = await newUser(app)
    const forged = [token.slice(0, -1), `${token}0`, token.replace(user.id, other.id), 'x', '..', '']
    for (const each of forged) expect((await reset(each)).status).toBe(404)
    expect(await signIn(user.email, password)).toBe(200)
  })

  itLong('is replaced although the process stopped right after it was recorded', async () => {
    const { client, user } = await newUser(app)
    const { bus, pool, clock } = app.services
    const userId = UserId.parse(user.id)
    const [resetId, changeId] = [app.services.newId(), app.services.newId()]
    const passwordHash = await createPasswordStore(pool).hash(newPassword)
    await createPasswordChanges(pool).prepare({ changeId, userId, passwordHash })
    const context = {
      practiceId: null,
      actor: { kind: 'process', name: 'test' },
      correlationId: app.services.newId(),
    } as const
    const at = clock().toISOString()
    const request = { type: 'RequestReset', resetId, userId, addressHash: 'hash', at } as const
    await bus.execute(passwordDecider, userId, request, context)
    await bus.execute(passwordDecider, userId, { ...request, type: 'Reset', changeId }, context)
    await waitUntil(async () => (await client.get('/api/user')).status === 401)
    expect(await signIn(user.email, newPassword)).toBe(200)
    expect(await signIn(user.email, password)).toBe(401)
  })
})

describe('a session', () => {
  it('that began with the old password does not work, also when it is stored after the change', async () => {
    const { user } = await newUser(app)
    const old = app.newClient()
    await old.post('/api/login', { email: user.email, password })
    const { rows } = await app.services.pool.query('select * from app.sessions where user_id = $1', [user.id])
    expect((await reset(await requestToken(user.email))).status).toBe(204)
    // A sign-in whose password was checked before the reset.
    for (const row of rows)
      await app.services.pool.query(
        `insert into app.sessions (key_hash, session_id, user_id, credential_version) values ($1, $2, $3, $4)`,
        [row.key_hash, row.session_id, row.user_id, row.credential_version],
      )
    expect((await old.get('/api/user')).status).toBe(401)
    expect(await signIn(user.email, newPassword)).toBe(200)
  })
})

describe('a password change', () => {
  it('keeps this session, ends the others and voids every link', async () => {
    const { client, user } = await newOwner(app)
    const elsewhere = app.newClient()
    await elsewhere.post('/api/login', { email: user.email, password })
    const token = await requestToken(user.email)
    const change = { currentPassword: password, password: newPassword }
    expect((await client.post('/api/account/password', change)).status).toBe(204)
    expect((await client.get('/api/user')).status).toBe(200)
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect((await reset(token, 'a third long password')).status).toBe(410)
    expect(await signIn(user.email, newPassword)).toBe(200)
    expect((await waitForMessages(app, user.email, 2)).join('\n')).toContain('was changed on')
  })

  it('needs the current password, and stops guesses', async () => {
    const { client, user } = await newUser(app)
    const change = { currentPassword: 'not my password', password: newPassword }
    expect(await client.post('/api/account/password', change)).toMatchObject({
      status: 422,
      problem: { code: 'wrong-password', errors: [{ path: 'currentPassword' }] },
    })
    for (let n = 0; n < 4; n++) await client.post('/api/account/password', change)
    const right = { ...change, currentPassword: password }
    const refused = await client.post('/api/account/password', right)
    expect(refused).toMatchObject({ status: 429, problem: { code: 'locked' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await readPasswordEvents(user.id)).toEqual(Array(5).fill('PasswordRefused'))
    expect(await signIn(user.email, password)).toBe(200)
  })

  it('based on a password that was reset in the meantime is refused', async () => {
    const { client, user } = await newUser(app)
    const userId = UserId.parse(user.id)
    const { bus, newId } = app.services
    expect((await reset(await requestToken(user.email))).status).toBe(204)
    const context = { practiceId: null, actor: { kind: 'process', name: 'test' }, correlationId: newId() } as const
    const change = {
      type: 'Change',
      userId,
      changeId: newId(),
      basedOn: null,
      sessionId: newId(),
      addressHash: 'h',
    } as const
    await expect(bus.execute(passwordDecider, userId, change, context)).rejects.toMatchObject({
      rejection: { rejected: 'changed-meanwhile' },
    })
    expect((await client.get('/api/user')).status).toBe(401)
  })

  it('refuses the current, a common and an own name as the new one', async () => {
    const { client, user } = await newUser(app)
    for (const weak of [password, 'password1', `${user.username}1`])
      expect(await client.post('/api/account/password', { currentPassword: password, password: weak })).toMatchObject({
        status: 422,
        problem: { code: 'weak-password', errors: [{ path: 'password' }] },
      })
  })

  it('happens once, however often one request is sent', async () => {
    const { client, user } = await newUser(app)
    const send = () =>
      client.request(
        'POST',
        '/api/account/password',
        { currentPassword: password, password: newPassword },
        { 'Idempotency-Key': 'change-once' },
      )
    expect([(await send()).status, (await send()).status]).toEqual([204, 204])
    expect(await readPasswordEvents(user.id)).toEqual(['PasswordChanged'])
  })
})

describe('requests for links', () => {
  itLong('are limited per address, whether or not it has an account, and work again later', async () => {
    const limited = await startTestApp()
    try {
      const { user } = await newUser(limited)
      for (const email of [user.email, 'unknown@example.test']) {
        for (let n = 0; n < 5; n++)
          expect((await limited.newClient().post('/api/password/forgot', { email })).status).toBe(200)
        expect(await limited.newClient().post('/api/password/forgot', { email })).toMatchObject({
          status: 429,
          problem: { code: 'too-many-attempts' },
        })
      }
      limited.advanceClock(61 * 60_000)
      expect((await limited.newClient().post('/api/password/forgot', { email: user.email })).status).toBe(200)
    } finally {
      await limited.dispose()
    }
  })

  itLong('expire after half an hour', async () => {
    const other = await startTestApp()
    try {
      const { user } = await newUser(other)
      await other.newClient().post('/api/password/forgot', { email: user.email })
      const token = findResetToken(await waitForMessages(other, user.email, 1))
      other.advanceClock(resetMinutes * 60_000)
      const answer = await other.newClient().post('/api/password/reset', { token, password: newPassword })
      expect(answer).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
    } finally {
      await other.dispose()
    }
  })
})
