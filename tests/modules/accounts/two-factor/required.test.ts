import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import type { Client } from '#tests/support/client.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { readAllEvents, readStream } from '#tests/support/events.ts'
import { newMember } from '#tests/support/members.ts'
import { waitForMessage } from '#tests/support/outbox.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { showCode, turnOnTwoFactor } from '#tests/support/two-factor.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // Codes depend on the time.
  app.stopClock()
})
afterAll(() => app.dispose())

const require = (client: Client, practiceId: string, requireTwoFactor = true) =>
  client.patch(`/api/practices/${practiceId}`, { requireTwoFactor })
const refused = { status: 403, problem: { code: 'two-factor-setup-required' } }

/** Sets up a practice whose owner has two-factor sign-in. */
async function newProtectedPractice() {
  const { client, user, practice } = await newOwner(app)
  const secret = await turnOnTwoFactor(client, app.services.clock)
  return { client, user, practice, secret }
}

const contracts = await Promise.all(globSync('contracts/*.ts').map((file) => import(resolve(file))))
const guarded = contracts
  .flatMap((contract) => Object.values(contract as Record<string, unknown>))
  .filter(
    (value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value && 'reply' in value,
  )
  .filter(({ access }) => access !== 'public')

describe('a practice that requires two-factor sign-in', () => {
  it('refuses every endpoint to a member without it, except those that set it up', async () => {
    const { client, practice } = await newProtectedPractice()
    const { client: member } = await newMember(app, practice.id, 'administrator')
    expect((await require(client, practice.id)).body).toMatchObject({
      requireTwoFactor: true,
      settings: { requireTwoFactor: true },
    })
    expect((await member.get('/api/user')).body).toMatchObject({ mustSetUpTwoFactor: true })
    const open: string[] = []
    for (const { method, path } of guarded) {
      const reply = await member.request(
        method,
        path.replaceAll(/:\w+/g, practice.id),
        method === 'GET' ? undefined : {},
      )
      if (reply.problem?.code === 'two-factor-setup-required') expect([path, reply.status]).toEqual([path, 403])
      else open.push(`${method} ${path}`)
    }
    expect(open.toSorted()).toEqual([
      'GET /api/account/passkeys',
      'GET /api/account/two-factor',
      'GET /api/user',
      'POST /api/account/passkeys',
      'POST /api/account/passkeys/options',
      'POST /api/account/two-factor/enable',
      'POST /api/account/two-factor/setup',
    ])
    await turnOnTwoFactor(member, app.services.clock)
    expect((await member.get('/api/user')).body).toMatchObject({ mustSetUpTwoFactor: false })
    expect((await member.get('/api/patients')).status).toBe(200)
    // The owner was never affected.
    expect((await client.get('/api/patients')).status).toBe(200)
  })

  it('also refuses after the next sign-in, until it no longer requires it', async () => {
    const { client, practice } = await newProtectedPractice()
    const { registration } = await newMember(app, practice.id, 'nurse')
    await require(client, practice.id)
    const again = app.newClient()
    const { email } = registration
    expect(await again.post('/api/login', { email, password })).toMatchObject({
      status: 200,
      body: { mustSetUpTwoFactor: true },
    })
    expect(await again.get('/api/patients')).toMatchObject(refused)
    expect((await again.post('/api/logout')).status).toBe(204)
    await again.post('/api/login', { email, password })
    await require(client, practice.id, false)
    expect((await again.get('/api/patients')).status).toBe(200)
  })

  it('is asked for by someone who has it, with the permission, in the own practice', async () => {
    const { client, practice } = await newOwner(app)
    expect(await require(client, practice.id)).toMatchObject({
      status: 409,
      problem: { code: 'own-two-factor-missing', errors: [{ path: 'requireTwoFactor' }] },
    })
    const { client: administrator } = await newMember(app, practice.id, 'administrator')
    const { client: nurse } = await newMember(app, practice.id, 'nurse')
    const { client: stranger } = await newProtectedPractice()
    for (const each of [administrator, nurse]) await turnOnTwoFactor(each, app.services.clock)
    expect((await require(nurse, practice.id)).status).toBe(403)
    expect((await require(stranger, practice.id)).status).toBe(404)
    expect((await require(administrator, practice.id)).status).toBe(200)
    // Also the owner, who has not set it up.
    expect(await client.get('/api/team')).toMatchObject(refused)
    const events = await readStream(app.services.store, `practice-${practice.id}`)
    expect(events.at(-1)).toMatchObject({
      type: 'PracticeDetailsChanged',
      data: { from: { requireTwoFactor: false }, to: { requireTwoFactor: true } },
    })
  })

  it('does not let a member turn it off', async () => {
    const { client, practice } = await newProtectedPractice()
    const { client: member } = await newMember(app, practice.id, 'nurse')
    const secret = await turnOnTwoFactor(member, app.services.clock)
    await require(client, practice.id)
    app.advanceClock(60_000)
    const disable = () =>
      member.post('/api/account/two-factor/disable', { password, code: showCode(secret, app.services.clock()) })
    expect(await disable()).toMatchObject({ status: 409, problem: { code: 'required-by-practice' } })
    expect((await member.get('/api/account/two-factor')).body.isEnabled).toBe(true)
    await require(client, practice.id, false)
    expect((await disable()).status).toBe(204)
  })

  it('ends the live updates of a member without it', async () => {
    const { client, practice } = await newProtectedPractice()
    const { client: member, registration } = await newMember(app, practice.id, 'nurse')
    const elsewhere = app.newClient()
    await elsewhere.post('/api/login', { email: registration.email, password })
    const stream = await openEventStream(member, '/api/changes')
    expect(stream.isEnded()).toBe(false)
    await require(client, practice.id)
    // Every heartbeat verifies the stream, and so does the end of another session.
    await elsewhere.post('/api/logout')
    await waitUntil(() => stream.isEnded())
    expect((await openEventStream(member, '/api/changes')).status).toBe(403)
  })

  it('lets users of other practices and without one alone', async () => {
    const { client, practice } = await newProtectedPractice()
    const { client: other } = await newOwner(app)
    const { client: alone } = await newUser(app)
    await require(client, practice.id)
    expect((await other.get('/api/patients')).status).toBe(200)
    expect((await alone.get('/api/account/sessions')).status).toBe(200)
  })
})

describe('the reset of a lost second factor', () => {
  const reset = (client: Client, userId: string, typed = password) =>
    client.post(`/api/team/${userId}/two-factor/reset`, { password: typed })

  it('turns it off, ends the sessions, tells the person, and is recorded', async () => {
    const { client, user: owner, practice } = await newOwner(app)
    const { client: member, user, registration } = await newMember(app, practice.id, 'nurse')
    await turnOnTwoFactor(member, app.services.clock)
    const { body: team } = await client.get('/api/team')
    expect(team.members.map(({ hasTwoFactor }: { hasTwoFactor: boolean }) => hasTwoFactor)).toEqual([false, true])
    expect(await reset(client, user.id)).toMatchObject({ status: 200, body: { userId: user.id, hasTwoFactor: false } })
    expect((await member.get('/api/user')).status).toBe(401)
    const { email } = registration
    expect((await app.newClient().post('/api/login', { email, password })).status).toBe(200)
    await waitForMessage(app, email, 'turned off the two-factor authentication')
    const { store } = app.services
    const [teamEvents, factorEvents] = [
      await readStream(store, `team-${practice.id}`),
      await readStream(store, `second_factor-${user.id}`),
    ]
    expect(teamEvents.at(-1)).toMatchObject({
      type: 'MemberTwoFactorReset',
      data: { userId: user.id, by: owner.id },
      metadata: { actor: { userId: owner.id } },
    })
    expect(factorEvents.at(-1)).toMatchObject({ type: 'TwoFactorReset', data: { userId: user.id, by: owner.id } })
    const { rows } = await app.services.pool.query('select 1 from app.second_factors where user_id = $1', [user.id])
    expect(rows).toEqual([])
    // Again, for example after a lost reply: nothing more happens.
    expect((await reset(client, user.id)).status).toBe(200)
    expect(await readStream(store, `second_factor-${user.id}`)).toHaveLength(factorEvents.length)
  })

  it('needs the password of the one who resets it, and stops guesses', async () => {
    const { client, practice } = await newOwner(app)
    const { client: member, user } = await newMember(app, practice.id, 'nurse')
    await turnOnTwoFactor(member, app.services.clock)
    for (let n = 0; n < 5; n++)
      expect(await reset(client, user.id, 'not my password')).toMatchObject({
        status: 422,
        problem: { code: 'wrong-password', errors: [{ path: 'password' }] },
      })
    expect(await reset(client, user.id)).toMatchObject({ status: 429, problem: { code: 'locked' } })
    expect((await member.get('/api/user')).status).toBe(200)
  })

  it('is for the owner and administrators, of others in their own practice, and never of the owner', async () => {
    const { client, user: owner, practice } = await newProtectedPractice()
    const { client: administrator, user: self } = await newMember(app, practice.id, 'administrator')
    const { client: nurse, user } = await newMember(app, practice.id, 'nurse')
    const { client: stranger } = await newOwner(app)
    expect((await reset(nurse, self.id)).status).toBe(403)
    expect((await reset(stranger, user.id)).status).toBe(404)
    expect(await reset(administrator, user.id)).toMatchObject({ status: 409, problem: { code: 'two-factor-off' } })
    await turnOnTwoFactor(administrator, app.services.clock)
    for (const each of [administrator, client])
      expect(await reset(each, each === client ? owner.id : self.id)).toMatchObject({
        status: 409,
        problem: { code: 'own-access' },
      })
    expect((await reset(administrator, owner.id)).status).toBe(403)
    expect((await client.get('/api/account/two-factor')).body.isEnabled).toBe(true)
    expect((await reset(client, self.id)).status).toBe(200)
  })

  it('resets no factor that was set up after the first attempt at the request', async () => {
    const { client, practice } = await newOwner(app)
    const { client: member, user, registration } = await newMember(app, practice.id, 'nurse')
    await turnOnTwoFactor(member, app.services.clock)
    const send = (key: string) =>
      client.request('POST', `/api/team/${user.id}/two-factor/reset`, { password }, { 'Idempotency-Key': key })
    expect(await send('first')).toMatchObject({ status: 200, body: { hasTwoFactor: false } })
    await member.post('/api/login', { email: registration.email, password })
    await turnOnTwoFactor(member, app.services.clock)
    expect(await send('first')).toMatchObject({ status: 200, body: { hasTwoFactor: true } })
    expect((await member.get('/api/account/two-factor')).body.isEnabled).toBe(true)
    // A new request resets the new one.
    expect(await send('second')).toMatchObject({ status: 200, body: { hasTwoFactor: false } })
    expect((await member.get('/api/user')).status).toBe(401)
  })

  it('leads to a new set-up where the practice requires it', async () => {
    const { client, practice } = await newProtectedPractice()
    const { client: member, user, registration } = await newMember(app, practice.id, 'nurse')
    await turnOnTwoFactor(member, app.services.clock)
    await require(client, practice.id)
    await reset(client, user.id)
    await member.post('/api/login', { email: registration.email, password })
    expect(await member.get('/api/patients')).toMatchObject(refused)
    await turnOnTwoFactor(member, app.services.clock)
    expect((await member.get('/api/patients')).status).toBe(200)
  })
})

describe('a right password without a code', () => {
  it('is on the record, once a minute for an address, and the person is not told', async () => {
    const { client, user } = await newUser(app)
    await turnOnTwoFactor(client, app.services.clock)
    const signIn = () => app.newClient().post('/api/login', { email: user.email, password })
    for (let n = 0; n < 3; n++)
      expect(await signIn()).toMatchObject({ status: 401, problem: { code: 'two-factor-required' } })
    const find = async () =>
      (await readAllEvents(app.services.store)).filter(
        ({ type, data }) => type === 'SignInCodeMissing' && data['userId'] === user.id,
      )
    expect(await find()).toMatchObject([{ metadata: { practiceId: null } }])
    app.advanceClock(60_000)
    await signIn()
    expect(await find()).toHaveLength(2)
  })
})
