import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { emailDecider } from '#modules/accounts/names/decider.ts'
import { createNameHasher, reserveEmail } from '#modules/accounts/names/reserve-names.ts'
import { subscribe } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { readStream } from '#tests/support/events.ts'
import { newMember } from '#tests/support/members.ts'
import { findResetToken, waitForEmailToken, waitForMessage } from '#tests/support/outbox.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const hour = 3_600_000
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const newAddress = () => `${randomUUID().slice(0, 8)}@example.test`
const ask = (client: Client, email: string, typed = password) =>
  client.post('/api/account/email', { email, password: typed })
const confirm = (client: Client, token: string) => client.post('/api/account/email/confirm', { token })
const signIn = async (email: string) => (await app.newClient().post('/api/login', { email, password })).status

/** Requests a change and returns the token in the only message to the new address. */
async function requestToken(client: Client, email: string): Promise<string> {
  expect((await ask(client, email)).status).toBe(200)
  return await waitForEmailToken(app, email)
}

describe('a change of the e-mail address', () => {
  it('is confirmed with the link in a message, and tells the former address twice', async () => {
    const { client, user } = await newUser(app)
    const email = newAddress()
    expect((await ask(client, email)).body).toEqual({ delivery: 'outbox' })
    const token = await waitForEmailToken(app, email)
    await waitForMessage(app, user.email, 'a new email was requested')
    const waiting = await client.get('/api/account/email')
    expect(waiting.body).toMatchObject({ email: user.email, pending: { email } })
    expect([await signIn(user.email), await signIn(email)]).toEqual([200, 401])

    expect((await confirm(client, token)).status).toBe(204)
    expect([await signIn(user.email), await signIn(email)]).toEqual([401, 200])
    expect((await client.get('/api/user')).body.email).toBe(email)
    expect((await client.get('/api/account/email')).body).toEqual({ email, pending: null })
    await waitForMessage(app, user.email, 'was changed')
    const events = await readStream(app.services.store, `user-${user.id}`)
    expect(events.map(({ type }) => type)).toEqual(['UserRegistered', 'EmailChangeRequested', 'EmailChanged'])
    expect(events[2]).toMatchObject({ data: { from: user.email, to: email }, metadata: { actor: { userId: user.id } } })
  })

  it('works once, within a day, with the latest link, and for the user who asked for it', async () => {
    const { client } = await newUser(app)
    const { client: other } = await newUser(app)
    const [email, next] = [newAddress(), newAddress()]
    const token = await requestToken(client, email)
    expect(await confirm(other, token)).toMatchObject({ status: 403, problem: { code: 'other-account' } })
    expect((await confirm(app.newClient(), token)).status).toBe(401)
    for (const forged of [token.slice(0, -1), `${token}0`, 'x', ''])
      expect((await confirm(client, forged)).status).toBe(404)
    const latest = await requestToken(client, next)
    expect(await confirm(client, token)).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
    expect((await confirm(client, latest)).status).toBe(204)
    expect(await confirm(client, latest)).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
    expect((await client.get('/api/account/email')).body.email).toBe(next)
    // Nothing holds the address of the link that was replaced.
    expect((await newUser(app, { email })).user.email).toBe(email)
  })

  it('needs the password, stops guesses, and is refused for the own address', async () => {
    const { client, user } = await newUser(app)
    expect(await ask(client, user.email.toUpperCase())).toMatchObject({
      status: 409,
      problem: { code: 'same-email', errors: [{ path: 'email' }] },
    })
    for (let n = 0; n < 5; n++)
      expect(await ask(client, newAddress(), 'not my password')).toMatchObject({
        status: 422,
        problem: { code: 'wrong-password', errors: [{ path: 'password' }] },
      })
    expect(await ask(client, newAddress())).toMatchObject({ status: 429, problem: { code: 'locked' } })
    expect(await ask(client, 'no address')).toMatchObject({ status: 422, problem: { errors: [{ path: 'email' }] } })
  })

  it('is answered the same for an address that has an account, whose owner gets another message', async () => {
    const { client } = await newUser(app)
    const { user: taken } = await newUser(app)
    const free = await ask(client, newAddress())
    const to = `${taken.email.split('@')[0]?.toUpperCase()}@example.test`
    const known = await ask(client, to)
    expect({ ...known, headers: null }).toEqual({ ...free, headers: null })
    const message = await waitForMessage(app, to, 'account')
    expect(message).toContain('has an account already')
    expect(message).not.toContain('/email/')
  })

  it('is refused when the address was taken in the meantime, and changes nothing', async () => {
    const { client, user } = await newUser(app)
    const email = newAddress()
    const token = await requestToken(client, email)
    const { user: faster } = await newUser(app, { email })
    expect(await confirm(client, token)).toMatchObject({
      status: 409,
      problem: { code: 'email-taken', errors: [{ path: 'email' }] },
    })
    expect((await client.get('/api/user')).body.email).toBe(user.email)
    expect(await signIn(user.email)).toBe(200)
    expect((await app.newClient().post('/api/login', { email, password })).body.id).toBe(faster.id)
  })

  it('gives an address to one of two accounts that confirm it at the same moment', async () => {
    const people = [await newUser(app), await newUser(app)]
    const email = newAddress()
    const tokens: string[] = []
    for (const { client, user } of people) {
      expect((await ask(client, email)).status).toBe(200)
      tokens.push(await waitForEmailToken(app, email, user.id))
    }
    const replies = await Promise.all(people.map(({ client }, n) => confirm(client, tokens[n] ?? '')))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const winner = people[replies.findIndex(({ status }) => status === 204)]
    expect((await app.newClient().post('/api/login', { email, password })).body.id).toBe(winner?.user.id)
    const loser = people.find((person) => person !== winner)
    expect(await signIn(loser?.user.email ?? '')).toBe(200)
  })

  it('is made once when one link is opened twice at the same moment, or one request is sent twice', async () => {
    const { client, user } = await newUser(app)
    const token = await requestToken(client, newAddress())
    const both = await Promise.all([confirm(client, token), confirm(client, token)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 410])
    const again = await requestToken(client, user.email)
    const send = () =>
      client.request('POST', '/api/account/email/confirm', { token: again }, { 'Idempotency-Key': 'confirm-once' })
    expect([(await send()).status, (await send()).status]).toEqual([204, 204])
    expect((await client.get('/api/user')).body.email).toBe(user.email)
    expect(await signIn(user.email)).toBe(200)
  })

  it('frees the former address for someone else', async () => {
    const { client, user } = await newUser(app)
    expect((await confirm(client, await requestToken(client, newAddress()))).status).toBe(204)
    const { user: next } = await newUser(app, { email: user.email })
    expect(next.id).not.toBe(user.id)
  })

  it('is finished by a job when the process stopped before the former address was free', async () => {
    const { client, user } = await newUser(app)
    const { bus } = app.services
    const id = createNameHasher(app.services).email(user.email)
    const token = await requestToken(client, newAddress())
    expect((await confirm(client, token)).status).toBe(204)
    // As if the reservation had not been released.
    const userId = UserId.parse(user.id)
    const at = app.services.clock().toISOString()
    const context = { practiceId: null, actor: { kind: 'process', name: 'test' }, correlationId: randomUUID() } as const
    await bus.execute(emailDecider, id, { type: 'Reserve', userId, at }, context, { idempotencyKey: null })
    expect(await signIn(user.email)).toBe(401)
    await waitUntil(async () => {
      // The job is not due for ten seconds.
      await app.services.pool.query(`update jobs.job set start_after = now() where state = 'created'`)
      return (await bus.load(emailDecider, id)).state === null
    })
  })

  it('that was never finished does not keep an address from others', async () => {
    const { user } = await newUser(app)
    const email = newAddress()
    const context = { practiceId: null, actor: { kind: 'process', name: 'test' }, correlationId: randomUUID() } as const
    // Reserved for a request that is no longer open.
    await reserveEmail(app.services, email, { userId: UserId.parse(user.id), requestId: randomUUID() }, context)
    expect((await newUser(app, { email })).user.email).toBe(email)
  })

  it('keeps the username of the account', async () => {
    const { client, user, registration } = await newUser(app)
    expect((await confirm(client, await requestToken(client, newAddress()))).status).toBe(204)
    const other = { ...registration, email: newAddress(), username: user.username }
    expect(await app.newClient().post('/api/register', other)).toMatchObject({
      status: 409,
      problem: { code: 'username-taken' },
    })
  })

  it('ends the links to choose a new password that were mailed to the former address', async () => {
    const { client, user } = await newUser(app)
    const token = await requestToken(client, newAddress())
    await app.newClient().post('/api/password/forgot', { email: user.email })
    const reset = findResetToken([await waitForMessage(app, user.email, '/reset/')])
    expect((await confirm(client, token)).status).toBe(204)
    expect(
      await app.newClient().post('/api/password/reset', { token: reset, password: 'another long password' }),
    ).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
  })

  it('shows the new address to the team and to the billing', async () => {
    const { client, user, practice } = await newOwner(app)
    await subscribe(client)
    const { client: member } = await newMember(app, practice.id, 'administrator')
    const email = newAddress()
    expect((await confirm(client, await requestToken(client, email))).status).toBe(204)
    const team = (await member.get('/api/team')).body as { members: { userId: string; email: string }[] }
    expect(team.members.find(({ userId }) => userId === user.id)?.email).toBe(email)
    expect((await client.get('/api/subscription/status')).body.customer).toEqual({ email })
  })
})

describe('requests to change an address', () => {
  itLong('are limited, and expire after a day', async () => {
    const other = await startTestApp()
    try {
      const { client, user } = await newUser(other)
      const email = newAddress()
      expect((await ask(client, email)).status).toBe(200)
      const token = await waitForEmailToken(other, email)
      for (let n = 0; n < 4; n++) expect((await ask(client, newAddress())).status).toBe(200)
      expect(await ask(client, newAddress())).toMatchObject({ status: 429, problem: { code: 'too-many-attempts' } })
      other.advanceClock(24 * hour)
      const late = other.newClient()
      await late.post('/api/login', { email: user.email, password })
      expect(await confirm(late, token)).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
      expect((await late.get('/api/account/email')).body).toEqual({ email: user.email, pending: null })
    } finally {
      await other.dispose()
    }
  })
})
