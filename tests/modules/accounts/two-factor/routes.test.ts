import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { withConnection } from '#database/pool.ts'
import { twoFactorDecider } from '#modules/accounts/two-factor/decider.ts'
import { readAllEvents, readStream } from '#tests/support/events.ts'
import { newUser, password, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // Codes depend on the time.
  app.stopClock()
})
afterAll(() => app.dispose())

/** Returns what an authenticator app shows for a secret, some steps from now. */
const showCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.services.clock().getTime() + steps * 30_000,
  })

/** Signs up a user, turns two-factor sign-in on, and moves to the next code. */
async function newProtectedUser() {
  const { client, user } = await newUser(app)
  const { body: setUp } = await client.post('/api/account/two-factor/setup', { password })
  const enabled = await client.post('/api/account/two-factor/enable', { code: showCode(setUp.secret) })
  expect(enabled.status).toBe(200)
  app.advanceClock(minute)
  return { client, user, secret: setUp.secret as string, recoveryCodes: enabled.body.recoveryCodes as string[] }
}

const signIn = (email: string, code?: string) =>
  app.newClient().post('/api/login', { email, password, ...(code === undefined ? {} : { code }) })
const invalid = { status: 401, problem: { code: 'invalid-code', errors: [{ path: 'code' }] } }

