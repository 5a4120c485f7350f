import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { withConnection } from '#database/pool.ts'
import { resetTwoFactor } from '#modules/accounts/public.ts'
import { addPasskey, createAuthenticator, signInWithPasskey } from '#tests/support/authenticator.ts'
import type { ApiResponse, Client } from '#tests/support/client.ts'
import { readAllEvents, readStream } from '#tests/support/events.ts'
import { newMember } from '#tests/support/members.ts'
import { waitForMessage } from '#tests/support/outbox.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { showCode, turnOnTwoFactor } from '#tests/support/two-factor.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // Codes and challenges depend on the time.
  app.stopClock()
})
afterAll(() => app.dispose())

/** Signs up a user with one passkey. */
async function newPasskeyUser() {
  const { client, user } = await newUser(app)
  const device = createAuthenticator(app.url)
  const added = await addPasskey(client, device)
  expect(added.status).toBe(201)
  return { client, user, device, passkey: added.body as { id: string } }
}

const refusal = (code: string, status = 401) => ({ status, problem: { code } })
const countRefusals = async (userId: string | null) =>
  (await readAllEvents(app.services.store)).filter(
    ({ type, data }) => type === 'SignInRefused' && data['userId'] === userId,
  ).length
const logIn = (email: string, code?: string) =>
  app.newClient().post('/api/login', { email, password, ...(code === undefined ? {} : { code }) })
const remove = (client: Client, id: string, typed = password) =>
  client.post(`/api/account/passkeys/${id}/remove`, { password: typed })

