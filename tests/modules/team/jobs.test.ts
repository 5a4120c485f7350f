import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { listDeadLetters } from '#jobs/dead-letters.ts'
import { InvitationId } from '#contracts/values/ids.ts'
import { invitationDecider } from '#modules/team/decider.ts'
import { completeInvitation, endSessions, sendInvitation } from '#modules/team/jobs.ts'
import { type MailReply, type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { inviteTo, newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password, registrationForm } from '#tests/support/practice.ts'
import { proveEmail } from '#tests/support/prove-email.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

describe('the message of an invitation, with a mail server', () => {
  let server: MailServer
  let app: TestApp
  let replies: MailReply[] = []
  beforeAll(async () => {
    server = await startMailServer({
      answer: (step) => (step === 'content' ? (replies.shift() ?? 'accept') : 'accept'),
    })
    app = await startTestApp({ smtp: server.settings() })
  })
  afterEach(() => {
    replies = []
    server.messages.splice(0)
  })
  afterAll(async () => {
    await app.dispose()
    await server.close()
  })

  const invite = async (over: Record<string, unknown> = {}, repliesToInvitation: MailReply[] = []) => {
    const { client, user } = await newOwner(app, over)
    await received(user.email)
    await proveEmail(app, client)
    replies = repliesToInvitation
    const email = registrationForm().email as string
    const sent = await client.post('/api/team/invitations', { email, role: 'nurse' })
    return { client, email, sent }
  }
  const received = async (email: string, count = 1) =>
    await waitUntil(
      () => server.messages.filter(({ to }) => to === email),
      (messages) => messages.length >= count,
    )

  it('arrives, and its link is returned to no one else', async () => {
    const { email, sent } = await invite({ name: 'Smith & <Sons> Clinic' })
    expect(sent).toMatchObject({ status: 201, body: { link: null } })
    const [message] = await received(email)
    const text = (message?.content ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
    expect(text).toContain('Smith &amp; &lt;Sons&gt; Clinic')
    const [, token = ''] = /\/invitations\/([\w.-]+)/.exec(text) ?? []
    expect((await app.newClient().get(`/api/invitations/${token}`)).body).toMatchObject({
      practiceName: 'Smith & <Sons> Clinic',
      email,
    })
  })

  itLong('is sent again after a temporary refusal, once', async () => {
    const { email, sent } = await invite({}, [451])
    const { invitation } = sent.body
    const findJob = async () =>
      (
        await app.services.pool.query<{ state: string; retry_count: number }>(
          "select state, retry_count from jobs.job where name = $1 and data->>'invitationId' = $2",
          [sendInvitation.name, invitation.id],
        )
      ).rows
    const jobs = await waitUntil(findJob, (rows) => rows.some(({ state }) => state === 'completed'))
    expect(jobs).toEqual([{ state: 'completed', retry_count: 1 }])
    // The first one was refused with its content, the second one accepted.
    expect(await received(email)).toHaveLength(2)
    expect(replies).toEqual([])
  })

  it('is not sent for a link that was replaced or revoked', async () => {
    const { client, email, sent } = await invite()
    await received(email)
    const id = sent.body.invitation.id as string
    await client.post(`/api/team/invitations/${id}/resend`)
    await received(email, 2)
    await client.delete(`/api/team/invitations/${id}`)
    const invitationId = InvitationId.parse(id)
    const job = { id: 'a-job', signal: new AbortController().signal } as never
    for (const linkNumber of [1, 2]) await sendInvitation.run(app.services, { invitationId, linkNumber }, job)
    expect(server.messages.filter(({ to }) => to === email)).toHaveLength(2)
    expect(await listDeadLetters(app.services.pool)).toEqual([])
  })
})

describe('what an interrupted request leaves', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ disabledProcessManagers: ['follow-team'] })
  })
  afterAll(() => app.dispose())
  const cause = { correlationId: crypto.randomUUID(), causationId: crypto.randomUUID() }
  const job = { id: crypto.randomUUID(), signal: new AbortController().signal } as never

  it('of an acceptance is completed once, as often as the job runs', async () => {
    const { client, practice } = await newOwner(app)
    const { client: visitor, user, registration } = await newUser(app)
    const token = await inviteTo(practice.id, registration.email, 'doctor', { isProvider: true })
    const invitationId = InvitationId.parse(token.split('.')[0])
    // As if the process had ended after the invitation was accepted.
    const { bus, clock } = app.services
    const accept = { type: 'Accept', linkNumber: 1, userId: user.id, at: clock().toISOString() } as const
    const actor = { kind: 'user', userId: user.id, role: 'doctor' } as const
    await bus.execute(invitationDecider, invitationId, accept, { practiceId: practice.id, actor, ...cause })
    expect((await visitor.get('/api/user')).body).toMatchObject({ practiceId: null })
    for (const _ of [1, 2]) await completeInvitation.run(app.services, { invitationId, cause }, job)
    expect((await visitor.get('/api/user')).body).toMatchObject({ practiceId: practice.id, role: 'doctor' })
    const providers = (await client.get('/api/providers')).body as { userId: string | null }[]
    expect(providers.filter(({ userId }) => userId === user.id)).toHaveLength(1)
  })

  it('of a suspension ends the sessions, but not those after a reinstatement', async () => {
    const { client, practice } = await newOwner(app)
    const { user, registration } = await newMember(app, practice.id, 'nurse')
    const data = { practiceId: practice.id, userId: user.id, cause }
    const count = async () =>
      (await app.services.pool.query('select from app.sessions where user_id = $1', [user.id])).rowCount
    await client.patch(`/api/team/${user.id}`, { suspended: true })
    await app.services.pool.query(
      "insert into app.sessions (key_hash, session_id, user_id) values ('left over', gen_random_uuid(), $1)",
      [user.id],
    )
    await endSessions.run(app.services, data, job)
    expect(await count()).toBe(0)
    await client.patch(`/api/team/${user.id}`, { suspended: false })
    await app.newClient().post('/api/login', { email: registration.email, password })
    await endSessions.run(app.services, data, job)
    expect(await count()).toBe(1)
  })

  it('of an invitation is accepted by its holder, who signs in to the account that was registered', async () => {
    const { practice } = await newOwner(app)
    const { email, ...person } = registrationForm()
    const path = `/api/invitations/${await inviteTo(practice.id, email, 'nurse')}`
    // As if the process had ended after the registration.
    const client = app.newClient()
    expect((await client.post('/api/register', { email, ...person })).status).toBe(201)
    expect((await app.newClient().get(path)).body).toMatchObject({ account: 'without-practice' })
    expect(await client.post(`${path}/accept`, {})).toMatchObject({ status: 201, body: { practiceId: practice.id } })
  })
})
