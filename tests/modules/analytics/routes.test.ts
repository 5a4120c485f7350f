import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Analytics, AnalyticsBreakdowns, AnalyticsRecord } from '#contracts/analytics.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { FigureKey } from '#contracts/values/analytics.ts'
import { addDays, getStartOfDay } from '#contracts/values/calendar.ts'
import { analytics } from '#modules/analytics/module.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { joinPractice } from '#tests/support/members.ts'
import { foldRows, readTableRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

type Desk = Awaited<ReturnType<typeof newSchedulingPractice>>

let app: TestApp
let desk: Desk
let today: string
/** The appointments that the tests count, as the list returns them. */
let appointments: readonly Appointment[]

const zone = 'Asia/Kathmandu'
const day = (offset: number) => addDays(today, offset)

async function read(path: string, who: Pick<Desk, 'client'> = desk) {
  const reply = await who.client.get(`/api/analytics${path}`)
  expect([path, reply.status]).toEqual([path, 200])
  return reply
}

const readFigures = async (query: string, who?: Pick<Desk, 'client'>) =>
  (await read(`?${query}`, who)).body as Analytics

async function setStatuses(id: string, statuses: readonly string[]) {
  for (const status of statuses)
    // oxlint-disable-next-line no-await-in-loop -- one status after the other
    expect((await desk.client.patch(`/api/appointments/${id}`, { status })).status).toBe(200)
}

beforeAll(async () => {
  app = await startTestApp()
  desk = await newSchedulingPractice(app, { timezone: zone })
  await subscribe(desk.client, 'professional')
  await waitForUserSubscription(desk.client, 'trial')
  today = (await desk.client.get('/api/dashboard/stats')).body.today as string
  const bookings: readonly (readonly [offset: number, time: string, type: string, ...statuses: string[]])[] = [
    [-1, '00:00', 'consultation', 'confirmed', 'in-progress', 'completed'],
    [-1, '23:30', 'procedure', 'no-show'],
    [-2, '09:00', 'check-up', 'cancelled'],
    [-2, '10:00', 'check-up', 'confirmed', 'in-progress', 'completed'],
    [-9, '09:00', 'procedure', 'confirmed', 'in-progress', 'completed'],
    [-10, '09:00', 'follow-up', 'no-show'],
    [3, '09:00', 'consultation'],
  ]
  for (const [offset, time, type, ...statuses] of bookings) {
    // oxlint-disable-next-line no-await-in-loop -- the same provider
    const { id } = await desk.book(`${day(offset)}T${time}`, { type })
    // oxlint-disable-next-line no-await-in-loop
    await setStatuses(id, statuses)
  }
  appointments = await desk.listAppointments(getStartOfDay(day(-30), zone), getStartOfDay(day(30), zone))
  expect(appointments).toHaveLength(bookings.length)
})
afterAll(() => app.dispose())

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 1_000) / 10)

/** Counts the appointments of local dates one by one. */
function recount(from: string, to: string, isCounted: (appointment: Appointment) => boolean = () => true) {
  const span = { from: getStartOfDay(from, zone), until: getStartOfDay(addDays(to, 1), zone) }
  const now = app.services.clock().toISOString()
  const within = appointments.filter(
    (one) => one.appointmentDate >= span.from && one.appointmentDate < span.until && isCounted(one),
  )
  const due = within.filter(({ appointmentDate }) => appointmentDate < now)
  const having = (status: string) => due.filter((one) => one.status === status).length
  return {
    due: due.length,
    rate: percent(having('completed'), due.length),
    missed: percent(having('no-show'), due.length),
  }
}