describe('adding a passkey', () => {
  it('takes the password, and is listed and recorded without its key', async () => {
    const { client, user } = await newUser(app)
    expect((await client.get('/api/account/passkeys')).body).toEqual({ items: [] })
    expect((await client.get('/api/user')).body).toMatchObject({ hasPasskey: false })
    const begin = (typed: string) => client.post('/api/account/passkeys/options', { password: typed })
    expect(await begin('not my password')).toMatchObject(refusal('wrong-password', 422))
    const { body } = await begin(password)
    expect(body.options).toMatchObject({
      rp: { id: '127.0.0.1', name: 'Everchart' },
      user: { name: user.email, displayName: 'Ada Okafor' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const device = createAuthenticator(app.url)
    const { challengeId } = body
    const credential = device.create(body.options)
    const added = await client.post('/api/account/passkeys', { challengeId, name: ' Front  desk ', credential })
    const at = app.services.clock().toISOString()
    const passkey = { id: expect.any(String), name: 'Front desk', addedAt: at, lastUsedAt: null }
    expect(added).toMatchObject({ status: 201, body: passkey })
    expect((await client.get('/api/account/passkeys')).body).toEqual({ items: [passkey] })
    expect((await client.get('/api/user')).body).toMatchObject({ hasPasskey: true })
    expect((await begin(password)).body.options.excludeCredentials).toEqual([
      { id: device.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    const events = await readStream(app.services.store, `passkeys-${user.id}`)
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['PasskeyAdded', { userId: user.id, passkeyId: added.body.id, name: 'Front desk' }],
    ])
    await waitForMessage(app, user.email, 'the passkey "Front desk" was added')
  })

  it('takes a code as well where two-factor sign-in is on', async () => {
    const { client } = await newUser(app)
    const secret = await turnOnTwoFactor(client, app.services.clock)
    app.advanceClock(minute)
    const device = createAuthenticator(app.url)
    expect(await addPasskey(client, device)).toMatchObject({
      status: 422,
      problem: { code: 'code-required', errors: [{ path: 'code' }] },
    })
    expect(await addPasskey(client, device, { code: '000000' })).toMatchObject(refusal('invalid-code', 422))
    expect((await addPasskey(client, device, { code: showCode(secret, app.services.clock()) })).status).toBe(201)
  })

  it('uses each challenge once, within five minutes, in the session that began it', async () => {
    const { client, user } = await newUser(app)
    const begin = async () => (await client.post('/api/account/passkeys/options', { password })).body
    const finish = (by: Client, begun: Awaited<ReturnType<typeof begin>>) =>
      by.post('/api/account/passkeys', {
        challengeId: begun.challengeId,
        name: 'Phone',
        credential: createAuthenticator(app.url).create(begun.options),
      })
    const other = app.newClient()
    await other.post('/api/login', { email: user.email, password })
    const begun = await begin()
    expect(await finish(other, begun)).toMatchObject(refusal('passkey-expired', 409))
    expect((await finish(client, begun)).status).toBe(201)
    expect(await finish(client, begun)).toMatchObject(refusal('passkey-expired', 409))
    const late = await begin()
    app.advanceClock(5 * minute)
    expect(await finish(client, late)).toMatchObject(refusal('passkey-expired', 409))
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a user who was not verified', { isVerified: false }],
  ])('refuses %s', async (_, faults) => {
    const { client } = await newUser(app)
    const { challengeId, options } = (await client.post('/api/account/passkeys/options', { password })).body
    const credential = createAuthenticator(app.url).create(options, faults)
    const reply = await client.post('/api/account/passkeys', { challengeId, name: 'Phone', credential })
    expect(reply).toMatchObject(refusal('passkey-refused', 422))
    expect((await client.get('/api/account/passkeys')).body).toEqual({ items: [] })
  })

  it('deletes keys whose addition was interrupted, after a day', async () => {
    const { client, user } = await newUser(app)
    const hour = 60 * minute
    const interrupt = async (ageMs: number) => {
      const at = new Date(app.services.clock().getTime() - ageMs)
      const { rows } = await app.services.pool.query<{ passkey_id: string }>(
        `insert into app.passkeys (passkey_id, user_id, credential_id, public_key, counter, transports, created_at)
         values (gen_random_uuid(), $1, gen_random_uuid()::text, '', 0, '{}', $2) returning passkey_id`,
        [user.id, at],
      )
      return rows[0]?.passkey_id
    }
    await interrupt(25 * hour)
    const young = await interrupt(23 * hour)
    const { body: added } = await addPasskey(client, createAuthenticator(app.url))
    const { rows } = await app.services.pool.query('select passkey_id from app.passkeys where user_id = $1', [user.id])
    expect(new Set(rows.map(({ passkey_id }) => passkey_id))).toEqual(new Set([young, added.id]))
    expect((await client.get('/api/account/passkeys')).body.items).toHaveLength(1)
  })

  it('refuses the passkey of another account', async () => {
    const { device } = await newPasskeyUser()
    const { client } = await newUser(app)
    expect(await addPasskey(client, device)).toMatchObject(refusal('passkey-refused', 422))
  })
})

describe('signing in with a passkey', () => {
  it('needs nothing else, begins a new session, and is recorded', async () => {
    const { client, user, device, passkey } = await newPasskeyUser()
    const visitor = app.newClient()
    const reply = await signInWithPasskey(visitor, device)
    expect(reply).toMatchObject({ status: 200, body: { id: user.id, hasPasskey: true } })
    expect(visitor.cookie()).toContain('everchart.device=')
    const before = visitor.cookie()
    expect((await signInWithPasskey(visitor, device)).status).toBe(200)
    expect(visitor.cookie()).not.toBe(before)
    const { items } = (await client.get('/api/account/sessions')).body
    expect(items).toHaveLength(2)
    const at = app.services.clock().toISOString()
    expect((await client.get('/api/account/passkeys')).body.items).toMatchObject([{ lastUsedAt: at }])
    const events = (await readAllEvents(app.services.store)).filter(({ data }) => data['userId'] === user.id)
    expect(events.map(({ type }) => type).filter((type) => /^(Passkey|Sign)/.test(type))).toEqual([
      'SignedIn',
      'PasskeyAdded',
      'PasskeyUsed',
      'SignedIn',
      'PasskeyUsed',
      'SignedOut',
      'SignedIn',
    ])
    expect(events.find(({ type }) => type === 'PasskeyUsed')?.data).toMatchObject({ passkeyId: passkey.id })
  })

  it('asks for no code, and the password still does', async () => {
    const { client, user } = await newUser(app)
    const secret = await turnOnTwoFactor(client, app.services.clock)
    app.advanceClock(minute)
    const device = createAuthenticator(app.url)
    await addPasskey(client, device, { code: showCode(secret, app.services.clock()) })
    expect((await signInWithPasskey(app.newClient(), device, { email: user.email })).status).toBe(200)
    expect(await logIn(user.email)).toMatchObject(refusal('two-factor-required'))
  })

  it('leaves the password as it is where the practice requires nothing', async () => {
    const { user } = await newPasskeyUser()
    expect((await logIn(user.email)).status).toBe(200)
  })

  it('uses each challenge once, within five minutes, in the browser that began it', async () => {
    const { device } = await newPasskeyUser()
    const visitor = app.newClient()
    const begin = async () => (await visitor.post('/api/login/passkey/options')).body
    const begun = await begin()
    const sent = { challengeId: begun.challengeId, credential: device.sign(begun.options) }
    const thief = app.newClient()
    expect(await thief.post('/api/login/passkey', sent)).toMatchObject(refusal('passkey-expired'))
    await thief.post('/api/login/passkey/options')
    expect(await thief.post('/api/login/passkey', sent)).toMatchObject(refusal('passkey-expired'))
    const replies = await Promise.all([1, 2, 3].map(() => visitor.post('/api/login/passkey', sent)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect(await visitor.post('/api/login/passkey', sent)).toMatchObject(refusal('passkey-expired'))
    const late = await begin()
    app.advanceClock(5 * minute)
    expect(
      await visitor.post('/api/login/passkey', {
        challengeId: late.challengeId,
        credential: device.sign(late.options),
      }),
    ).toMatchObject(refusal('passkey-expired'))
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a user who was not verified', { isVerified: false }],
    ['another user', { userHandle: Buffer.from('someone').toString('base64url') }],
    ['a wrong signature', { hasWrongSignature: true }],
  ])('refuses %s, and records it', async (_, faults) => {
    const { user, device } = await newPasskeyUser()
    expect(await signInWithPasskey(app.newClient(), device, faults)).toMatchObject(refusal('passkey-refused'))
    expect(await countRefusals(user.id)).toBe(1)
    // That device is not locked out by it.
    expect((await signInWithPasskey(app.newClient(), device)).status).toBe(200)
  })

  it('refuses the passkey of another account than the one that is asked for', async () => {
    const { device } = await newPasskeyUser()
    const { user: other } = await newUser(app)
    const reply = await signInWithPasskey(app.newClient(), device, { email: other.email })
    expect(reply).toMatchObject(refusal('other-account'))
  })

  it('refuses a counter that does not grow, and records it', async () => {
    const { user, device } = await newPasskeyUser()
    expect((await signInWithPasskey(app.newClient(), device, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0])
      expect(await signInWithPasskey(app.newClient(), device, { counter })).toMatchObject(refusal('passkey-copied'))
    const events = await readAllEvents(app.services.store)
    const refused = events.filter(({ type, data }) => type === 'PasskeyRefused' && data['userId'] === user.id)
    expect(refused.map(({ data }) => data['reason'])).toEqual(['counter', 'counter', 'counter'])
    expect((await signInWithPasskey(app.newClient(), device, { counter: 8 })).status).toBe(200)
  })

  it('accepts devices that do not count', async () => {
    const { client } = await newUser(app)
    const device = createAuthenticator(app.url, { isCounting: false })
    await addPasskey(client, device)
    for (let n = 0; n < 2; n++) expect((await signInWithPasskey(app.newClient(), device)).status).toBe(200)
  })

  it('refuses members without access, in the words of every sign-in', async () => {
    const owner = await newOwner(app)
    const { client, user } = await newMember(app, owner.practice.id, 'nurse')
    const device = createAuthenticator(app.url)
    await addPasskey(client, device)
    const why = 'On leave'
    expect((await owner.client.patch(`/api/team/${user.id}`, { suspended: true, why })).status).toBe(200)
    const byPassword = await logIn(user.email)
    expect(byPassword).toMatchObject(refusal('access-suspended', 403))
    const byPasskey = await signInWithPasskey(app.newClient(), device)
    expect([byPasskey.status, byPasskey.problem.message]).toEqual([403, byPassword.problem.message])
  })

  it('forgets wrong passwords of the same browser', async () => {
    const { user, device } = await newPasskeyUser()
    const visitor = app.newClient()
    const guess = () => visitor.post('/api/login', { email: user.email, password: 'not my password' })
    for (let n = 0; n < 5; n++) expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
    expect((await signInWithPasskey(visitor, device)).status).toBe(200)
    expect((await visitor.post('/api/login', { email: user.email, password })).status).toBe(200)
  })

  it('limits the sign-ins of a network that are begun and not completed', async () => {
    const { device } = await newPasskeyUser()
    await app.services.pool.query('delete from app.attempts')
    const visitor = app.newClient()
    for (let n = 0; n < 3; n++) await signInWithPasskey(visitor, device)
    const count = async () =>
      (
        await app.services.pool.query<{ tries: number }>('select tries from app.attempts where key = $1', [
          app.services.keyedHash('passkey sign-in network', '127.0.0.1'),
        ])
      ).rows[0]?.tries ?? 0
    expect(await count()).toBe(0)
    await visitor.post('/api/login/passkey/options')
    expect(await count()).toBe(1)
    await app.services.pool.query('update app.attempts set tries = 299')
    expect((await visitor.post('/api/login/passkey/options')).status).toBe(200)
    expect(await visitor.post('/api/login/passkey/options')).toMatchObject(refusal('too-many-attempts', 429))
    await app.services.pool.query('delete from app.attempts')
  })
})

describe('a removed passkey', () => {
  it('takes the password to remove, and signs in no more', async () => {
    const { client, device, passkey } = await newPasskeyUser()
    expect(await remove(client, passkey.id, 'not my password')).toMatchObject(refusal('wrong-password', 422))
    expect((await remove(client, passkey.id)).status).toBe(204)
    expect(await remove(client, passkey.id)).toMatchObject(refusal('not-found', 404))
    expect(await signInWithPasskey(app.newClient(), device)).toMatchObject(refusal('unknown-passkey'))
    expect((await client.get('/api/account/passkeys')).body).toEqual({ items: [] })
    expect((await client.get('/api/user')).body).toMatchObject({ hasPasskey: false })
  })

  it('signs in no more, also while its key is still stored', async () => {
    const { client, user, device, passkey } = await newPasskeyUser()
    const { rows } = await app.services.pool.query('select * from app.passkeys where passkey_id = $1', [passkey.id])
    await remove(client, passkey.id)
    // As after a crash between the event and the deletion.
    const { user_id, credential_id, public_key, counter, transports, created_at } = rows[0]
    await app.services.pool.query(
      `insert into app.passkeys (passkey_id, user_id, credential_id, public_key, counter, transports, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [passkey.id, user_id, credential_id, public_key, counter, transports, created_at],
    )
    const before = await countRefusals(user.id)
    expect(await signInWithPasskey(app.newClient(), device)).toMatchObject(refusal('unknown-passkey'))
    expect(await countRefusals(user.id)).toBe(before + 1)
  })

  it('is only removed by its user', async () => {
    const { device, passkey } = await newPasskeyUser()
    const { client: stranger } = await newUser(app)
    expect(await remove(stranger, passkey.id)).toMatchObject(refusal('not-found', 404))
    expect((await signInWithPasskey(app.newClient(), device)).status).toBe(200)
  })
})

/** Runs an action while sign-ins wait before they store their session, and returns the reply to one that began before. */
async function signInDuring(signIn: () => Promise<ApiResponse>, action: () => Promise<unknown>): Promise<ApiResponse> {
  const { pool } = app.services
  await pool.query(`
    create function app.hold_session() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
    create trigger hold before insert on app.sessions for each row execute function app.hold_session();`)
  const signingIn = await withConnection(pool, async (holder) => {
    await holder.query('select pg_advisory_lock(4711)')
    const reply = signIn()
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`
    await expect.poll(async () => (await holder.query(waiting)).rows.length).toBe(1)
    await action()
    await holder.query('select pg_advisory_unlock(4711)')
    return { reply }
  })
  const reply = await signingIn.reply
  await pool.query('drop trigger hold on app.sessions; drop function app.hold_session')
  return reply
}

describe('a sign-in that was checked before', () => {
  it('ends with the passkey that is removed', async () => {
    const { client, device, passkey } = await newPasskeyUser()
    const elsewhere = app.newClient()
    const reply = await signInDuring(
      () => signInWithPasskey(elsewhere, device),
      () => remove(client, passkey.id),
    )
    expect(reply).toMatchObject(refusal('unknown-passkey'))
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/account/sessions')).body.items).toHaveLength(1)
  })

  it('ends with the password when a passkey becomes the required second factor', async () => {
    const owner = await newOwner(app)
    await turnOnTwoFactor(owner.client, app.services.clock)
    await owner.client.patch(`/api/practices/${owner.practice.id}`, { requireTwoFactor: true })
    const { client, user } = await newMember(app, owner.practice.id, 'nurse')
    const elsewhere = app.newClient()
    const reply = await signInDuring(
      () => elsewhere.post('/api/login', { email: user.email, password }),
      () => addPasskey(client, createAuthenticator(app.url)),
    )
    expect(reply).toMatchObject(refusal('passkey-required'))
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/account/sessions')).body.items).toHaveLength(1)
  })
})

describe('a practice that requires two-factor sign-in', () => {
  const require = (client: Client, practiceId: string) =>
    client.patch(`/api/practices/${practiceId}`, { requireTwoFactor: true })

  /** Sets up a practice whose owner has a passkey and requires two-factor sign-in. */
  async function newProtectedPractice() {
    const owner = await newOwner(app)
    const device = createAuthenticator(app.url)
    await addPasskey(owner.client, device)
    expect((await require(owner.client, owner.practice.id)).status).toBe(200)
    return { ...owner, device }
  }

  it('is content with a passkey, and then with nothing less', async () => {
    const { practice } = await newProtectedPractice()
    const { client, user } = await newMember(app, practice.id, 'nurse')
    expect((await client.get('/api/user')).body).toMatchObject({ mustSetUpTwoFactor: true })
    const other = app.newClient()
    await other.post('/api/login', { email: user.email, password })
    const device = createAuthenticator(app.url)
    const added = await addPasskey(client, device)
    expect(added.status).toBe(201)
    expect((await client.get('/api/user')).body).toMatchObject({ mustSetUpTwoFactor: false })
    expect((await client.get('/api/patients')).status).toBe(200)
    // That session began with the password alone.
    expect((await other.get('/api/user')).status).toBe(401)
    expect(await logIn(user.email)).toMatchObject(refusal('passkey-required'))
    const visitor = app.newClient()
    expect((await signInWithPasskey(visitor, device)).status).toBe(200)
    expect((await visitor.get('/api/patients')).status).toBe(200)
    const events = (await readAllEvents(app.services.store)).filter(({ data }) => data['userId'] === user.id)
    const places = events.flatMap(({ type, metadata }) => (type.startsWith('Passkey') ? [metadata.practiceId] : []))
    expect(places).toEqual([practice.id, practice.id])
    expect(await remove(client, added.body.id)).toMatchObject(refusal('required-by-practice', 409))
  })

  it('lets a member with a passkey turn the app off', async () => {
    const { client } = await newProtectedPractice()
    const secret = await turnOnTwoFactor(client, app.services.clock)
    app.advanceClock(minute)
    const code = showCode(secret, app.services.clock())
    expect((await client.post('/api/account/two-factor/disable', { password, code })).status).toBe(204)
    expect((await client.get('/api/patients')).status).toBe(200)
  })
})

describe('the reset by an administrator', () => {
  it('removes the passkeys of a member, ends the sessions and sends a message', async () => {
    const owner = await newOwner(app)
    const { client, user } = await newMember(app, owner.practice.id, 'nurse')
    const device = createAuthenticator(app.url)
    await addPasskey(client, device)
    const list = async () => (await owner.client.get('/api/team')).body.members as { userId: string }[]
    expect((await list()).find(({ userId }) => userId === user.id)).toMatchObject({ hasTwoFactor: true })
    const reset = () => owner.client.post(`/api/team/${user.id}/two-factor/reset`, { password })
    expect(await reset()).toMatchObject({ status: 200, body: { hasTwoFactor: false } })
    expect((await client.get('/api/user')).status).toBe(401)
    expect(await signInWithPasskey(app.newClient(), device)).toMatchObject(refusal('unknown-passkey'))
    expect((await logIn(user.email)).status).toBe(200)
    await waitForMessage(app, user.email, 'and removed its passkeys')
    const events = await readStream(app.services.store, `passkeys-${user.id}`)
    expect(events.at(-1)).toMatchObject({ type: 'PasskeysReset', data: { factorId: null, by: owner.user.id } })
  })

  it('removes the authenticator app and the passkeys together, and not what was set up since', async () => {
    const owner = await newOwner(app)
    const { client, user } = await newMember(app, owner.practice.id, 'nurse')
    const userId = UserId.parse(user.id)
    const device = createAuthenticator(app.url)
    const { body: first } = await addPasskey(client, device)
    await turnOnTwoFactor(client, app.services.clock)
    expect((await owner.client.post(`/api/team/${user.id}/two-factor/reset`, { password })).status).toBe(200)
    const again = app.newClient()
    expect((await again.post('/api/login', { email: user.email, password })).status).toBe(200)
    const replacement = createAuthenticator(app.url)
    expect((await addPasskey(again, replacement)).status).toBe(201)
    // A repeated follow-up of the first reset.
    const by = UserId.parse(owner.user.id)
    const context = { practiceId: owner.practice.id, actor: { kind: 'process', name: 'test' }, correlationId: first.id }
    await resetTwoFactor(app.services, { userId, factorId: null, passkeyIds: [first.id], by }, context as never)
    expect((await signInWithPasskey(app.newClient(), replacement)).status).toBe(200)
    expect(await signInWithPasskey(app.newClient(), device)).toMatchObject(refusal('unknown-passkey'))
  })
})

describe('a changed password', () => {
  it('leaves the passkeys, and its notice names them', async () => {
    const { client, user } = await newUser(app)
    const device = createAuthenticator(app.url)
    await addPasskey(client, device, { name: '<b>Laptop</b>' })
    const change = { currentPassword: password, password: 'quite another password' }
    expect((await client.post('/api/account/password', change)).status).toBe(204)
    await waitForMessage(app, user.email, 'Your passkeys still sign you in: <b>Laptop</b>')
    const visitor = app.newClient()
    expect((await signInWithPasskey(visitor, device)).status).toBe(200)
    expect((await visitor.get('/api/user')).status).toBe(200)
  })
})