describe('two-factor sign-in', () => {
  it('is set up with the password, a scanned secret and a code', async () => {
    const { client, user } = await newUser(app)
    const wrong = await client.post('/api/account/two-factor/setup', { password: 'not my password' })
    expect(wrong).toMatchObject({ status: 422, problem: { code: 'wrong-password', errors: [{ path: 'password' }] } })
    const { body } = await client.post('/api/account/two-factor/setup', { password })
    expect(body.otpauthUrl).toContain(`otpauth://totp/Everchart:${encodeURIComponent(user.email)}?`)
    expect(body.otpauthUrl).toContain(`secret=${body.secret}`)
    expect(body.qr).toMatch(/^<svg [^]*<\/svg>$/)
    // Nothing is asked before the app is proven to work.
    expect((await signIn(user.email)).status).toBe(200)
    const wrongCode = await client.post('/api/account/two-factor/enable', { code: showCode(body.secret, 5) })
    expect(wrongCode).toMatchObject({ status: 422, problem: { code: 'invalid-code', errors: [{ path: 'code' }] } })
    const enabled = await client.post('/api/account/two-factor/enable', { code: showCode(body.secret) })
    expect(enabled.body.recoveryCodes).toHaveLength(10)
    expect(new Set(enabled.body.recoveryCodes).size).toBe(10)
    expect((await client.get('/api/account/two-factor')).body).toEqual({
      isEnabled: true,
      enabledAt: app.services.clock().toISOString(),
      recoveryCodesLeft: 10,
    })
    expect(await client.post('/api/account/two-factor/setup', { password })).toMatchObject({
      status: 409,
      problem: { code: 'two-factor-enabled' },
    })
  })

  it('asks for a code after the right password only, and takes each code once', async () => {
    const { user, secret } = await newProtectedUser()
    expect(await app.newClient().post('/api/login', { email: user.email, password: 'not my password' })).toMatchObject({
      status: 401,
      problem: { code: 'invalid-credentials' },
    })
    expect(await signIn(user.email)).toMatchObject({ status: 401, problem: { code: 'two-factor-required' } })
    const code = showCode(secret)
    expect((await signIn(user.email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200)
    expect(await signIn(user.email, code)).toMatchObject(invalid)
    expect(await signIn(user.email, showCode(secret, -1))).toMatchObject(invalid)
  })

  it('takes one code once, also when two sign-ins send it at the same time', async () => {
    const { user, secret } = await newProtectedUser()
    const code = showCode(secret)
    const replies = await Promise.all([signIn(user.email, code), signIn(user.email, code)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  it('accepts clocks that differ by one step, and no more', async () => {
    const { user, secret } = await newProtectedUser()
    expect(await signIn(user.email, showCode(secret, -2))).toMatchObject(invalid)
    expect(await signIn(user.email, showCode(secret, 2))).toMatchObject(invalid)
    expect((await signIn(user.email, showCode(secret, -1))).status).toBe(200)
    expect((await signIn(user.email, showCode(secret, 1))).status).toBe(200)
  })

  it('accepts each recovery code once, in any spelling', async () => {
    const { client, user, recoveryCodes } = await newProtectedUser()
    const [first = '', second = ''] = recoveryCodes
    expect((await signIn(user.email, `${first.slice(0, 5)}-${first.slice(5).toLowerCase()}`)).status).toBe(200)
    expect(await signIn(user.email, first)).toMatchObject(invalid)
    expect((await client.get('/api/account/two-factor')).body.recoveryCodesLeft).toBe(9)
    const replace = (code: string) => client.post('/api/account/two-factor/recovery-codes', { password, code })
    expect(await replace(first)).toMatchObject({ status: 422, problem: { errors: [{ path: 'code' }] } })
    const { body } = await replace(second)
    expect(body.recoveryCodes).toHaveLength(10)
    expect(await signIn(user.email, recoveryCodes[2])).toMatchObject(invalid)
    expect((await signIn(user.email, body.recoveryCodes[0])).status).toBe(200)
    const events = await readStream(app.services.store, `second_factor-${user.id}`)
    expect(events.map(({ type }) => type)).toEqual([
      'TwoFactorEnabled',
      'RecoveryCodeUsed',
      'RecoveryCodeUsed',
      'RecoveryCodesReplaced',
      'RecoveryCodeUsed',
    ])
  })

  it('locks the account after five wrong codes, and records them', async () => {
    const { user, secret } = await newProtectedUser()
    for (let n = 0; n < 5; n++) expect(await signIn(user.email, '000000')).toMatchObject(invalid)
    expect(await signIn(user.email, showCode(secret))).toMatchObject({ status: 429, problem: { code: 'locked' } })
    const events = await readAllEvents(app.services.store)
    const refused = events.filter(({ type, data }) => type === 'SignInRefused' && data['userId'] === user.id)
    expect(refused).toHaveLength(5)
  })

  it('allows ten wrong codes an hour for one user, from however many networks', async () => {
    const { user, secret } = await newProtectedUser()
    const own = app.services.keyedHash('two-factor check', user.id)
    const comeFromAnotherNetwork = () => app.services.pool.query('delete from app.attempts where key <> $1', [own])
    for (let n = 0; n < 10; n++) {
      if (n === 5) await comeFromAnotherNetwork()
      expect(await signIn(user.email, '000000')).toMatchObject(invalid)
    }
    await comeFromAnotherNetwork()
    expect(await signIn(user.email, showCode(secret))).toMatchObject({ status: 429, problem: { code: 'locked' } })
    const events = await readAllEvents(app.services.store)
    const locks = events.filter(({ type, data }) => type === 'AttemptsLocked' && data['userId'] === user.id)
    expect(locks.map(({ data }) => data['scope'])).toEqual(['account-in-network', 'account-in-network', 'code'])
  })

  it('records wrong codes of a signed-in user', async () => {
    const { client, user } = await newProtectedUser()
    const refused = await client.post('/api/account/two-factor/disable', { password, code: '000000' })
    expect(refused).toMatchObject({ status: 422, problem: { code: 'invalid-code' } })
    const setUp = await newUser(app)
    await setUp.client.post('/api/account/two-factor/setup', { password })
    await setUp.client.post('/api/account/two-factor/enable', { code: '000000' })
    const events = await readAllEvents(app.services.store)
    const userIds: unknown[] = [user.id, setUp.user.id]
    const recorded = events.filter(({ type, data }) => type === 'CodeRefused' && userIds.includes(data['userId']))
    expect(recorded.map(({ data }) => data['userId'])).toEqual(userIds)
  })

  it('survives another set-up that was begun at the same time', async () => {
    const { client, user } = await newUser(app)
    const setUp = async () => (await client.post('/api/account/two-factor/setup', { password })).body.secret as string
    const first = await setUp()
    app.advanceClock(1)
    const second = await setUp()
    const enabled = await client.post('/api/account/two-factor/enable', { code: showCode(second) })
    expect(enabled.status).toBe(200)
    app.advanceClock(minute)
    expect(await signIn(user.email, showCode(first))).toMatchObject(invalid)
    expect((await signIn(user.email, showCode(second))).status).toBe(200)
  })

  it('ends the other sessions of the user, which began with the password alone', async () => {
    const { client, user } = await newUser(app)
    const signInElsewhere = async () => {
      const elsewhere = app.newClient()
      expect((await elsewhere.post('/api/login', { email: user.email, password })).status).toBe(200)
      return elsewhere
    }
    const first = await signInElsewhere()
    const { body } = await client.post('/api/account/two-factor/setup', { password })
    const enable = () => client.post('/api/account/two-factor/enable', { code: showCode(body.secret) })
    const second = await signInElsewhere()
    expect((await enable()).status).toBe(200)
    for (const each of [first, second]) expect((await each.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/user')).status).toBe(200)
    const events = await readAllEvents(app.services.store)
    const sessionIds = events
      .filter(({ type, data }) => type === 'SignedIn' && data['userId'] === user.id)
      .map(({ data }) => data['sessionId'])
    const steps = events.filter(
      ({ type, data }) =>
        (type === 'SignedOut' && sessionIds.includes(data['sessionId'])) ||
        (type === 'TwoFactorEnabled' && data['userId'] === user.id),
    )
    // Before the factor is on, so that they end even if the process is killed then.
    expect(steps.map(({ type, data }) => data['reason'] ?? type)).toEqual(['revoked', 'revoked', 'TwoFactorEnabled'])
  })

  it('ends the other sessions when it is turned on again, if the process was killed in between', async () => {
    const { client, user } = await newUser(app)
    const elsewhere = app.newClient()
    await elsewhere.post('/api/login', { email: user.email, password })
    // The first attempt ended with the event.
    const userId = UserId.parse(user.id)
    const command = { type: 'Enable', userId, factorId: randomUUID(), recoveryCodes: 10 } as const
    await app.services.bus.execute(twoFactorDecider, userId, command, {
      practiceId: null,
      actor: { kind: 'process', name: 'test' },
      correlationId: randomUUID(),
    })
    expect((await elsewhere.get('/api/user')).status).toBe(200)
    expect(await client.post('/api/account/two-factor/enable', { code: '000000' })).toMatchObject({
      status: 409,
      problem: { code: 'two-factor-enabled' },
    })
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/user')).status).toBe(200)
  })

  it('is asked for by a sign-in that was checked before it was turned on', async () => {
    const { client, user } = await newUser(app)
    const { body } = await client.post('/api/account/two-factor/setup', { password })
    const { pool } = app.services
    await pool.query(`
      create function app.hold_session() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
      create trigger hold before insert on app.sessions for each row execute function app.hold_session();`)
    const elsewhere = app.newClient()
    const { signingIn, enabled } = await withConnection(pool, async (holder) => {
      await holder.query('select pg_advisory_lock(4711)')
      const signingIn = elsewhere.post('/api/login', { email: user.email, password })
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
      await expect.poll(async () => (await holder.query(waiting)).rows.length).toBe(1)
      const enabled = await client.post('/api/account/two-factor/enable', { code: showCode(body.secret) })
      await holder.query('select pg_advisory_unlock(4711)')
      return { signingIn, enabled }
    })
    expect(enabled.status).toBe(200)
    expect(await signingIn).toMatchObject({ status: 401, problem: { code: 'two-factor-required' } })
    await pool.query('drop trigger hold on app.sessions; drop function app.hold_session')
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/user')).status).toBe(200)
    const { rows } = await pool.query('select 1 from app.sessions where user_id = $1', [user.id])
    expect(rows).toHaveLength(1)
  })

  it('is asked for by a repeated registration as well', async () => {
    const registration = registrationForm()
    const register = () =>
      app.newClient().request('POST', '/api/register', registration, { 'Idempotency-Key': registration.username })
    const client = app.newClient()
    await client.request('POST', '/api/register', registration, { 'Idempotency-Key': registration.username })
    const { body } = await client.post('/api/account/two-factor/setup', { password })
    await client.post('/api/account/two-factor/enable', { code: showCode(body.secret) })
    expect(await register()).toMatchObject({ status: 401, problem: { code: 'two-factor-required' } })
  })

  it('ends with the password and a code, and its secret with it', async () => {
    const { client, user, secret } = await newProtectedUser()
    const disable = (typed: string, code: string) =>
      client.post('/api/account/two-factor/disable', { password: typed, code })
    expect((await disable('not my password', showCode(secret))).status).toBe(422)
    expect(await disable(password, '000000')).toMatchObject({ status: 422, problem: { errors: [{ path: 'code' }] } })
    expect(await signIn(user.email)).toMatchObject({ status: 401 })
    expect((await disable(password, showCode(secret))).status).toBe(204)
    expect((await disable(password, '000000')).status).toBe(204)
    expect((await signIn(user.email)).status).toBe(200)
    // A code is not needed, and none is judged.
    expect((await signIn(user.email, showCode(secret, 5))).status).toBe(200)
    const { rows } = await app.services.pool.query('select 1 from app.second_factors where user_id = $1', [user.id])
    expect(rows).toEqual([])
  })

  it('stores neither the secret nor a recovery code in readable form', async () => {
    const { user, secret, recoveryCodes } = await newProtectedUser()
    const { rows } = await app.services.pool.query<{ secret: Buffer; recovery_hashes: string[] }>(
      'select * from app.second_factors where user_id = $1',
      [user.id],
    )
    expect(rows).toHaveLength(1)
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes)
    expect(rows[0]?.secret.includes(bytes)).toBe(false)
    for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('forgets a set-up that was not finished within an hour', async () => {
    const { client } = await newUser(app)
    const { body } = await client.post('/api/account/two-factor/setup', { password })
    app.advanceClock(59 * minute)
    await client.get('/api/user')
    app.advanceClock(minute)
    const late = await client.post('/api/account/two-factor/enable', { code: showCode(body.secret) })
    expect(late).toMatchObject({ status: 409, problem: { code: 'setup-expired' } })
  })
})
