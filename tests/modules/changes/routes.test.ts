import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import { modules } from '#main/modules.ts'
import { createChangeFeed } from '#modules/changes/change-feed.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newOwner } from '#tests/support/practice.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice, newMember } from '#tests/support/members.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { impatient, moduleWithOtherHeartbeats, silent } from '#tests/support/other-heartbeats.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ modules: [...modules, moduleWithOtherHeartbeats] })
})
afterAll(() => app.dispose())

describe('live updates', () => {
  it('notify a colleague once the change can be fetched', async () => {
    const fixture = await newSchedulingPractice(app)
    const colleague = await joinPractice(app, fixture.practice.id, 'nurse')
    const stream = await openEventStream(colleague, '/api/changes')
    expect(stream).toMatchObject({ status: 200 })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    const appointment = await fixture.book('2031-03-07T23:30')
    await stream.waitUntil(() => stream.messages('change').length > 0)
    expect(stream.messages('change')).toEqual([{ kind: 'appointments', dates: ['2031-03-07'] }])
    await fixture.client.patch(`/api/appointments/${appointment.id}`, { appointmentDate: '2031-03-10T09:00' })
    await stream.waitUntil(() => stream.messages('change').length > 1)
    expect(stream.messages('change')[1]).toEqual({ kind: 'appointments', dates: ['2031-03-07', '2031-03-10'] })
    await fixture.client.patch(`/api/patients/${fixture.patientId}`, { notes: 'x' })
    await stream.waitUntil(() => stream.messages('change').length > 2)
    expect(stream.messages('change')[2]).toEqual({ kind: 'patients' })
    stream.close()
  })

  it('cover the settings: the practice, its appointment types and its calendar addresses', async () => {
    const { client, practice } = await newSchedulingPractice(app)
    const [provider] = (await client.get('/api/providers')).body as { id: string }[]
    const stream = await openEventStream(client, '/api/changes')
    const told = async (change: Promise<unknown>) => {
      const before = stream.messages('change').length
      await change
      await stream.waitUntil(() => stream.messages('change').length > before)
      expect(stream.messages('change')[before]).toEqual({ kind: 'practice' })
    }
    await told(client.patch(`/api/practices/${practice.id}`, { name: 'Harbour' }))
    await told(client.patch('/api/appointment-types', { types: { procedure: { fee: 500_00 } } }))
    await told(client.post('/api/calendar-feeds', { providerId: provider?.id, label: 'Phone' }))
    const [feed] = (await client.get('/api/calendar-feeds')).body as { id: string }[]
    await told(client.delete(`/api/calendar-feeds/${feed?.id}`))
    stream.close()
  })

  it('notify a colleague of a changed plan once their access has changed', async () => {
    const { client, practice } = await newOwner(app)
    const colleague = await joinPractice(app, practice.id, 'nurse')
    const stream = await openEventStream(colleague, '/api/changes')
    await subscribe(client, 'starter')
    await waitForUserSubscription(colleague, 'trial')
    let seen = stream.messages('change').length
    await client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_enterprise' })
    // A hint of the first plan may still be on its way; the one of the second plan comes last, once access has changed.
    const tierAtNextHint = async () => {
      await stream.waitUntil(() => stream.messages('change').length > seen)
      seen = stream.messages('change').length
      expect(stream.messages('change').at(-1)).toEqual({ kind: 'subscription' })
      return (await colleague.get('/api/user')).body.subscriptionTier as string
    }
    await expect.poll(tierAtNextHint).toBe('enterprise')
    stream.close()
  })

  it('contain nothing of another practice', async () => {
    const [one, other] = [await newSchedulingPractice(app), await newSchedulingPractice(app)]
    const [ours, theirs] = [
      await openEventStream(one.client, '/api/changes'),
      await openEventStream(other.client, '/api/changes'),
    ]
    await one.book('2031-03-07T09:00')
    await ours.waitUntil(() => ours.messages('change').length > 0)
    await other.client.post('/api/patients', { firstName: 'Own', lastName: 'Patient' })
    await theirs.waitUntil(() => theirs.messages('change').length > 0)
    expect(theirs.messages('change')).toEqual([{ kind: 'patients' }])
    expect(ours.messages('change')).toEqual([{ kind: 'appointments', dates: ['2031-03-07'] }])
    ours.close()
    theirs.close()
  })

  it('end with the session and do not extend it', async () => {
    const { client, user } = await newOwner(app)
    const stream = await openEventStream(client, impatient.path)
    await app.services.sessions.revokeAll(user.id)
    await stream.waitUntil(() => false)
    expect(stream.isEnded()).toBe(true)

    const idle = await newOwner(app)
    const forgotten = await openEventStream(idle.client, impatient.path)
    await app.services.pool.query(
      "update app.sessions set last_seen_at = last_seen_at - interval '61 minutes' where user_id = $1",
      [idle.user.id],
    )
    await forgotten.waitUntil(() => false)
    expect(forgotten.isEnded()).toBe(true)
  })

  it('end within a second when their user has left the practice, and deliver nothing in between', async () => {
    const { client, practice } = await newOwner(app)
    const gone = await newMember(app, practice.id, 'nurse')
    const promoted = await newMember(app, practice.id, 'nurse')
    const [own, last, kept] = [
      await openEventStream(client, silent.path),
      await openEventStream(gone.client, silent.path),
      await openEventStream(promoted.client, silent.path),
    ]
    const setPlace = (userId: string, practiceId: string | null, role: Role) =>
      app.services.pool.query('update read.users set practice_id = $2, role = $3 where user_id = $1', [
        userId,
        practiceId,
        role,
      ])
    await setPlace(gone.user.id, null, 'nurse')
    await setPlace(promoted.user.id, practice.id, 'administrator')
    await client.post('/api/patients', { firstName: 'Own', lastName: 'Patient' })
    await last.waitUntil(() => false)
    expect(last.isEnded()).toBe(true)
    expect(last.messages('change')).toEqual([])
    for (const stream of [own, kept]) {
      await stream.waitUntil(() => stream.messages('change').length > 0)
      expect(stream.messages('change')).toEqual([{ kind: 'patients' }])
      stream.close()
    }
  })

  it('end without any change in the practice, too', async () => {
    const { practice } = await newOwner(app)
    const gone = await newMember(app, practice.id, 'nurse')
    const stream = await openEventStream(gone.client, silent.path)
    await app.services.pool.query('update read.users set practice_id = null where user_id = $1', [gone.user.id])
    await stream.waitUntil(() => false)
    expect(stream.isEnded()).toBe(true)
  })

  it('are limited to eight per user; a closed one makes room', async () => {
    const { client } = await newOwner(app)
    const streams = await Promise.all(Array.from({ length: 8 }, () => openEventStream(client, '/api/changes')))
    expect(await client.get('/api/changes')).toMatchObject({ status: 429, problem: { code: 'too-many-streams' } })
    streams[0]?.close()
    for (;;) {
      const next = await openEventStream(client, '/api/changes')
      next.close()
      if (next.status === 200) break
    }
    for (const stream of streams) stream.close()
  })
})

