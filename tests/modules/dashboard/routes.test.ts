import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CountedAppointment, DashboardStats, TrendPoint } from '#contracts/dashboard.ts'
import { dashboard } from '#modules/dashboard/module.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { newUser } from '#tests/support/practice.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

type Desk = Awaited<ReturnType<typeof newSchedulingPractice>>

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** Moves the application's clock to an instant. */
const goTo = (instant: string) => app.advanceClock(Date.parse(instant) - app.services.clock().getTime())

const statsOf = async ({ client }: Pick<Desk, 'client'>) =>
  (await client.get('/api/dashboard/stats')).body as DashboardStats

async function trendsOf({ client }: Desk, period?: string) {
  const answer = await client.get(`/api/dashboard/trends${period ? `?period=${period}` : ''}`)
  expect(answer.status).toBe(200)
  return answer.body as { points: TrendPoint[]; before: Omit<TrendPoint, 'from' | 'to'> }
}

/** Signs in again, because sessions expire when the clock jumps. */
const signInAgain = ({ client, registration: { email, password } }: Desk) =>
  client.post('/api/login', { email, password })

const setStatus = (fixture: Desk, id: string, status: string) =>
  fixture.client.patch(`/api/appointments/${id}`, { status })

describe('the figures of a practice', () => {
  it('start at zero, with the local date', async () => {
    goTo('2031-03-12T20:00:00Z')
    const kathmandu = await newSchedulingPractice(app, { timezone: 'Asia/Kathmandu' })
    const newYork = await newSchedulingPractice(app, { timezone: 'America/New_York' })
    const nothing = {
      todaysAppointments: 0,
      totalPatients: 1,
      aiInsights: 0,
      revenue: 0,
      revenueCents: 0,
      compared: { yesterdaysAppointments: 0, newPatientsThisWeek: 1, lastMonthsRevenue: { cents: 0, currency: 'USD' } },
      histories: {
        appointments: [0, 0, 0, 0, 0, 0, 0],
        patients: [0, 0, 0, 0, 0, 0, 1],
        revenue: [0, 0, 0, 0, 0, 0, 0],
      },
    }
    expect(await statsOf(kathmandu)).toEqual({ today: '2031-03-13', ...nothing })
    expect(await statsOf(newYork)).toEqual({ today: '2031-03-12', ...nothing })
  })

  it.each(['Asia/Kathmandu', 'America/New_York'])('count days in the time zone %s', async (timezone) => {
    goTo('2031-03-12T20:00:00Z')
    const fixture = await newSchedulingPractice(app, { timezone })
    const { today } = await statsOf(fixture)
    const day = (offset: number) => new Date(Date.parse(today) + offset * 86_400_000).toISOString().slice(0, 10)
    await fixture.book(`${day(-1)}T23:30`)
    await fixture.book(`${day(0)}T00:00`)
    await fixture.book(`${day(0)}T23:30`)
    await fixture.book(`${day(1)}T00:00`)
    expect(await statsOf(fixture)).toMatchObject({
      todaysAppointments: 2,
      compared: { yesterdaysAppointments: 1 },
      histories: { appointments: [0, 0, 0, 0, 0, 1, 2] },
    })
    const { points } = await trendsOf(fixture)
    expect(points.map(({ from, to, scheduled }) => [from, to, scheduled]).slice(-2)).toEqual([
      [day(-1), day(-1), 1],
      [day(0), day(0), 2],
    ])
  })

  it('exclude cancelled appointments, follow moved ones, and withdraw reverted completions', async () => {
    goTo('2031-05-14T15:00:00Z')
    const fixture = await newSchedulingPractice(app)
    const cancelled = await fixture.book('2031-05-14T09:00')
    const unlisted = await fixture.book('2031-05-14T09:30')
    const moved = await fixture.book('2031-05-14T10:00')
    const done = await fixture.book('2031-05-14T10:30', { type: 'procedure' })
    await setStatus(fixture, cancelled.id, 'cancelled')
    await fixture.client.delete(`/api/appointments/${unlisted.id}`)
    await fixture.client.patch(`/api/appointments/${moved.id}`, { appointmentDate: '2031-05-15T10:00' })
    await setStatus(fixture, done.id, 'completed')
    expect(await statsOf(fixture)).toMatchObject({ todaysAppointments: 1, revenue: 450, revenueCents: 450_00 })
    expect((await trendsOf(fixture)).points.at(-1)).toMatchObject({ scheduled: 3, completed: 1, cancelled: 2 })
    await setStatus(fixture, done.id, 'waiting')
    expect(await statsOf(fixture)).toMatchObject({ todaysAppointments: 1, revenueCents: 0 })
    expect((await trendsOf(fixture)).points.at(-1)).toMatchObject({ scheduled: 3, completed: 0, cancelled: 2 })
  })

  it('restart the revenue every month, and compare it with the same days of the previous one', async () => {
    goTo('2031-07-01T03:30:00Z')
    const fixture = await newSchedulingPractice(app)
    const evening = await fixture.book('2031-06-30T23:00', { type: 'emergency' })
    await setStatus(fixture, evening.id, 'completed')
    expect(await statsOf(fixture)).toMatchObject({ today: '2031-06-30', revenueCents: 300_00 })
    app.advanceClock(3_600_000)
    await signInAgain(fixture)
    expect(await statsOf(fixture)).toMatchObject({
      today: '2031-07-01',
      revenueCents: 0,
      compared: { lastMonthsRevenue: { cents: 0 } },
      histories: { revenue: [0, 0, 0, 0, 0, 300_00, 0] },
    })
    const night = await fixture.book('2031-07-01T00:15')
    await setStatus(fixture, night.id, 'completed')
    expect(await statsOf(fixture)).toMatchObject({ revenueCents: 150_00 })
  })

  it('compare the 31st with all of a shorter month', async () => {
    goTo('2031-06-30T16:00:00Z')
    const fixture = await newSchedulingPractice(app)
    await setStatus(fixture, (await fixture.book('2031-06-30T09:00')).id, 'completed')
    goTo('2031-07-31T16:00:00Z')
    await signInAgain(fixture)
    expect(await statsOf(fixture)).toMatchObject({
      today: '2031-07-31',
      revenueCents: 0,
      compared: { lastMonthsRevenue: { cents: 150_00 } },
    })
  })

  it('exclude a removed patient, and keep the registration dates of the others', async () => {
    goTo('2031-09-10T16:00:00Z')
    const fixture = await newSchedulingPractice(app)
    goTo('2031-09-12T16:00:00Z')
    await signInAgain(fixture)
    const { body } = await fixture.client.post('/api/patients', { firstName: 'Tom', lastName: 'Becker' })
    const later = [0, 0, 0, 0, 1, 1, 2]
    expect(await statsOf(fixture)).toMatchObject({ totalPatients: 2, histories: { patients: later } })
    await fixture.client.delete(`/api/patients/${body.id}`)
    expect(await statsOf(fixture)).toMatchObject({ totalPatients: 1, compared: { newPatientsThisWeek: 1 } })
  })
})

