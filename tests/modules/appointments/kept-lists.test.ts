import { Client as Connection } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

const date = '2031-03-05'
const [from, until] = [Date.parse(`${date}T05:00:00Z`), Date.parse(`${date}T05:00:00Z`) + 86_400_000]

let app: TestApp
let fixture: Awaited<ReturnType<typeof newSchedulingPractice>>
let doctor: Client
let nurse: Client
const appointments: Appointment[] = []
let statements = 0
let shortenedBy = 1
const { query } = Connection.prototype

/** Lists the day until `shortenedBy` milliseconds before its end. */
const list = async (client: Client, shortened = 1): Promise<Appointment[]> => {
  const range = [from, until - shortened].map((instant) => new Date(instant).toISOString())
  const reply = await client.get(`/api/appointments?startDate=${range[0]}&endDate=${range[1]}`)
  expect(reply.status).toBe(200)
  return reply.body
}

/** Lists the day in words that were not used before, for which nothing is kept. */
const listAfresh = (client: Client) => list(client, ++shortenedBy)

const patch = async (path: string, body: object) => expect((await fixture.client.patch(path, body)).status).toBe(200)

beforeAll(async () => {
  app = await startTestApp()
  app.advanceClock(Date.parse('2031-03-04T15:00:00.000Z') - Date.now())
  fixture = await newSchedulingPractice(app)
  await subscribe(fixture.client, 'professional')
  await waitForUserSubscription(fixture.client, 'trial')
  doctor = await joinPractice(app, fixture.practice.id, 'doctor')
  nurse = await joinPractice(app, fixture.practice.id, 'nurse')
  for (const time of ['09:00', '10:00', '11:00'])
    appointments.push(await fixture.book(`${date}T${time}`, { reason: 'Headache' }))
  Connection.prototype.query = function (this: Connection, ...args: unknown[]) {
    statements++
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
})
afterAll(async () => {
  Connection.prototype.query = query
  await app.dispose()
})

const pathOf = (index: number) => `/api/appointments/${appointments[index]?.id}`

const changes: readonly [name: string, change: () => Promise<void>, shown: object][] = [
  [
    'a booking',
    async () => {
      const body = { patientId: fixture.patientId, appointmentDate: `${date}T12:00`, confirmed: BookingConcern.options }
      expect((await fixture.client.post('/api/appointments', { ...body, type: 'check-up' })).status).toBe(201)
    },
    [{}, {}, {}, { localTime: '12:00', type: 'check-up', reason: null }],
  ],
  [
    'a reason',
    () => patch(pathOf(0), { reason: 'Xylograph' }),
    [{ reason: 'Xylograph' }, { reason: 'Headache' }, { reason: 'Headache' }, {}],
  ],
  [
    'a move within the day',
    () => patch(pathOf(1), { appointmentDate: `${date}T15:00` }),
    [{ localTime: '09:00' }, { localTime: '11:00' }, { localTime: '12:00' }, { localTime: '15:00' }],
  ],
  [
    'a completion with its fee',
    () => patch(pathOf(0), { status: 'completed' }),
    [{ status: 'completed', fee: { currency: 'USD' } }, {}, {}, {}],
  ],
  [
    'the name of a patient',
    () => patch(`/api/patients/${fixture.patientId}`, { lastName: 'Hopper' }),
    [1, 2, 3, 4].map(() => ({ patient: { lastName: 'Hopper' } })),
  ],
  [
    'what a missed appointment of another day says about these',
    async () => {
      const missed = await fixture.book('2030-11-05T10:00')
      await patch(`/api/appointments/${missed.id}`, { status: 'no-show' })
    },
    [{ aiInsights: null }, { aiInsights: [{}] }, { aiInsights: [{}] }, { aiInsights: [{}] }],
  ],
  [
    'a confirmation',
    () => patch(pathOf(2), { status: 'confirmed' }),
    [{}, { status: 'confirmed', aiInsights: null }, { aiInsights: [{}] }, { aiInsights: [{}] }],
  ],
  [
    'a move to another day',
    () => patch(pathOf(1), { appointmentDate: '2031-03-06T15:00' }),
    [{}, {}, { localTime: '12:00' }],
  ],
  [
    'a deletion',
    async () => expect((await fixture.client.delete(pathOf(2))).status).toBe(204),
    [{ localTime: '09:00' }, { localTime: '12:00' }],
  ],
]

it.each(changes)('a list that was read before shows %s at once', async (_, change, shown) => {
  await list(fixture.client)
  await list(nurse)
  await change()
  const after = await list(fixture.client)
  expect(after).toMatchObject(shown)
  expect(after).toEqual(await listAfresh(fixture.client))
  expect(await list(nurse)).toEqual(await listAfresh(nurse))
})

it('shows fees and insights only to members who may see them, also after a member who may', async () => {
  await patch(`/api/patients/${fixture.patientId}`, { lastName: 'Liu' })
  const owned = await list(fixture.client)
  expect(owned.map(({ fee, aiInsights }) => [fee !== null, aiInsights !== null])).toEqual([
    [true, false],
    [false, true],
  ])
  const withoutFees = owned.map((appointment) => ({ ...appointment, fee: null }))
  expect(await list(doctor)).toEqual(withoutFees)
  expect(await list(nurse)).toEqual(withoutFees.map((appointment) => ({ ...appointment, aiInsights: null })))
})

it('asks only what has changed of an unchanged list', async () => {
  await list(fixture.client)
  async function countStatements(): Promise<number> {
    statements = 0
    await list(fixture.client)
    return statements
  }
  // Until one without statements of the background.
  await expect.poll(countStatements, { interval: 10 }).toBe(2)
})

it('shows nothing of a patient whose key was destroyed since', async () => {
  expect((await list(fixture.client)).map(({ reason }) => reason)).toEqual(['Xylograph', null])
  await app.services.keyStore.destroy(fixture.patientId)
  expect((await list(fixture.client)).map(({ reason }) => reason)).toEqual([null, null])
})
