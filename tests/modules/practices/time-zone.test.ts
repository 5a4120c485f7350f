import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { toInstant } from '#contracts/values/calendar.ts'
import { listTimeZones } from '#contracts/values/time-zone.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const berlin = 'Europe/Berlin'

describe('the time zone of a practice', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.stopClock()
    // The evening in New York, when it is already the next day in Berlin.
    const evening = toInstant('2031-03-04', '20:00', 'America/New_York')
    app.advanceClock(Date.parse(evening) - app.services.clock().getTime())
  })
  afterAll(() => app.dispose())

  async function newPractice() {
    const owner = await newSchedulingPractice(app)
    const path = `/api/practices/${owner.practice.id}`
    const preview = (timezone: string) => owner.client.get(`${path}/time-zone-preview?timezone=${timezone}`)
    const change = async (timezone: string) => {
      const reply = await owner.client.patch(path, { timezone })
      if (reply.status !== 200) throw new Error(`time zone: ${reply.status}`)
    }
    return { ...owner, path, preview, change }
  }

  it('is previewed before it changes: the upcoming appointments with another local time', async () => {
    const { book, client, preview } = await newPractice()
    const morning = await book('2031-03-05T09:00')
    await book('2031-03-05T19:00')
    const [done, cancelled] = [await book('2031-03-06T09:00'), await book('2031-03-06T10:00')]
    await client.patch(`/api/appointments/${done.id}`, { status: 'completed' })
    await client.delete(`/api/appointments/${cancelled.id}`)
    await book('2031-03-04T09:00')
    expect((await preview(berlin)).body).toEqual({
      now: { before: { date: '2031-03-04', time: '20:00' }, after: { date: '2031-03-05', time: '02:00' } },
      appointments: 2,
      otherDate: 1,
      examples: [
        {
          id: morning.id,
          patient: { firstName: 'Grace', lastName: 'Liu' },
          before: { date: '2031-03-05', time: '09:00' },
          after: { date: '2031-03-05', time: '15:00' },
        },
        expect.objectContaining({ after: { date: '2031-03-06', time: '01:00' } }),
      ],
    })
    // The same clock by another name.
    expect((await preview('America/Detroit')).body).toMatchObject({ appointments: 0, otherDate: 0, examples: [] })
  })

  it('is previewed for the owner and administrators of the practice only', async () => {
    const { practice, path, preview } = await newPractice()
    const other = await newPractice()
    const query = `${path}/time-zone-preview?timezone=${berlin}`
    expect(await (await joinPractice(app, practice.id, 'administrator')).get(query)).toMatchObject({ status: 200 })
    expect(await (await joinPractice(app, practice.id, 'doctor')).get(query)).toMatchObject({ status: 403 })
    expect(await other.client.get(query)).toMatchObject({ status: 404 })
    expect(await preview('BST')).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'timezone', message: 'Please choose a known time zone' }] },
    })
  })

  it('moves every local date and time, and no instant', async () => {
    const { book, client, change, listAppointments } = await newPractice()
    const appointment = await book('2031-03-05T19:00')
    const read = async () => ({
      one: (await client.get(`/api/appointments/${appointment.id}`)).body as Appointment,
      list: (await listAppointments('2031-03-05T00:00:00Z', '2031-03-07T00:00:00Z'))[0],
      today: (await client.get('/api/appointments/today')).body as Appointment[],
      stats: (await client.get('/api/dashboard/stats')).body,
      trends: (await client.get('/api/dashboard/trends?period=7days')).body.points.at(-1),
      counted: (await client.get('/api/dashboard/appointments?from=2031-03-05&to=2031-03-06&by=start&counted=all'))
        .body[0],
      free: (await client.get('/api/appointments/free-slots?from=2031-03-10T08:00&limit=1')).body[0],
    })
    const before = await read()
    expect(before).toMatchObject({
      one: { localDate: '2031-03-05', localTime: '19:00' },
      today: [],
      stats: { today: '2031-03-04', todaysAppointments: 0 },
      trends: { to: '2031-03-04' },
      counted: { localDate: '2031-03-05', localTime: '19:00' },
    })
    await change(berlin)
    const moved = { localDate: '2031-03-06', localTime: '01:00', appointmentDate: appointment.appointmentDate }
    const after = await read()
    expect(after).toMatchObject({
      one: moved,
      list: moved,
      today: [],
      stats: { today: '2031-03-05', todaysAppointments: 0 },
      trends: { to: '2031-03-05' },
      counted: { localDate: '2031-03-06', localTime: '01:00' },
      free: { localDate: before.free.localDate, localTime: before.free.localTime },
    })
    expect(Date.parse(before.free.start) - Date.parse(after.free.start)).toBe(5 * 3_600_000)
    await change('Asia/Tokyo')
    expect(await read()).toMatchObject({ one: { localDate: '2031-03-06', localTime: '09:00' }, today: [] })
  })

  it('leaves double bookings refused, also on days whose name differs in the other zone', async () => {
    const { book, tryBooking, change } = await newPractice()
    await book('2031-03-05T19:00')
    await change(berlin)
    expect(await tryBooking('2031-03-06T01:15')).toMatchObject({ status: 409, problem: { code: 'slot-taken' } })
    await book('2031-03-06T01:30')
    await change('America/New_York')
    expect(await tryBooking('2031-03-05T19:45')).toMatchObject({ status: 409, problem: { code: 'slot-taken' } })
  })

  it('repeats a series at the local time of the practice, after the change too', async () => {
    const { patientId, client, change } = await newPractice()
    await change(berlin)
    const series = await client.post('/api/appointments/series', {
      patientId,
      appointmentDate: '2031-03-26T09:00',
      type: 'check-up',
      recurrence: { every: 1, unit: 'week', count: 2 },
    })
    // Daylight saving begins on March 30 in Berlin, on March 9 in New York.
    expect(series.body.appointments.map(({ appointmentDate }: Appointment) => appointmentDate)).toEqual([
      '2031-03-26T08:00:00.000Z',
      '2031-04-02T07:00:00.000Z',
    ])
  })

  it('is known to the database by the same name', async () => {
    const { rows } = await app.services.pool.query<{ name: string }>('select name from pg_timezone_names')
    const known = new Set(rows.map(({ name }) => name))
    expect(listTimeZones().filter((zone) => !known.has(zone))).toEqual([])
  })

  it('determines the month whose revenue counts', async () => {
    const goTo = (local: string) => {
      const instant = toInstant('2031-03-31', local, 'America/New_York')
      app.advanceClock(Date.parse(instant) - app.services.clock().getTime())
    }
    goTo('17:40')
    const { book, client, change } = await newPractice()
    const { revenue: none } = (await client.get('/api/dashboard/stats')).body
    const { id } = await book('2031-03-31T16:00')
    await client.patch(`/api/appointments/${id}`, { status: 'completed' })
    goTo('18:20')
    const inMarch = (await client.get('/api/dashboard/stats')).body
    expect(inMarch).toMatchObject({ today: '2031-03-31' })
    expect(inMarch.revenue).not.toEqual(none)
    await change(berlin)
    expect((await client.get('/api/dashboard/stats')).body).toMatchObject({ today: '2031-04-01', revenue: none })
  })
})
