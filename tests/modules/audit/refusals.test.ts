import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Recorded } from '#eventstore/event.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { joinPractice, newMember } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
let owner: Awaited<ReturnType<typeof newOwner>>

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
})
afterAll(() => app.dispose())

/** Returns the recorded refusals of a route. */
async function findRefusals(route: string, isWanted: (event: Recorded) => boolean = () => true): Promise<Recorded[]> {
  const found: Recorded[] = []
  for await (const { events } of readPages(app.services.store))
    found.push(...events.filter((event) => event.type === 'RequestRefused' && event.data['route'] === route))
  return found.filter(isWanted)
}
const bySomeone = ({ metadata }: Recorded) => metadata.actor.kind === 'user'

describe('refused requests', () => {
  it('records a missing permission with person, practice, route, code and a keyed hash of the address', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    expect((await nurse.client.post('/api/providers', { name: 'Someone' })).status).toBe(403)
    await expect.poll(() => findRefusals('/api/providers')).toHaveLength(1)
    const [refused] = await findRefusals('/api/providers')
    expect(refused).toMatchObject({
      metadata: {
        practiceId: owner.practice.id,
        actor: { kind: 'user', userId: nurse.user.id, role: 'nurse' },
        sample: false,
      },
      data: { method: 'POST', status: 403, code: 'forbidden', count: 1 },
    })
    // Equal to the hash in the events of the session, so that the two can be compared.
    expect(refused?.data['addressHash']).toBe(app.services.keyedHash('address', '127.0.0.1'))
    expect(JSON.stringify(refused?.data)).not.toMatch(/127\.0\.0\.1|Someone/)
  })

  it('records the pattern of a path, never its ids, for records of another practice', async () => {
    const stranger = await newOwner(app)
    const patient = (await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).body
    expect((await stranger.client.get(`/api/patients/${patient.id}`)).status).toBe(404)
    const route = '/api/patients/:patientId'
    await expect.poll(() => findRefusals(route)).toHaveLength(1)
    const [refused] = await findRefusals(route)
    expect(refused).toMatchObject({
      metadata: { practiceId: stranger.practice.id, actor: { userId: stranger.user.id } },
      data: { status: 404, code: 'not-found' },
    })
    expect(JSON.stringify([refused?.data, refused?.metadata])).not.toContain(patient.id)
  })

  itLong('records visitors without a session, and the lock after too many attempts', async () => {
    const visitor = app.newClient()
    expect((await visitor.get('/api/waitlist')).status).toBe(401)
    await expect.poll(() => findRefusals('/api/waitlist')).toHaveLength(1)
    expect((await findRefusals('/api/waitlist'))[0]).toMatchObject({
      metadata: { practiceId: null, actor: { kind: 'process', name: 'visitor' } },
      data: { status: 401, code: 'signed-out' },
    })
    const credentials = { email: `${randomUUID()}@example.test`, password: 'not the password' }
    const statuses: number[] = []
    while (statuses.at(-1) !== 429) statuses.push((await visitor.post('/api/login', credentials)).status)
    const isLock = ({ data }: Recorded) => data['status'] === 429
    await expect.poll(() => findRefusals('/api/login', isLock)).toHaveLength(1)
  })

  it('does not record successes, the question who is signed in, or addresses that do not exist', async () => {
    const visitor = app.newClient()
    expect((await visitor.get('/api/user')).status).toBe(401)
    expect((await visitor.get('/api/no-such-thing')).status).toBe(404)
    expect((await owner.client.get('/api/appointment-types')).status).toBe(200)
    // A refusal that is recorded after the others.
    expect((await visitor.get('/api/ai/insights')).status).toBe(401)
    await expect.poll(() => findRefusals('/api/ai/insights')).toHaveLength(1)
    for (const route of ['/api/user', '/api/no-such-thing', '/api/appointment-types'])
      expect(await findRefusals(route)).toEqual([])
  })

  itLong('records repetitions as one count when the application stops', async () => {
    const other = await startTestApp({ databaseUrl: app.databaseUrl })
    const staff = await joinPractice(app, owner.practice.id, 'staff')
    const client = other.newClient()
    client.setCookie(staff.cookie())
    const repeat = async () => expect((await client.patch(`/api/providers/${randomUUID()}`, {})).status).toBe(403)
    await repeat()
    const route = '/api/providers/:providerId'
    await expect.poll(() => findRefusals(route, bySomeone)).toHaveLength(1)
    for (let times = 0; times < 20; times++) await repeat()
    await other.stopInstance()
    const counts = (await findRefusals(route, bySomeone)).map(({ data }) => data['count'])
    expect(counts).toEqual([1, 20])
  })
})
