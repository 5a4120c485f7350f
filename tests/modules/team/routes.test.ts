import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#contracts/team.ts'
import { readMessages } from '#tests/support/outbox.ts'
import type { Client } from '#tests/support/client.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { inviteTo, joinPractice, newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { turnOnTwoFactor } from '#tests/support/two-factor.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const getTeam = async (client: Client) => (await client.get('/api/team')).body as Team
const toToken = (link: string) => link.split('/').at(-1) ?? ''
const newPerson = () => {
  const { email, ...person } = registrationForm()
  return { email: email as string, person }
}

describe('an invitation', () => {
  it('is mailed, opened and accepted; the person is signed in with practice and role', async () => {
    const { client, practice } = await newOwner(app)
    const { email, person } = newPerson()
    const sent = await client.post('/api/team/invitations', { email, role: 'nurse' })
    expect(sent).toMatchObject({
      status: 201,
      body: { invitation: { email, role: 'nurse', state: 'pending', sentBy: 'Ada Okafor', lastDay: null } },
    })
    const [text = ''] = await waitUntil(
      () => readMessages(app, email),
      (messages) => messages.length > 0,
    )
    expect(text).toContain('Harbor Clinic invites you')
    const link = /https:\/\/\S+/.exec(text)?.[0] ?? ''
    expect(link).toBe(sent.body.link)
    expect(link).toContain('https://practice.example/invitations/')
    expect((await getTeam(client)).invitations).toMatchObject([
      { id: sent.body.invitation.id, email, state: 'pending' },
    ])

    const visitor = app.newClient()
    const path = `/api/invitations/${toToken(link)}`
    expect(await visitor.get(path)).toMatchObject({
      status: 200,
      body: { practiceName: 'Harbor Clinic', email, role: 'nurse', account: 'none' },
    })
    const accepted = await visitor.post(`${path}/accept`, person)
    expect(accepted).toMatchObject({
      status: 201,
      body: { email, role: 'nurse', practiceId: practice.id, isOwner: false },
    })
    expect((await visitor.get('/api/user')).body).toEqual(accepted.body)
    expect((await visitor.get('/api/patients')).status).toBe(200)
    const team = await getTeam(client)
    expect(team.invitations).toEqual([])
    expect(team.members).toMatchObject([
      { isOwner: true, state: 'active', role: 'staff' },
      { email, isOwner: false, state: 'active', role: 'nurse', lastDay: null, providerId: null },
    ])
    // A single use.
    for (const again of [await visitor.get(path), await app.newClient().post(`${path}/accept`, person)])
      expect(again).toMatchObject({ status: 410, problem: { code: 'invitation-used' } })
  })

  it('is accepted by one of two people who do so at once', async () => {
    const { practice } = await newOwner(app)
    const { email, person } = newPerson()
    const token = await inviteTo(practice.id, email, 'staff')
    const answers = await Promise.all(
      [person, newPerson().person].map((each) => app.newClient().post(`/api/invitations/${token}/accept`, each)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, expect.toBeOneOf([409, 410])])
  })

  it('is accepted by a request whose first reply was lost', async () => {
    const { practice } = await newOwner(app)
    const { email, person } = newPerson()
    const path = `/api/invitations/${await inviteTo(practice.id, email, 'nurse')}/accept`
    const client = app.newClient()
    const send = () => client.request('POST', path, person, { 'idempotency-key': randomUUID() })
    const key = { 'idempotency-key': randomUUID() }
    const first = await client.request('POST', path, person, key)
    const again = await app.newClient().request('POST', path, person, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body.id).toBe(first.body.id)
    // The user who has accepted it is where the link leads; it works for no one else.
    expect(await send()).toMatchObject({ status: 201, body: { id: first.body.id } })
    const other = await app.newClient().request('POST', path, person, { 'idempotency-key': randomUUID() })
    expect(other.problem).toMatchObject({ status: 410, code: 'invitation-used' })
  })

  it('does not sign in by a repeated request once the person has a second factor', async () => {
    const { practice } = await newOwner(app)
    const { email, person } = newPerson()
    const path = `/api/invitations/${await inviteTo(practice.id, email, 'nurse')}/accept`
    const client = app.newClient()
    const key = { 'idempotency-key': randomUUID() }
    expect((await client.request('POST', path, person, key)).status).toBe(201)
    await turnOnTwoFactor(client, app.services.clock)
    const stranger = app.newClient()
    const again = await stranger.request('POST', path, person, key)
    expect(again).toMatchObject({ status: 401, problem: { code: 'two-factor-required' } })
    expect((await stranger.get('/api/user')).status).toBe(401)
  })

  it('names what is missing or invalid', async () => {
    const { client, practice } = await newOwner(app)
    const token = await inviteTo(practice.id, newPerson().email, 'staff')
    const accept = (body: object) => app.newClient().post(`/api/invitations/${token}/accept`, body)
    expect((await accept({})).problem).toMatchObject({
      status: 422,
      errors: [{ path: 'firstName' }, { path: 'lastName' }, { path: 'username' }, { path: 'password' }],
    })
    expect((await accept({ ...newPerson().person, password: 'short' })).problem.errors).toMatchObject([
      { path: 'password', message: 'Password must be at least 8 characters' },
    ])
    const taken = (await newUser(app)).registration.username
    expect((await accept({ ...newPerson().person, username: taken })).problem).toMatchObject({
      code: 'username-taken',
      errors: [{ path: 'username' }],
    })
    // Nothing of these attempts is in the way.
    expect((await accept(newPerson().person)).status).toBe(201)
    const invite = async (body: object) => (await client.post('/api/team/invitations', body)).problem.errors
    expect(await invite({ email: 'no address', role: 'nurse' })).toMatchObject([{ path: 'email' }])
    expect(await invite({ email: 'a@example.test', role: 'owner' })).toMatchObject([{ path: 'role' }])
    expect(await invite({ email: 'a@example.test', role: 'reviewer' })).toEqual([
      { path: 'lastDay', message: 'Please enter the last day of access' },
    ])
    expect(await invite({ email: 'a@example.test', role: 'reviewer', lastDay: '2020-01-01' })).toEqual([
      { path: 'lastDay', message: 'The last day must not be in the past' },
    ])
    expect(await invite({ email: 'a@example.test', role: 'nurse', lastDay: '2090-01-01' })).toMatchObject([
      { path: 'lastDay' },
    ])
  })

  it('gives the same answer for an address that has an account elsewhere, which cannot join', async () => {
    const { client } = await newOwner(app)
    const elsewhere = await newOwner(app)
    const known = await client.post('/api/team/invitations', { email: elsewhere.user.email, role: 'nurse' })
    const unknown = await client.post('/api/team/invitations', { email: newPerson().email, role: 'nurse' })
    const shape = ({ status, body }: typeof known) => [
      status,
      Object.keys(body.invitation as object),
      { ...body.invitation, id: '', email: '', sentAt: '', expiresAt: '' },
    ]
    expect(shape(known)).toEqual(shape(unknown))
    const path = `/api/invitations/${toToken(known.body.link)}`
    expect((await app.newClient().get(path)).body).toMatchObject({ account: 'in-practice' })
    for (const visitor of [app.newClient(), elsewhere.client])
      expect(await visitor.post(`${path}/accept`, newPerson().person)).toMatchObject({
        status: 409,
        problem: { code: 'in-practice' },
      })
    expect((await elsewhere.client.get('/api/user')).body.practiceId).toBe(elsewhere.practice.id)
  })

  it('is accepted by the user of an account without a practice who signed in', async () => {
    const { practice } = await newOwner(app)
    const lonely = await newUser(app)
    const path = `/api/invitations/${await inviteTo(practice.id, lonely.user.email, 'doctor')}`
    expect((await app.newClient().get(path)).body).toMatchObject({ account: 'without-practice' })
    const stranger = await newUser(app)
    for (const visitor of [app.newClient(), stranger.client])
      expect(await visitor.post(`${path}/accept`, newPerson().person)).toMatchObject({
        status: 409,
        problem: { code: 'sign-in-first' },
      })
    expect(await lonely.client.post(`${path}/accept`, {})).toMatchObject({
      status: 201,
      body: { id: lonely.user.id, role: 'doctor', practiceId: practice.id },
    })
    expect((await lonely.client.get('/api/patients')).status).toBe(200)
  })

  it('can be revoked and sent again, with a new link', async () => {
    const { client } = await newOwner(app)
    const { email, person } = newPerson()
    const sent = (await client.post('/api/team/invitations', { email, role: 'nurse' })).body
    expect(
      (await client.post('/api/team/invitations', { email: email.toUpperCase(), role: 'nurse' })).problem,
    ).toMatchObject({
      code: 'already-invited',
      errors: [{ path: 'email' }],
    })
    const path = `/api/team/invitations/${sent.invitation.id}`
    const again = await client.post(`${path}/resend`)
    expect(again).toMatchObject({ status: 200, body: { invitation: { id: sent.invitation.id, email } } })
    expect(again.body.link).not.toBe(sent.link)
    const open = (link: string) => app.newClient().get(`/api/invitations/${toToken(link)}`)
    expect(await open(sent.link)).toMatchObject({ status: 410, problem: { code: 'invitation-replaced' } })
    expect((await open(again.body.link)).status).toBe(200)
    expect((await client.delete(path)).status).toBe(204)
    expect((await client.delete(path)).status).toBe(404)
    expect((await client.post(`${path}/resend`)).status).toBe(404)
    expect(await open(again.body.link)).toMatchObject({ status: 410, problem: { code: 'invitation-revoked' } })
    const accept = `/api/invitations/${toToken(again.body.link)}/accept`
    expect((await app.newClient().post(accept, person)).status).toBe(410)
    expect((await getTeam(client)).invitations).toEqual([])
    // The address can be invited again.
    expect((await client.post('/api/team/invitations', { email, role: 'staff' })).status).toBe(201)
  })

  it('is not found with a link that was not signed here, nor by another practice', async () => {
    const { client, practice } = await newOwner(app)
    const token = await inviteTo(practice.id, newPerson().email, 'administrator')
    const [id = '', number = '', signature = ''] = token.split('.')
    for (const forged of [`${id}.2.${signature}`, `${randomUUID()}.${number}.${signature}`, id, 'x', `${token}0`])
      expect((await app.newClient().get(`/api/invitations/${forged}`)).status).toBe(404)
    const other = (await newOwner(app)).client
    expect((await other.delete(`/api/team/invitations/${id}`)).status).toBe(404)
    expect((await other.post(`/api/team/invitations/${id}/resend`)).status).toBe(404)
    expect((await getTeam(client)).invitations).toHaveLength(1)
    expect(await getTeam(other)).toMatchObject({ members: [{ isOwner: true }], invitations: [] })
  })

  it('stores no token, neither in an event nor in a table', async () => {
    const { practice } = await newOwner(app)
    const signature = (await inviteTo(practice.id, newPerson().email, 'nurse')).split('.')[2] ?? ''
    expect(signature).toHaveLength(32)
    const stored = JSON.stringify(await readAllEvents(app.services.store), (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    )
    expect(stored).toContain('MemberInvited')
    expect(stored).not.toContain(signature)
    const jobs = await app.services.pool.query('select data from jobs.job')
    const rows = await app.services.pool.query('select * from read.team_invitations')
    expect(JSON.stringify([jobs.rows, rows.rows])).not.toContain(signature)
  })

  it('adds a provider with its acceptance', async () => {
    const { client, practice } = await newOwner(app)
    const member = await newMember(app, practice.id, 'doctor', { isProvider: true })
    const team = await waitUntil(
      () => getTeam(client),
      ({ members }) => members.some(({ userId, providerId }) => userId === member.user.id && providerId !== null),
    )
    const providerId = team.members.find(({ userId }) => userId === member.user.id)?.providerId
    const provider = ((await member.client.get('/api/providers')).body as { id: string }[]).find(
      ({ id }) => id === providerId,
    )
    expect(provider).toMatchObject({ name: 'Ada Okafor', userId: member.user.id, active: true })
  })
})

describe('a member', () => {
  it('is managed by the owner and administrators only', async () => {
    const { practice } = await newOwner(app)
    const target = await newMember(app, practice.id, 'nurse')
    for (const role of ['doctor', 'nurse', 'staff', 'reviewer'] as const) {
      const client = await joinPractice(app, practice.id, role)
      expect((await client.get('/api/team')).status).toBe(403)
      expect((await client.post('/api/team/invitations', { email: 'a@example.test', role: 'nurse' })).status).toBe(403)
      expect((await client.patch(`/api/team/${target.user.id}`, { role: 'administrator' })).status).toBe(403)
    }
    const administrator = await joinPractice(app, practice.id, 'administrator')
    expect((await administrator.patch(`/api/team/${target.user.id}`, { role: 'doctor' })).status).toBe(200)
  })

  it('gets another role at once; who, from, to and why are recorded', async () => {
    const { client, practice, user } = await newOwner(app)
    const member = await newMember(app, practice.id, 'staff')
    expect((await member.client.get('/api/appointment-types')).status).toBe(403)
    const path = `/api/team/${member.user.id}`
    expect(await client.patch(path, { role: 'administrator', why: 'Runs the office' })).toMatchObject({
      status: 200,
      body: { userId: member.user.id, role: 'administrator', state: 'active' },
    })
    expect((await member.client.get('/api/appointment-types')).status).toBe(200)
    expect((await member.client.get('/api/user')).body).toMatchObject({ role: 'administrator' })
    const changed = (await readAllEvents(app.services.store)).filter(({ type }) => type === 'MemberRoleChanged').at(-1)
    expect(changed).toMatchObject({
      data: { userId: member.user.id, from: 'staff', to: 'administrator', why: 'Runs the office' },
      metadata: { practiceId: practice.id, actor: { kind: 'user', userId: user.id } },
    })
  })

  it('loses sessions and live streams at once when suspended, and learns it after the right password', async () => {
    const { client, practice } = await newOwner(app)
    const member = await newMember(app, practice.id, 'nurse')
    const stream = await openEventStream(member.client, '/api/changes')
    const path = `/api/team/${member.user.id}`
    expect(await client.patch(path, { suspended: true, why: 'On leave' })).toMatchObject({
      body: { state: 'suspended' },
    })
    expect((await member.client.get('/api/user')).status).toBe(401)
    await stream.waitUntil(() => false)
    expect(stream.isEnded()).toBe(true)
    const { email } = member.registration
    const signIn = (word: string) => app.newClient().post('/api/login', { email, password: word })
    expect(await signIn(password)).toMatchObject({
      status: 403,
      problem: {
        code: 'access-suspended',
        message: 'Your access to this practice was suspended. Ask its owner.',
      },
    })
    expect((await signIn('a wrong password')).problem).toMatchObject({ status: 401, code: 'invalid-credentials' })
    expect(await client.patch(path, { suspended: false })).toMatchObject({ body: { state: 'active' } })
    expect((await signIn(password)).status).toBe(200)
    // The session from before the suspension stays ended.
    expect((await member.client.get('/api/user')).status).toBe(401)
  })

  it('has no session while suspended, even if one could not be ended', async () => {
    const { practice } = await newOwner(app)
    const member = await newMember(app, practice.id, 'nurse')
    await app.services.pool.query('update read.users set suspended_at = now() where user_id = $1', [member.user.id])
    expect((await member.client.get('/api/user')).status).toBe(401)
  })

  itLong('is a reviewer until the last day, in the time zone of the practice', async () => {
    const own = await startTestApp()
    try {
      const { practice } = await newOwner(own, { timezone: 'America/New_York' })
      own.stopClock()
      // In January, midnight in New York is five o'clock in UTC.
      const year = own.services.clock().getUTCFullYear() + 1
      const reviewer = await newMember(own, practice.id, 'reviewer', { lastDay: `${year}-01-15` })
      const moveClockTo = (instant: string) => own.advanceClock(Date.parse(instant) - own.services.clock().getTime())
      expect((await reviewer.client.get('/api/patients')).status).toBe(200)
      const refused = [
        await reviewer.client.post('/api/patients', { firstName: 'New', lastName: 'Patient' }),
        await reviewer.client.get('/api/appointments/today'),
        await reviewer.client.get('/api/appointment-types'),
        await reviewer.client.post('/api/practices/setup', { name: 'Mine' }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, expect.toBeOneOf([403, 422])])
      const { email } = reviewer.registration
      moveClockTo(`${year}-01-16T04:59:59.000Z`)
      const client = own.newClient()
      expect((await client.post('/api/login', { email, password })).status).toBe(200)
      expect((await client.get('/api/patients')).status).toBe(200)
      moveClockTo(`${year}-01-16T05:00:00.000Z`)
      expect((await client.get('/api/patients')).status).toBe(401)
      expect((await own.newClient().post('/api/login', { email, password })).problem).toMatchObject({
        status: 403,
        code: 'access-ended',
      })
    } finally {
      await own.dispose()
    }
  })

  it('of another practice is not found', async () => {
    const { client } = await newOwner(app)
    const other = await newOwner(app)
    const foreign = await newMember(app, other.practice.id, 'nurse')
    for (const userId of [foreign.user.id, other.user.id, randomUUID()]) {
      expect((await client.patch(`/api/team/${userId}`, { suspended: true })).status).toBe(404)
      expect((await client.patch(`/api/team/${userId}`, {})).status).toBe(404)
      expect((await client.post(`/api/team/${userId}/transfer-ownership`)).status).toBe(404)
    }
    expect((await foreign.client.get('/api/user')).status).toBe(200)
  })

  it('is linked to a provider of the practice', async () => {
    const { client, practice, user } = await newOwner(app)
    const member = await newMember(app, practice.id, 'doctor')
    const path = `/api/team/${member.user.id}`
    const first = ((await client.get('/api/providers')).body as { id: string }[])[0]?.id
    expect((await client.patch(path, { providerId: first })).problem).toMatchObject({ code: 'provider-taken' })
    const added = (await client.post('/api/providers', { name: 'Dr. Reyes' })).body.id as string
    expect((await client.patch(path, { providerId: added })).body).toMatchObject({ providerId: added })
    const members = (await getTeam(client)).members
    expect(members.map(({ userId, providerId }) => [userId, providerId])).toEqual([
      [user.id, first],
      [member.user.id, added],
    ])
    const foreign = ((await (await newOwner(app)).client.get('/api/providers')).body as { id: string }[])[0]?.id
    expect((await client.patch(path, { providerId: foreign })).status).toBe(404)
    expect((await client.patch(path, { providerId: null })).body).toMatchObject({ providerId: null })
    expect((await getTeam(client)).members[1]?.providerId).toBeNull()
  })
})

describe('a reviewer', () => {
  const end = { lastDay: '2090-01-01' }

  it('is linked to no provider', async () => {
    const { client, practice } = await newOwner(app)
    const reviewer = await newMember(app, practice.id, 'reviewer')
    const providerId = (await client.post('/api/providers', { name: 'Dr. Reyes' })).body.id as string
    const path = `/api/team/${reviewer.user.id}`
    expect(await client.patch(path, { providerId })).toMatchObject({
      status: 409,
      problem: { code: 'reviewer', errors: [{ path: 'providerId' }] },
    })
    expect((await client.patch(path, { role: 'reviewer', ...end, providerId })).problem.code).toBe('reviewer')
    // With another role at the same time.
    expect((await client.patch(path, { role: 'nurse', providerId })).body).toMatchObject({ role: 'nurse', providerId })
  })

  it('is unlinked from the provider that the member was', async () => {
    const { client, practice } = await newOwner(app)
    const member = await newMember(app, practice.id, 'doctor', { isProvider: true })
    const findProvider = async () =>
      ((await client.get('/api/providers')).body as { name: string; userId: string | null; active: boolean }[])[1]
    expect(await findProvider()).toMatchObject({ userId: member.user.id })
    const path = `/api/team/${member.user.id}`
    expect((await client.patch(path, { role: 'reviewer', ...end })).body).toMatchObject({
      role: 'reviewer',
      providerId: null,
    })
    // The provider still sees patients.
    expect(await findProvider()).toMatchObject({ name: 'Ada Okafor', userId: null, active: true })
    expect((await getTeam(client)).members[1]).toMatchObject({ role: 'reviewer', providerId: null })
  })
})

/** Sends a JSON body in two parts; `between` runs after the first, and the second follows at least `pauseMs` later. */
async function sendInTwoParts(
  client: Client,
  path: string,
  body: object,
  between: () => Promise<void>,
  pauseMs: number,
) {
  const text = JSON.stringify(body)
  const sending = request(client.url + path, {
    method: 'PATCH',
    headers: {
      cookie: client.cookie() ?? '',
      origin: client.url,
      'content-type': 'application/json',
      'content-length': text.length,
    },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  sending.write(text.slice(0, 1))
  await between()
  await sleep(pauseMs)
  sending.end(text.slice(1))
  const [{ statusCode }] = await answered
  return statusCode
}

describe('a suspended administrator', () => {
  it('cannot act with a request whose body was still arriving', async () => {
    const { client: owner, practice } = await newOwner(app)
    const { client, user } = await newMember(app, practice.id, 'administrator')
    const suspend = async () => {
      expect((await owner.patch(`/api/team/${user.id}`, { suspended: true })).status).toBe(200)
    }
    // Longer than the time after which the caller is looked up again.
    expect(await sendInTwoParts(client, `/api/team/${user.id}`, { suspended: false }, suspend, 1_100)).toBe(401)
    const { members } = await getTeam(owner)
    expect(members.find(({ userId }) => userId === user.id)?.state).toBe('suspended')
  })
})

describe('the ownership', () => {
  it('keeps the practice from losing its last owner', async () => {
    const { client, practice, user } = await newOwner(app)
    const administrator = await joinPractice(app, practice.id, 'administrator')
    const path = `/api/team/${user.id}`
    expect((await administrator.patch(path, { suspended: true })).problem).toMatchObject({
      code: 'owner-protected',
      errors: [{ path: 'suspended' }],
    })
    expect((await administrator.patch(path, { role: 'nurse' })).status).toBe(403)
    expect((await client.patch(path, { suspended: true })).problem.code).toBe('owner-protected')
    expect((await client.patch(path, { role: 'reviewer', lastDay: '2090-01-01' })).problem.code).toBe('owner-protected')
    // All fields or none.
    expect((await client.patch(path, { role: 'doctor', suspended: true })).status).toBe(409)
    expect((await getTeam(client)).members[0]).toMatchObject({ role: 'staff', state: 'active', isOwner: true })
  })

  it('is transferred by the owner only, who becomes an administrator', async () => {
    const { client, practice, user } = await newOwner(app, { selectedPlan: 'starter' })
    const next = await newMember(app, practice.id, 'administrator')
    const path = `/api/team/${next.user.id}/transfer-ownership`
    expect((await next.client.post(path)).status).toBe(403)
    expect(await client.post(path)).toMatchObject({ status: 200, body: { isOwner: true, userId: next.user.id } })
    expect((await client.get('/api/user')).body).toMatchObject({ isOwner: false, role: 'administrator' })
    expect((await next.client.get('/api/user')).body).toMatchObject({ isOwner: true })
    // Back to the former owner, who is no longer the one to decide.
    expect((await client.post(`/api/team/${user.id}/transfer-ownership`)).status).toBe(403)
    const details = {
      name: 'Mine again',
      address: 'A street 1',
      phone: '(617) 555-0100',
      specialties: ['Family Medicine'],
    }
    expect((await client.post('/api/practices/setup', details)).status).toBe(403)
    expect((await next.client.patch(`/api/team/${user.id}`, { suspended: true })).status).toBe(200)
    expect((await client.get('/api/user')).status).toBe(401)
  })

  it('is transferred once by repeated requests, which all get the same answer', async () => {
    const { client, practice } = await newOwner(app, { selectedPlan: 'starter' })
    const next = await newMember(app, practice.id, 'administrator')
    const bystander = await joinPractice(app, practice.id, 'administrator')
    const path = `/api/team/${next.user.id}/transfer-ownership`
    const key = { 'idempotency-key': randomUUID() }
    const first = await client.request('POST', path, undefined, key)
    const again = await client.request('POST', path, undefined, key)
    const secondClick = await client.post(path)
    expect([first.status, again.status, secondClick.status]).toEqual([200, 200, 200])
    expect([again.body, secondClick.body]).toEqual([first.body, first.body])
    expect((await bystander.post(path)).status).toBe(403)
    const transfers = (await readAllEvents(app.services.store)).filter(
      ({ type, metadata }) => type === 'OwnershipTransferred' && metadata.practiceId === practice.id,
    )
    expect(transfers).toHaveLength(1)
  })

  it('stays with the owner until the practice is set up, which only the owner can finish', async () => {
    const { client, practice } = await newOwner(app)
    const next = await newMember(app, practice.id, 'administrator')
    const path = `/api/team/${next.user.id}/transfer-ownership`
    expect(await client.post(path)).toMatchObject({
      status: 409,
      problem: { code: 'not-set-up', message: expect.stringContaining('Finish setting up your practice first.') },
    })
    expect((await client.get('/api/user')).body).toMatchObject({ isOwner: true })
    expect((await client.post('/api/practices/setup', { ...practiceDetails, selectedPlan: 'starter' })).status).toBe(
      200,
    )
    expect((await client.post(path)).status).toBe(200)
  })
})

describe('while the read models are behind', () => {
  itLong('an invitation asks to try again, and is accepted afterwards', async () => {
    const stopping = await startTestApp()
    try {
      const { practice } = await newOwner(stopping)
      const lonely = await newUser(stopping)
      const path = `/api/invitations/${await inviteTo(practice.id, lonely.user.email, 'nurse')}`
      await stopping.projectionRunner.stop()
      // Stored, and in no read model.
      await newUser(stopping)
      const answers = [await stopping.newClient().get(path), await lonely.client.post(`${path}/accept`, {})]
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 503,
          problem: { code: 'not-ready', message: expect.stringContaining('Please try again in a moment.') },
        })
        expect(answer.headers.get('retry-after')).toBe('5')
      }
      const second = await startTestApp({ databaseUrl: stopping.databaseUrl })
      try {
        const client = second.newClient()
        client.setCookie(lonely.client.cookie())
        expect(await client.post(`${path}/accept`, {})).toMatchObject({ status: 201 })
      } finally {
        await second.stopInstance()
      }
    } finally {
      await stopping.dispose()
    }
  })
})