describe('the figures of a period', () => {
  it.each([
    [-1, 0],
    [-2, -2],
    [-7, 0],
    [-30, 30],
    [-10, -9],
  ])('are those of a slow recount, from %i to %i days from now', async (first, last) => {
    const { figures } = await readFigures(`from=${day(first)}&to=${day(last)}`)
    const counted = recount(day(first), day(last))
    const find = (key: FigureKey) => figures.find((figure) => figure.key === key)
    expect(find('appointment-rate')).toMatchObject({ value: counted.rate, count: counted.due })
    expect(find('no-show-rate')).toMatchObject({ value: counted.missed, count: counted.due })
    const before = recount(addDays(day(first), first - last - 1), addDays(day(first), -1))
    expect(find('appointment-rate')?.previous).toBe(before.rate)
  })

  it('have points that add up to the period', async () => {
    const { points, revenueCents, period } = await readFigures(`from=${day(-60)}&to=${day(30)}`)
    const sum = (pick: (point: Analytics['points'][number]) => number | null) =>
      points.reduce((all, point) => all + (pick(point) ?? 0), 0)
    expect(period.days).toBe(91)
    expect(points).toHaveLength(13)
    expect([sum((p) => p.scheduled), sum((p) => p.completed), sum((p) => p.cancelled)]).toEqual([7, 3, 1])
    expect(revenueCents).toBe(appointments.reduce((all, { fee }) => all + (fee?.cents ?? 0), 0))
    expect(sum((p) => p.revenueCents)).toBe(revenueCents)
  })

  it.each(FigureKey.options)('count as many records as they list: %s', async (key) => {
    const query = `from=${day(-30)}&to=${day(0)}`
    const { figures } = await readFigures(query)
    const reply = await read(`/${key}/records?${query}`)
    const records = reply.body as AnalyticsRecord[]
    expect(records).toHaveLength(figures.find((figure) => figure.key === key)?.count ?? -1)
    expect(reply.headers.get('x-total-count')).toBe(String(records.length))
    for (const { patientName } of records) expect(patientName).toBe('Grace Liu')
    expect(records.map(({ at }) => at)).toEqual(
      records
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  it('are limited to a type and a provider', async () => {
    const query = `from=${day(-30)}&to=${day(0)}`
    const { figures } = await readFigures(`${query}&type=procedure`)
    const counted = recount(day(-30), day(0), ({ type }) => type === 'procedure')
    expect(figures[1]).toMatchObject({ key: 'appointment-rate', value: counted.rate, count: counted.due })
    expect((await readFigures(`${query}&provider=${desk.provider.id}`)).figures[1]?.count).toBe(6)
    const other = await newSchedulingPractice(app)
    expect((await readFigures(`${query}&provider=${other.provider.id}`)).figures[1]?.count).toBe(0)
  })

  it('follow a correction of an earlier day', async () => {
    const query = `from=${day(-10)}&to=${day(-10)}`
    expect((await readFigures(query)).figures[1]?.value).toBe(0)
    const missed = appointments.find(({ type }) => type === 'follow-up')
    await setStatuses(missed?.id ?? '', ['scheduled', 'confirmed', 'in-progress', 'completed'])
    expect((await readFigures(query)).figures[1]?.value).toBe(100)
    await setStatuses(missed?.id ?? '', ['waiting', 'no-show'])
    expect((await readFigures(query)).figures[1]?.value).toBe(0)
  })

  it('are exported as they are shown', async () => {
    const query = `from=${day(-30)}&to=${day(0)}`
    const reply = await read(`/export?${query}`)
    const { figures } = await readFigures(query)
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="analytics-${day(-30)}-${day(0)}.csv"`)
    const lines = String(reply.body).trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').slice(0, 4))).toEqual(
      figures.map(({ label, value, previous, count }) => [label, `${value ?? ''}`, `${previous ?? ''}`, `${count}`]),
    )
  })

  it('divide the work', async () => {
    const { body } = await read(`/breakdowns?from=${day(-30)}&to=${day(30)}`)
    const all = body as AnalyticsBreakdowns
    const { types, providers, revenue, ages, noShows } = all
    expect(Object.fromEntries(types.map(({ key, count }) => [key, count]))).toEqual({
      consultation: 2,
      procedure: 2,
      'check-up': 1,
      'follow-up': 1,
    })
    expect(providers).toEqual([{ key: desk.provider.id, label: desk.provider.name, count: 6 }])
    expect(revenue?.reduce((all, { count }) => all + count, 0)).toBe(
      appointments.reduce((all, { fee }) => all + (fee?.cents ?? 0), 0),
    )
    expect(ages).toEqual([{ key: 'unknown', label: null, count: 1 }])
    expect(noShows.reduce((all, { count }) => all + count, 0)).toBe(2)
    // Booked after they were due, in this test.
    expect(all.leadTimes).toEqual([{ key: 'same-day', label: null, count: 2 }])
    expect(all.genders).toEqual([{ key: 'unknown', label: null, count: 1 }])
    expect(all.returning).toEqual([
      { key: 'returning', label: null, count: 5 },
      { key: 'new', label: null, count: 1 },
    ])
    expect(all.insurers).toEqual([expect.objectContaining({ count: 6 })])
    expect(all.busyHours.reduce((sum, { count }) => sum + count, 0)).toBe(6)
    const weekday = (offset: number) => String(new Date(`${day(offset)}T00:00:00Z`).getUTCDay() || 7)
    expect(noShows.map(({ key }) => key).toSorted()).toEqual([weekday(-1), weekday(-10)].toSorted())
  })
})

describe('who may see the figures', () => {
  it('sees no money without the permission, and no verifications', async () => {
    const query = `from=${day(-30)}&to=${day(0)}`
    const nurse = await joinPractice(app, desk.practice.id, 'nurse')
    const body = await readFigures(query, { client: nurse })
    expect(body).toMatchObject({ revenueCents: null, revenueBeforeCents: null })
    expect(body.points.every((point) => point.revenueCents === null && point.revenueBeforeCents === null)).toBe(true)
    expect(body.figures.map(({ key }) => key)).not.toContain('revenue-growth')
    expect((await read(`/breakdowns?${query}`, { client: nurse })).body).toMatchObject({
      revenue: null,
      insurers: null,
    })
    const paths = ['/export', '/revenue-growth/records', '/insurance-processing/records']
    const replies = await Promise.all(paths.map((path) => nurse.get(`/api/analytics${path}?${query}`)))
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403])
  })

  it('does not see another practice', async () => {
    const query = `from=${day(-30)}&to=${day(0)}`
    const other = await newSchedulingPractice(app)
    expect((await readFigures(query, other)).figures[1]).toMatchObject({ value: null, count: 0 })
    expect((await read(`/appointment-rate/records?${query}`, other)).body).toEqual([])
    expect(await other.client.get(`/api/analytics/breakdowns?${query}`)).toMatchObject({ status: 403 })
  })

  it.each([
    ['', 'from'],
    ['?from=2026-11-01', 'to'],
    ['?from=2026-11-02&to=2026-11-01', 'to'],
    ['?from=2026-02-30&to=2026-11-01', 'from'],
    ['?from=1990-01-01&to=2026-11-01', 'to'],
    ['?from=2026-11-01&to=2026-11-02&type=surgery', 'type'],
    ['?from=2026-11-01&to=2026-11-02&provider=7', 'provider'],
  ])('learns which field is wrong: %s', async (query, path) => {
    const { status, problem } = await desk.client.get(`/api/analytics${query}`)
    expect(status).toBe(422)
    expect(problem.errors.map((error) => error.path)).toContain(path)
  })
})

it('are rebuilt from the events alone', async () => {
  const head = await app.services.store.head()
  for (const projection of analytics.projections ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- a few tables
    if (head !== null) await app.services.waitUntilCaughtUp(Object.keys(projection.on), head)
    // oxlint-disable-next-line no-await-in-loop
    const [live, folded] = await Promise.all([
      readTableRows(app.services.pool, projection),
      foldRows(app.services.store, projection),
    ])
    expect([projection.name, live]).toEqual([projection.name, folded])
  }
})