describe('live updates that resume', () => {
  const addPatient = (client: Client) => client.post('/api/patients', { firstName: 'Own', lastName: 'Patient' })
  const getPoint = async (client: Client) =>
    (await client.get('/api/user')).headers.get('Live-Updates-From') ?? expect.fail('no point')
  const resume = (client: Client, since = '') =>
    openEventStream(client, `/api/changes?since=${encodeURIComponent(since)}`)

  it('begin with the hints of what has changed since the current user was fetched, and with nothing else', async () => {
    const { client, book, patientId } = await newSchedulingPractice(app)
    const other = await newOwner(app)
    await client.patch(`/api/patients/${patientId}`, { notes: 'before' })
    const since = await getPoint(client)
    const unchanged = await resume(client, since)
    expect(unchanged.messages('open')).toEqual([{ isResumed: true }])
    expect(unchanged.messages('change')).toEqual([])
    await book('2031-03-07T23:30')
    await addPatient(other.client)
    const changed = await resume(client, since)
    expect(changed.messages('open')).toEqual([{ isResumed: true }])
    expect(changed.messages('change')).toEqual([{ kind: 'appointments', dates: ['2031-03-07'] }])
    for (const stream of [unchanged, changed]) stream.close()
  })

  it('continue after the last message of a connection that broke', async () => {
    const { client } = await newOwner(app)
    const first = await openEventStream(client, '/api/changes')
    expect(first.messages('open')).toEqual([{ isResumed: false }])
    await addPatient(client)
    // The first provider of the practice may be announced before.
    const isPatients = (hint: unknown) => (hint as { kind: string }).kind === 'patients'
    await first.waitUntil(() => first.messages('change').some(isPatients))
    const last = first.lastId()
    first.close()
    const second = await resume(client, last)
    expect(second.messages('open')).toEqual([{ isResumed: true }])
    expect(second.messages('change')).toEqual([])
    await addPatient(client)
    await second.waitUntil(() => second.messages('change').length > 0)
    expect(second.messages('change')).toEqual([{ kind: 'patients' }])
    second.close()
  })

  it('leave out what was announced to another user alone', async () => {
    const { client, practice } = await newOwner(app)
    const colleague = await joinPractice(app, practice.id, 'nurse')
    const [ours, theirs] = [await getPoint(client), await getPoint(colleague)]
    await colleague.patch('/api/notifications/preferences', { choices: { formSubmissions: false } })
    const [own, other] = [await resume(client, ours), await resume(colleague, theirs)]
    expect([own, other].map((stream) => stream.messages('open'))).toEqual([
      [{ isResumed: true }],
      [{ isResumed: true }],
    ])
    expect(own.messages('change')).toEqual([])
    expect(other.messages('change')).toEqual([{ kind: 'notifications' }])
    for (const stream of [own, other]) stream.close()
  })

  it.each([
    ['of another practice', async () => getPoint((await newOwner(app)).client)],
    ['that is none', async () => 'not-a-point'],
    ['that is too long', async () => 'A'.repeat(5_000)],
  ])('do not resume from a point %s', async (_, findPoint) => {
    const { client } = await newOwner(app)
    const stream = await resume(client, await findPoint())
    expect(stream.messages('open')).toEqual([{ isResumed: false }])
    // The first provider of the practice may be announced after that.
    const isProviders = (hint: unknown) => (hint as { kind: string }).kind === 'providers'
    expect(stream.messages('change').filter((hint) => !isProviders(hint))).toEqual([])
    stream.close()
  })

  it('do not resume when too much has happened, in whichever practice', async () => {
    const { client } = await newOwner(app)
    const since = await getPoint(client)
    const other = await newOwner(app)
    const { id } = (await addPatient(other.client)).body
    const practiceId = PracticeId.parse(other.practice.id)
    const cause = { correlationId: randomUUID(), causationId: randomUUID() }
    const commands = Array.from({ length: 500 }, (_, number) => {
      const command = { type: 'Change', practiceId, change: { notes: `note ${number}` }, today: '2027-01-01' } as const
      return { command, at: '2027-01-01T09:00:00.000Z' }
    })
    await app.services.bus.executeAll(patientDecider, id, commands, processContext('test', practiceId, cause))
    const stream = await resume(client, since)
    expect(stream.messages('open')).toEqual([{ isResumed: false }])
    stream.close()
  })

  it('show no other practice that something happened: each point is another text', async () => {
    const { client } = await newOwner(app)
    const [first, second] = [await getPoint(client), await getPoint(client)]
    expect(first).not.toBe(second)
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toMatch(/\d{3}/)
  })
})

