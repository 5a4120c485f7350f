import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment, FreeSlot } from '#contracts/appointments.ts'
import type { BookedClosure, WorkingHours } from '#contracts/working-hours.ts'
import { addDays, toInstant } from '#contracts/values/calendar.ts'
import { defaultWeek } from '#contracts/values/working-hours.ts'
import { countAppointmentsOnDays } from '#modules/appointments/public.ts'
import { uuid } from '#tests/modules/appointments/fixtures.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { newMember } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const zone = 'America/New_York'
/** A Friday. */
const friday = '2031-03-07'
const short = { opens: '08:00', closes: '12:00', breaks: [{ from: '10:00', until: '10:30' }] }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  app.stopClock()
  // A Monday morning, so that the days of the tests are ahead.
  app.advanceClock(Date.parse(toInstant('2031-03-03', '08:00', zone)) - app.services.clock().getTime())
})
afterAll(() => app.dispose())

async function newPractice() {
  const practice = await newSchedulingPractice(app)
  const { client, patientId } = practice
  const getHours = async () => (await client.get('/api/working-hours/week')).body as WorkingHours
  const setHours = async (hours: object, more: object = {}) =>
    await client.patch('/api/working-hours', { hours, ...more })
  async function addClosure(body: object): Promise<BookedClosure> {
    const reply = await client.post('/api/closures', body)
    if (reply.status !== 201) throw new Error(`closure: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as BookedClosure
  }
  const listClosures = async () => (await client.get('/api/closures')).body as BookedClosure[]
  /** Asks for a booking without having confirmed anything. */
  const ask = (appointmentDate: string, more: object = {}) =>
    client.post('/api/appointments', { patientId, appointmentDate, type: 'check-up', confirmed: [], ...more })
  async function listFree(from: string, more = ''): Promise<string[]> {
    const reply = await client.get(`/api/appointments/free-slots?from=${from}T00:00&days=1&limit=100${more}`)
    return (reply.body as FreeSlot[]).map(({ localTime }) => localTime)
  }
  return { ...practice, getHours, setHours, addClosure, listClosures, ask, listFree }
}

describe('the working hours', () => {
  it('are the defaults until they are set, and are set by weekday', async () => {
    const { getHours, setHours } = await newPractice()
    expect(await getHours()).toEqual({ hours: defaultWeek, revision: null })
    const changed = await setHours({ friday: short, saturday: null }, { revision: null })
    expect(changed.body).toEqual({ hours: { ...defaultWeek, friday: short }, revision: 0 })
    expect(await getHours()).toEqual(changed.body)
  })

  it('are read with the closures of a range', async () => {
    const { client, setHours, addClosure } = await newPractice()
    await setHours({ friday: null })
    const holiday = await addClosure({ name: 'Spring day', from: '2031-03-20', until: '2031-03-22' })
    await addClosure({ name: 'Later', from: '2031-04-01', until: '2031-04-01' })
    const { body } = await client.get('/api/working-hours?from=2031-03-22&until=2031-03-31')
    const { appointments: _, firstDate: __, ...stored } = holiday
    expect(body).toEqual({ hours: { ...defaultWeek, friday: null }, revision: 0, closures: [stored] })
    for (const range of ['from=2031-03-22&until=2031-03-21', 'from=2031-01-01&until=2031-03-31', 'from=x&until=y'])
      expect((await client.get(`/api/working-hours?${range}`)).status).toBe(422)
  })

  it('name the field of a mistake, and change nothing', async () => {
    const { getHours, setHours } = await newPractice()
    const wrong = await setHours({ friday: { ...short, breaks: [{ from: '11:30', until: '12:30' }] } })
    expect(wrong).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'hours.friday.breaks.0.until', message: 'Must be within the working hours' }] },
    })
    expect((await setHours({ friday: { ...short, closes: '07:00' } })).problem.errors).toEqual([
      { path: 'hours.friday.closes', message: 'Must be after the opening time' },
    ])
    expect((await setHours({ someday: null })).status).toBe(422)
    expect(await getHours()).toMatchObject({ revision: null })
  })

  it('report what another user changed, and change nothing', async () => {
    const { practice, getHours, setHours } = await newPractice()
    const colleague = await newMember(app, practice.id, 'administrator')
    const theirs = await colleague.client.patch('/api/working-hours', { hours: { friday: short }, revision: null })
    expect(theirs.status).toBe(200)
    const refused = await setHours({ monday: null }, { revision: null })
    expect(refused).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
    expect(refused.problem['changes']).toEqual([
      { field: 'friday', value: short, by: expect.any(String), at: expect.any(String) },
    ])
    expect((await setHours({ monday: null }, { revision: 0 })).status).toBe(200)
    expect((await getHours()).hours).toMatchObject({ friday: short, monday: null })
  })

  it('are the slots that are offered, and are asked about before booking', async () => {
    const { setHours, ask, listFree } = await newPractice()
    expect(await listFree(friday)).toHaveLength(13)
    expect((await ask(`${friday}T12:30`)).status).toBe(201)
    await setHours({ friday: short, wednesday: null })
    expect(await listFree(friday)).toEqual(['08:00', '08:30', '09:00', '09:30', '10:30', '11:00', '11:30'])
    expect(await listFree(friday, '&duration=60')).toEqual(['08:00', '08:30', '09:00', '10:30', '11:00'])
    expect(await listFree('2031-03-05')).toEqual([])
    const asked = await ask(`${friday}T10:00`)
    expect(asked).toMatchObject({
      status: 409,
      problem: {
        code: 'confirm-appointment',
        concerns: [{ concern: 'in-a-break', starts: [toInstant(friday, '10:00', zone)], reasons: ['10:00-10:30'] }],
      },
    })
    expect(asked.problem.message).toBe('This time is in a break: 10:00-10:30. Please confirm.')
    expect(await ask(`${friday}T15:00`)).toMatchObject({
      status: 409,
      problem: { concerns: [{ concern: 'outside-working-hours', reasons: ['08:00-12:00'] }] },
    })
    expect(await ask('2031-03-05T10:00')).toMatchObject({
      status: 409,
      problem: { concerns: [{ concern: 'not-a-working-day' }] },
    })
    expect((await ask(`${friday}T15:00`, { confirmed: ['outside-working-hours'] })).status).toBe(201)
    expect((await ask(`${friday}T08:00`)).status).toBe(201)
  })

  it('are asked about when an appointment is moved or becomes longer', async () => {
    const { client, setHours, book } = await newPractice()
    await setHours({ friday: short })
    const { id } = await book(`${friday}T09:30`)
    const change = (body: object) => client.patch(`/api/appointments/${id}`, { confirmed: [], ...body })
    const longer = await change({ duration: 45 })
    expect(longer).toMatchObject({ status: 409, problem: { concerns: [{ concern: 'in-a-break' }] } })
    expect((await change({ appointmentDate: `${friday}T13:00` })).problem).toMatchObject({
      concerns: [{ concern: 'outside-working-hours' }],
    })
    expect((await change({ duration: 45, confirmed: ['in-a-break'] })).status).toBe(200)
    expect((await change({ duration: 30 })).status).toBe(200)
  })

  it('are asked about for all dates of a series at once', async () => {
    const { client, patientId, setHours, addClosure } = await newPractice()
    await setHours({ friday: short })
    await addClosure({ name: 'Spring day', from: '2031-03-14', until: '2031-03-14' })
    const recurrence = { every: 1, unit: 'week', count: 3 }
    const series = { patientId, appointmentDate: `${friday}T11:45`, type: 'follow-up', recurrence }
    const book = (confirmed: string[]) => client.post('/api/appointments/series', { ...series, confirmed })
    const [first, second, third] = ['07', '14', '21'].map((day) => toInstant(`2031-03-${day}`, '11:45', zone))
    expect((await book([])).problem['concerns']).toEqual([
      { concern: 'holiday', starts: [second], reasons: ['Spring day'] },
      { concern: 'outside-working-hours', starts: [first, third], reasons: ['08:00-12:00', '08:00-12:00'] },
    ])
    const booked = await book(['holiday', 'outside-working-hours'])
    expect(booked.status).toBe(201)
    const [appointment] = booked.body.appointments as Appointment[]
    const path = `/api/appointments/series/${booked.body.seriesId}`
    const move = { appointmentId: appointment?.id, scope: 'all', appointmentDate: `${friday}T09:45` }
    expect(await client.patch(path, { ...move, confirmed: [] })).toMatchObject({
      status: 409,
      problem: { concerns: [{ concern: 'in-a-break', starts: { length: 2 } }] },
    })
  })

  it('follow the clock of the practice when its time zone is corrected', async () => {
    const { client, practice, setHours, ask, listFree, addClosure } = await newPractice()
    await setHours({ friday: short })
    await addClosure({ name: 'Spring day', from: '2031-03-14', until: '2031-03-14' })
    const instant = toInstant(friday, '09:00', 'Europe/Berlin')
    expect((await ask(instant)).problem).toMatchObject({ concerns: [{ concern: 'outside-working-hours' }] })
    expect((await client.patch(`/api/practices/${practice.id}`, { timezone: 'Europe/Berlin' })).status).toBe(200)
    expect((await ask(instant)).status).toBe(201)
    expect(await listFree(friday)).toEqual(['08:00', '08:30', '09:30', '10:30', '11:00', '11:30'])
    // Late on Thursday in New York, and Friday in Berlin.
    expect((await ask('2031-03-13T23:30:00.000Z')).problem).toMatchObject({ concerns: [{ concern: 'holiday' }] })
  })
})

describe('holidays and days off', () => {
  it('are listed with the appointments that are booked, until they are over', async () => {
    const { client, addClosure, listClosures, book, provider } = await newPractice()
    const other = (await client.post('/api/providers', { name: 'Grace Hopper' })).body.id as string
    await book(`${friday}T09:00`)
    await book(`${friday}T10:00`, { providerId: other })
    const gone = await book(`${friday}T11:00`)
    await client.delete(`/api/appointments/${gone.id}`)
    const [holiday, dayOff, free] = [
      await addClosure({ name: 'Spring day', from: '2031-03-06', until: '2031-03-08' }),
      await addClosure({ providerId: provider.id, from: friday, until: friday }),
      await addClosure({ providerId: other, name: 'Conference', from: '2031-03-10', until: '2031-03-10' }),
    ]
    expect(holiday).toMatchObject({ providerId: null, name: 'Spring day', appointments: 2, firstDate: friday })
    expect(dayOff).toMatchObject({ providerId: provider.id, name: null, appointments: 1, firstDate: friday })
    expect(free).toMatchObject({ name: 'Conference', appointments: 0, firstDate: null })
    await addClosure({ name: 'Today', from: '2031-03-02', until: '2031-03-03' })
    expect((await listClosures()).map(({ name }) => name)).toEqual(['Today', 'Spring day', null, 'Conference'])
    expect(await listClosures()).toContainEqual(holiday)
    // They are kept for the calendar of those days.
    await app.services.pool.query('update read.closures set first_date = $1, last_date = $1 where name = $2', [
      '2031-03-02',
      'Today',
    ])
    expect((await listClosures()).map(({ name }) => name)).toEqual(['Spring day', null, 'Conference'])
  })

  it('offer no slots, and are asked about with their name', async () => {
    const { client, addClosure, ask, listFree, provider } = await newPractice()
    const other = (await client.post('/api/providers', { name: 'Grace Hopper' })).body.id as string
    await addClosure({ name: 'Spring day', from: '2031-03-06', until: '2031-03-06' })
    await addClosure({ providerId: provider.id, name: 'Conference', from: friday, until: friday })
    expect(await listFree('2031-03-06')).toEqual([])
    expect(await listFree(friday)).toEqual([])
    expect(await listFree(friday, `&providerId=${other}`)).toHaveLength(13)
    const asked = await ask('2031-03-06T09:00')
    expect(asked.problem.message).toBe('The practice is closed that day: Spring day. Please confirm.')
    expect((await ask(`${friday}T09:00`)).problem).toMatchObject({
      concerns: [{ concern: 'provider-day-off', reasons: ['Conference'] }],
    })
    expect((await ask(`${friday}T09:00`, { providerId: other })).status).toBe(201)
    expect((await ask(`${friday}T09:00`, { confirmed: ['provider-day-off'] })).status).toBe(201)
    // A refusal because of another appointment suggests working days only.
    const taken = await ask(`${friday}T09:00`, { confirmed: ['provider-day-off'], type: 'procedure' })
    const suggested = taken.problem['freeSlots'] as FreeSlot[]
    expect(taken).toMatchObject({ status: 409, problem: { code: 'slot-taken' } })
    expect(suggested.map(({ localDate }) => localDate)).toEqual(['2031-03-10', '2031-03-10', '2031-03-10'])
  })

  it('offer no freed slot to the waitlist', async () => {
    const { client, addClosure, patientId, provider, setHours } = await newPractice()
    await client.post('/api/waitlist', { patientId, type: 'check-up' })
    const findCandidates = async (start: string) =>
      (await client.get(`/api/waitlist/candidates?providerId=${provider.id}&start=${start}`)).body as unknown[]
    expect(await findCandidates('2031-03-08T09:00')).toHaveLength(1)
    await addClosure({ name: 'Spring day', from: '2031-03-06', until: '2031-03-06' })
    await setHours({ friday: short })
    expect(await findCandidates('2031-03-06T09:00')).toEqual([])
    expect(await findCandidates('2031-03-08T09:00')).toEqual([])
    expect(await findCandidates(`${friday}T10:00`)).toEqual([])
    expect(await findCandidates(`${friday}T10:30`)).toHaveLength(1)
  })

  it('need dates in order, a name for a holiday, and a provider of the practice', async () => {
    const { client, listClosures } = await newPractice()
    const { provider: stranger } = await newSchedulingPractice(app)
    const day = { from: friday, until: friday }
    for (const [body, path] of [
      [{ ...day, name: 'Day', until: '2031-03-06' }, 'until'],
      [{ ...day, name: 'Day', until: '2032-03-08' }, 'until'],
      [{ ...day, name: ' ' }, 'name'],
      [{ ...day, name: 'Day', from: '2031-02-30' }, 'from'],
      [{ name: 'Day', from: '2024-03-07', until: '2024-03-07' }, 'until'],
    ] as const)
      expect((await client.post('/api/closures', body)).problem.errors).toMatchObject([{ path }])
    expect((await client.post('/api/closures', { ...day, providerId: stranger.id })).status).toBe(404)
    expect(await listClosures()).toEqual([])
  })

  it('can be changed and removed; the second of two users is shown what changed', async () => {
    const { client, addClosure, listClosures, listFree } = await newPractice()
    const { id, revision } = await addClosure({ name: 'Spring day', from: friday, until: friday })
    const path = `/api/closures/${id}`
    const body = { name: 'Founding day', from: '2031-03-10', until: '2031-03-11' }
    const changed = await client.patch(path, { ...body, revision })
    expect(changed.body).toMatchObject({ ...body, revision: revision + 1 })
    expect(await listFree(friday)).toHaveLength(13)
    expect(await listFree('2031-03-11')).toEqual([])
    const refused = await client.patch(path, { name: 'Day', from: friday, until: friday, revision })
    expect(refused).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
    expect((refused.problem['changes'] as { field: string }[]).map(({ field }) => field)).toEqual([
      'name',
      'from',
      'until',
    ])
    expect((await client.patch(path, { ...body, name: null })).problem.errors).toMatchObject([{ path: 'name' }])
    expect((await client.patch(path, { ...body, until: friday })).problem.errors).toMatchObject([{ path: 'until' }])
    expect((await client.delete(path)).status).toBe(204)
    expect(await listClosures()).toEqual([])
    expect(await listFree('2031-03-11')).toHaveLength(13)
    expect((await client.patch(path, body)).status).toBe(404)
  })

  it('count their appointments in one query, however many they are', async () => {
    const { practice, provider, book } = await newPractice()
    await book(`${friday}T09:00`)
    await book('2031-03-10T09:00')
    const days = Array.from({ length: 100 }, (_, n) => {
      const from = addDays(friday, n)
      return { id: uuid(9, n), providerId: n % 2 === 0 ? null : provider.id, from, until: from }
    })
    let queries = 0
    const counting = new Proxy(app.services.db, {
      get: (target, name) => {
        queries++
        return Reflect.get(target, name) as unknown
      },
    })
    const scope = { practiceId: practice.id, includeSamples: true }
    const counts = await countAppointmentsOnDays(counting, scope, zone, days, app.services.clock())
    expect([...counts].toSorted()).toEqual([
      [uuid(9, 0), { appointments: 1, firstDate: friday }],
      [uuid(9, 3), { appointments: 1, firstDate: '2031-03-10' }],
    ])
    expect(queries).toBe(1)
  })
})
