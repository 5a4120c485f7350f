import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** Future days of clock changes, with their first instant and that of the next day. */
const clockChanges = [
  ['America/New_York', '2031-03-09', '02:30', '2031-03-09T03:00', '2031-03-09T05:00Z', '2031-03-10T04:00Z'],
  ['America/New_York', '2031-11-02', null, null, '2031-11-02T04:00Z', '2031-11-03T05:00Z'],
  ['Europe/Berlin', '2031-03-30', '02:15', '2031-03-30T03:00', '2031-03-29T23:00Z', '2031-03-30T22:00Z'],
  ['Europe/Berlin', '2031-10-26', null, null, '2031-10-25T22:00Z', '2031-10-26T23:00Z'],
  ['Australia/Lord_Howe', '2031-10-05', '02:15', '2031-10-05T02:30', '2031-10-04T13:30Z', '2031-10-05T13:00Z'],
  ['Australia/Lord_Howe', '2031-04-06', null, null, '2031-04-05T13:00Z', '2031-04-06T13:30Z'],
  ['Asia/Kathmandu', '2031-03-09', null, null, '2031-03-08T18:15Z', '2031-03-09T18:15Z'],
] as const

it.each(clockChanges)('%s, %s: books and lists the whole day', async (timezone, date, skipped, next, from, until) => {
  const fixture = await newSchedulingPractice(app, { timezone })
  const times = ['00:00', '09:00', '23:30']
  for (const time of times)
    expect(await fixture.book(`${date}T${time}`)).toMatchObject({ localDate: date, localTime: time })
  const instants = { from: new Date(from).toISOString(), until: new Date(Date.parse(until) - 1).toISOString() }
  const listed = await fixture.listAppointments(instants.from, instants.until)
  expect(listed.map(({ localTime }) => localTime)).toEqual(times)
  expect(listed[0]?.appointmentDate).toBe(instants.from)
  expect(listed[2]?.endsAt).toBe(new Date(until).toISOString())
  if (skipped)
    expect(await fixture.tryBooking(`${date}T${skipped}`)).toMatchObject({
      status: 422,
      problem: { code: 'invalid-request', nextValid: next, errors: [{ path: 'appointmentDate' }] },
    })
})

it('distinguishes the two instants of a repeated local time, and appointments past midnight', async () => {
  const fixture = await newSchedulingPractice(app)
  await fixture.book('2031-11-02T01:30')
  expect((await fixture.tryBooking('2031-11-02T01:30')).status).toBe(409)
  expect(await fixture.book('2031-11-02T06:30:00Z')).toMatchObject({ localTime: '01:30' })
  await fixture.book('2031-11-03T23:30', { duration: 90 })
  expect((await fixture.tryBooking('2031-11-04T00:30')).status).toBe(409)
  await fixture.book('2031-11-04T01:00')
})

it('refuses overlaps after the practice moved to another time zone', async () => {
  const fixture = await newSchedulingPractice(app)
  const appointment = await fixture.book('2031-11-04T20:00')
  const { practiceDetails } = await import('#tests/support/practice.ts')
  await fixture.client.post('/api/practices/setup', { ...practiceDetails, timezone: 'Asia/Kathmandu' })
  expect((await fixture.client.get(`/api/appointments/${appointment.id}`)).body).toMatchObject({
    localDate: '2031-11-05',
  })
  expect(await fixture.tryBooking(appointment.appointmentDate)).toMatchObject({
    status: 409,
    problem: { code: 'slot-taken' },
  })
})

it('books the first and the last day that lists can show, in the time zone of the practice', async () => {
  const fixture = await newSchedulingPractice(app, { timezone: 'America/New_York' })
  expect(await fixture.book('2000-01-01T05:00:00Z')).toMatchObject({ localDate: '2000-01-01', localTime: '00:00' })
  expect(await fixture.book('2099-12-31T23:30:00-05:00')).toMatchObject({ localDate: '2099-12-31', localTime: '23:30' })
  for (const outside of ['2000-01-01T04:59:00Z', '2099-12-31T23:30:00-06:00'])
    expect(await fixture.tryBooking(outside)).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'appointmentDate', message: 'Please enter a year from 2000 to 2099' }] },
    })
})