describe('the trends of a practice', () => {
  it('have one point per day or week up to today, and the totals of the previous period', async () => {
    goTo('2031-10-15T16:00:00Z')
    const fixture = await newSchedulingPractice(app)
    for (const day of ['2031-10-15', '2031-10-09', '2031-10-08', '2031-10-02', '2031-09-15', '2031-07-16'])
      await fixture.book(`${day}T09:00`)
    const week = await trendsOf(fixture)
    expect(week.points).toHaveLength(7)
    expect(week.points[0]).toEqual({ from: '2031-10-09', to: '2031-10-09', scheduled: 1, completed: 0, cancelled: 0 })
    expect(week.before).toEqual({ scheduled: 2, completed: 0, cancelled: 0 })
    expect(await trendsOf(fixture, '7days')).toEqual(week)

    const month = await trendsOf(fixture, '30days')
    expect([month.points.length, month.points[0]?.from, month.points.at(-1)?.to]).toEqual([
      30,
      '2031-09-16',
      '2031-10-15',
    ])
    expect(month.before.scheduled).toBe(1)

    const quarter = await trendsOf(fixture, '3months')
    expect(quarter.points).toHaveLength(13)
    expect(quarter.points[0]).toMatchObject({ from: '2031-07-17', to: '2031-07-23', scheduled: 0 })
    expect(quarter.points.at(-1)).toMatchObject({ from: '2031-10-09', to: '2031-10-15', scheduled: 2 })
    expect(quarter.points.reduce((sum, { scheduled }) => sum + scheduled, 0)).toBe(5)
    expect(quarter.before.scheduled).toBe(1)
  })

  it('support three periods', async () => {
    const fixture = await newSchedulingPractice(app)
    expect((await fixture.client.get('/api/dashboard/trends?period=year')).status).toBe(422)
  })
})

