import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvitationId } from '#contracts/values/ids.ts'
import { invitationDecider } from '#modules/team/decider.ts'
import { completeInvitation } from '#modules/team/jobs.ts'
import { newSubscriber, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { inviteTo, newMember } from '#tests/support/members.ts'
import { newOwner, newUser, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { itLong } from '#tests/support/long.ts'

const weekMs = 7 * 24 * 3_600_000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const add = (client: Client, name = 'Amara Chen') => client.post('/api/providers', { name })
const invite = (client: Client) =>
  client.post('/api/team/invitations', { email: registrationForm().email, role: 'doctor', isProvider: true })
const getSeats = async (client: Client) => (await client.get('/api/providers/seats')).body
const full = {
  status: 402,
  problem: {
    code: 'plan-limit',
    limit: 3,
    tier: 'professional',
    message: 'The demo holds 3 providers. Upgrade to Professional to add more.',
  },
}
const fullWithInvitations =
  'The demo holds 3 providers, and open invitations count. Upgrade to Professional to add more.'
async function addUpTo(client: Client, count: number) {
  // The owner is the first one.
  for (let n = 2; n <= count; n++) expect((await add(client, `Dr. ${n}`)).status).toBe(201)
}

describe('a demo practice', () => {
  it('has the seats of Starter, and learns which plan has more', async () => {
    const { client } = await newOwner(app)
    await addUpTo(client, 3)
    expect(await getSeats(client)).toEqual({ active: 3, invited: 0, max: 3 })
    expect(await add(client)).toMatchObject(full)
    expect((await client.get('/api/providers')).body).toHaveLength(3)
    // A person who sees no patients takes no seat.
    const staff = { email: registrationForm().email, role: 'doctor' }
    expect((await client.post('/api/team/invitations', staff)).status).toBe(201)
    expect(await invite(client)).toMatchObject({
      ...full,
      problem: { ...full.problem, errors: [{ path: 'isProvider', message: full.problem.message }] },
    })
  })

  it('gives its last seat once, however many ask at the same moment', async () => {
    const { client } = await newOwner(app)
    await addUpTo(client, 2)
    const answers = await Promise.all([add(client), invite(client), add(client), invite(client)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402, 402, 402])
    const { active, invited } = await getSeats(client)
    expect(active + invited).toBe(3)
  })

  itLong('keeps a seat for the owner, also when invitations come before them', async () => {
    const own = await startTestApp({ disabledProcessManagers: ['owners-see-patients'] })
    try {
      const { client } = await newOwner(own)
      const statuses = []
      for (let n = 1; n <= 3; n++) statuses.push((await invite(client)).status)
      expect(statuses).toEqual([201, 201, 402])
      expect(await getSeats(client)).toEqual({ active: 1, invited: 2, max: 3 })
    } finally {
      await own.dispose()
    }
  })

  it('returns the same to a repeated request, also for the last seat', async () => {
    const { client } = await newOwner(app)
    await addUpTo(client, 2)
    const key = { 'idempotency-key': randomUUID() }
    const send = () => client.request('POST', '/api/providers', { name: 'Amara Chen' }, key)
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body.id).toBe(first.body.id)
    const path = `/api/providers/${first.body.id}`
    // An active one is not reactivated, and takes no other seat.
    expect((await client.patch(path, { active: true, title: 'MD' })).status).toBe(200)
  })

  it('needs a seat to reactivate a provider', async () => {
    const { client } = await newOwner(app)
    await addUpTo(client, 3)
    const [, second, third] = (await client.get('/api/providers')).body as { id: string }[]
    expect((await client.patch(`/api/providers/${second?.id}`, { active: false })).status).toBe(200)
    expect(await getSeats(client)).toEqual({ active: 2, invited: 0, max: 3 })
    await addUpTo(client, 2)
    expect(await client.patch(`/api/providers/${second?.id}`, { active: true })).toMatchObject({
      ...full,
      problem: { ...full.problem, errors: [{ path: 'active' }] },
    })
    expect((await client.patch(`/api/providers/${third?.id}`, { active: false })).status).toBe(200)
    expect((await client.patch(`/api/providers/${second?.id}`, { active: true })).status).toBe(200)
  })
})

describe('an invitation of a provider', () => {
  it('takes a seat until it is revoked', async () => {
    const { client } = await newOwner(app)
    await addUpTo(client, 2)
    const { id } = (await invite(client)).body.invitation
    expect(await getSeats(client)).toEqual({ active: 2, invited: 1, max: 3 })
    expect((await add(client)).problem).toMatchObject({ code: 'plan-limit', message: fullWithInvitations })
    // With the seat that it has.
    expect((await client.post(`/api/team/invitations/${id}/resend`)).status).toBe(200)
    expect((await client.delete(`/api/team/invitations/${id}`)).status).toBe(204)
    expect((await add(client)).status).toBe(201)
  })

  it('keeps its seat when it is accepted', async () => {
    const { client, practice } = await newOwner(app)
    await addUpTo(client, 2)
    const { user } = await newMember(app, practice.id, 'doctor', { isProvider: true })
    const providers = (await client.get('/api/providers')).body as { userId: string | null; active: boolean }[]
    expect(providers.find(({ userId }) => userId === user.id)).toMatchObject({ active: true })
    expect(await getSeats(client)).toEqual({ active: 3, invited: 0, max: 3 })
    expect(await add(client)).toMatchObject(full)
  })

  itLong('keeps its seat while an interrupted acceptance is being completed', async () => {
    const own = await startTestApp({ disabledProcessManagers: ['follow-team'] })
    try {
      const { client, practice } = await newOwner(own)
      await addUpTo(client, 2)
      const person = await newUser(own)
      const token = await inviteTo(practice.id, person.registration.email, 'doctor', { isProvider: true })
      const invitationId = InvitationId.parse(token.split('.')[0])
      // As if the process had ended after the invitation was accepted.
      const cause = { correlationId: randomUUID(), causationId: randomUUID() }
      const { bus, clock } = own.services
      const userId = person.user.id
      const accept = { type: 'Accept', linkNumber: 1, userId, at: clock().toISOString() } as const
      const actor = { kind: 'user', userId, role: 'doctor' } as const
      await bus.execute(invitationDecider, invitationId, accept, { practiceId: practice.id, actor, ...cause })
      expect(await getSeats(client)).toEqual({ active: 2, invited: 1, max: 3 })
      expect((await add(client)).problem).toMatchObject({ code: 'plan-limit' })
      const job = { id: randomUUID(), signal: new AbortController().signal } as never
      await completeInvitation.run(own.services, { invitationId, cause }, job)
      expect(await getSeats(client)).toEqual({ active: 3, invited: 0, max: 3 })
    } finally {
      await own.dispose()
    }
  })

  itLong('gives its seat back when it expires, and needs one to be sent again', async () => {
    const own = await startTestApp()
    try {
      const { client, registration } = await newOwner(own)
      await addUpTo(client, 2)
      const { id } = (await invite(client)).body.invitation
      own.advanceClock(weekMs)
      const later = own.newClient()
      await later.post('/api/login', { email: registration.email, password: registration.password })
      expect(await getSeats(later)).toEqual({ active: 2, invited: 0, max: 3 })
      expect((await later.post(`/api/team/invitations/${id}/resend`)).status).toBe(200)
      expect(await getSeats(later)).toEqual({ active: 2, invited: 1, max: 3 })
      own.advanceClock(weekMs)
      const last = own.newClient()
      await last.post('/api/login', { email: registration.email, password: registration.password })
      expect((await add(last)).status).toBe(201)
      expect(await last.post(`/api/team/invitations/${id}/resend`)).toMatchObject(full)
    } finally {
      await own.dispose()
    }
  })
})

describe('a plan', () => {
  it('has ten seats as Professional; a smaller one is not sold to a practice that needs more', async () => {
    const { client } = await newSubscriber(app, 'professional')
    await addUpTo(client, 3)
    expect((await invite(client)).status).toBe(201)
    const toStarter = () => client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_starter' })
    expect((await toStarter()).problem).toMatchObject({
      status: 409,
      code: 'too-many-providers',
      message: 'This plan holds 3 providers, and 4 are active or invited. Deactivate 1 first.',
    })
    expect((await client.get('/api/subscription/status')).body).toMatchObject({ providers: 4, nextPlan: null })
    for (let n = 5; n <= 10; n++) expect((await add(client, `Dr. ${n}`)).status).toBe(201)
    expect((await add(client)).problem).toMatchObject({
      code: 'plan-limit',
      limit: 10,
      tier: 'enterprise',
      message:
        'Your Professional plan holds 10 providers, and open invitations count. Upgrade to Enterprise to add more.',
    })
    await client.post('/api/subscription/cancel')
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForUserSubscription(client, 'demo')
    expect((await client.post('/api/create-subscription', { planType: 'starter' })).problem).toMatchObject({
      status: 409,
      code: 'too-many-providers',
      tier: 'professional',
      message: 'Starter holds 3 providers, and 10 are active or invited. Choose Professional, or deactivate 7 first.',
    })
    expect((await client.post('/api/create-subscription', { planType: 'professional' })).status).toBe(200)
  })

  itLong('has any number of seats as Enterprise', async () => {
    const { client } = await newSubscriber(app, 'enterprise')
    await addUpTo(client, 12)
    expect(await getSeats(client)).toEqual({ active: 12, invited: 0, max: null })
  })
})