describe('the change feed', () => {
  type Feed = ReturnType<typeof createChangeFeed>
  type Stream = Parameters<Feed['subscribe']>[0]

  /** Creates a stream that collects its hints. */
  async function collectHints() {
    const { user, practice, client } = await newOwner(app)
    const sent: { kind: string }[] = []
    const caller = { userId: user.id, practiceId: practice.id, role: 'doctor', isOwner: true }
    const stream = { caller, send: (hint: { kind: string }) => void sent.push(hint), verify: () => undefined }
    return { client, sent, stream: stream as unknown as Stream }
  }

  itLong('repeats a hint until a query returns the change', async () => {
    const { client, sent, stream } = await collectHints()
    let isCaughtUp = true
    const waitUntilCaughtUp = async () => isCaughtUp
    const { end: stop } = await createChangeFeed({ ...app.services, waitUntilCaughtUp }).subscribe(stream, {
      query: {},
    })
    isCaughtUp = false
    await client.post('/api/patients', { firstName: 'Ada', lastName: 'Byron' })
    const countHints = () => sent.filter(({ kind }) => kind === 'patients').length
    await waitUntil(() => countHints() > 2)
    isCaughtUp = true
    const before = countHints()
    await expect.poll(countHints).toBeGreaterThan(before)
    stop()
  })

  it('begins once queries return everything before its first hint', async () => {
    const { client, stream } = await collectHints()
    const caughtUp = Promise.withResolvers<boolean>()
    const waitedFor: string[] = []
    const waitUntilCaughtUp = (types: readonly string[]) => {
      waitedFor.push(...types)
      return caughtUp.promise
    }
    await client.post('/api/patients', { firstName: 'Ada', lastName: 'Byron' })
    let hasBegun = false
    const subscribed = createChangeFeed({ ...app.services, waitUntilCaughtUp })
      .subscribe(stream, { query: {} })
      .then(({ end }) => ((hasBegun = true), end))
    await waitUntil(() => waitedFor.length > 0)
    expect(hasBegun).toBe(false)
    expect(waitedFor).toContain('PatientRegistered')
    caughtUp.resolve(true)
    ;(await subscribed)()
  })
})