describe('the appointments behind a figure', () => {
  it('are the counted ones', async () => {
    goTo('2031-12-10T16:00:00Z')
    const fixture = await newSchedulingPractice(app, { timezone: 'Asia/Kathmandu' })
    const { today } = await statsOf(fixture)
    const appointments = [
      await fixture.book(`${today}T09:00`),
      await fixture.book(`${today}T10:00`),
      await fixture.book(`${today}T23:30`),
    ]
    await setStatus(fixture, appointments[0]?.id ?? '', 'completed')
    await fixture.client.delete(`/api/appointments/${appointments[1]?.id}`)
    const behind = async (query: string) =>
      (await fixture.client.get(`/api/dashboard/appointments?from=${today}&to=${today}${query}`))
        .body as CountedAppointment[]
    const times = async (query: string) => (await behind(query)).map(({ localTime }) => localTime)
    expect(await times('')).toEqual(['23:30', '10:00', '09:00'])
    expect(await times('&counted=kept')).toEqual(['23:30', '09:00'])
    expect(await times('&counted=cancelled')).toEqual(['10:00'])
    expect(await behind('&by=completion')).toEqual([
      {
        id: appointments[0]?.id,
        patientId: fixture.patientId,
        patient: { firstName: 'Grace', lastName: 'Liu' },
        localDate: today,
        localTime: '09:00',
        type: 'consultation',
        state: 'completed',
        fee: { cents: 150_00, currency: 'USD' },
      },
    ])
    await fixture.client.delete(`/api/patients/${fixture.patientId}`)
    expect(await behind('&counted=completed')).toMatchObject([{ patient: null }])
    expect((await fixture.client.get('/api/dashboard/appointments?from=today&to=tomorrow')).status).toBe(422)
  })
})

it('requires a session, and shows nothing of another practice', async () => {
  goTo('2031-11-12T16:00:00Z')
  const fixture = await newSchedulingPractice(app)
  await setStatus(fixture, (await fixture.book('2031-11-12T09:00')).id, 'completed')
  const other = await newSchedulingPractice(app)
  expect(await statsOf(other)).toMatchObject({ todaysAppointments: 0, totalPatients: 1, revenueCents: 0 })
  expect((await trendsOf(other, '3months')).points.every(({ scheduled }) => scheduled === 0)).toBe(true)
  const { client } = await newUser(app)
  expect((await client.get('/api/dashboard/stats')).status).toBe(409)
})

it('is the same after a rebuild', async () => {
  const head = await app.services.store.head()
  for (const projection of dashboard.projections ?? []) {
    if (head !== null) await app.services.waitUntilCaughtUp(Object.keys(projection.on), head)
    const live = await readTableRows(app.services.pool, projection)
    expect(live.length).toBeGreaterThan(5)
    expect(live).toEqual(await foldRows(app.services.store, projection))
  }
})
