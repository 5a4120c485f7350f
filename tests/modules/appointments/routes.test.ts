import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'
import { cases } from '#tests/support/long.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof newSchedulingPractice>>
let day = 0
/** Returns a future working day of its own for each test. */
const newDay = () => {
  for (;;) {
    const date = new Date(Date.UTC(2031, 0, 6 + day++))
    if (date.getUTCDay() % 6 !== 0) return date.toISOString().slice(0, 10)
  }
}
const dayOf = (date: string) => [`${date}T05:00:00Z`, `${date}T23:59:59.999-05:00`] as const

beforeAll(async () => {
  app = await startTestApp()
  fixture = await newSchedulingPractice(app)
})
afterAll(() => app.dispose())

describe('the appointments of a patient', () => {
  it('are the coming ones, next first, and all others, newest first', async () => {
    const practice = await newSchedulingPractice(app)
    const { client, book, patientId } = practice
    const [later, next] = [await book('2031-03-05T09:00'), await book('2031-03-04T09:00')]
    const [old, older, cancelled] = [
      await book('2025-03-04T09:00'),
      await book('2024-03-04T09:00', { status: 'completed' }),
      await book('2031-03-03T09:00'),
    ]
    await client.delete(`/api/appointments/${cancelled.id}`)
    const other = (await client.post('/api/patients', { firstName: 'Ada', lastName: 'Other' })).body.id as string
    await book('2031-03-06T09:00', { patientId: other })
    const list = async (query: string) => {
      const reply = await client.get(`/api/patients/${patientId}/appointments?${query}`)
      const ids = (reply.body as { id: string }[]).map(({ id }) => id)
      return { ids, total: reply.headers.get('x-total-count') }
    }
    expect(await list('period=upcoming')).toEqual({ ids: [next.id, later.id], total: '2' })
    expect(await list('period=past')).toEqual({ ids: [cancelled.id, old.id, older.id], total: '3' })
    expect(await list('period=past&limit=2&offset=1')).toEqual({ ids: [old.id, older.id], total: '3' })
    expect(await list('period=upcoming&limit=1')).toEqual({ ids: [next.id], total: '2' })
    const stranger = await newSchedulingPractice(app)
    for (const id of [patientId, randomUUID()])
      expect((await stranger.client.get(`/api/patients/${id}/appointments?period=past`)).status).toBe(404)
    expect(await client.get(`/api/patients/${patientId}/appointments`)).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'period', message: 'Please choose upcoming or past' }] },
    })
  })
})

describe('a patient who has died', () => {
  it('is marked in every list of appointments, and no more once the record is corrected', async () => {
    const { client, patientId, book, listAppointments } = await newSchedulingPractice(app)
    const { id } = await book('2031-03-03T09:00')
    const readMarks = async () => {
      const listed = await listAppointments('2031-03-01T00:00:00Z', '2031-04-01T00:00:00Z')
      const ofPatient = (await client.get(`/api/patients/${patientId}/appointments?period=upcoming`)).body
      const one = (await client.get(`/api/appointments/${id}`)).body as Appointment
      return [...listed, ...(ofPatient as Appointment[]), one].map(({ patientDeceased }) => patientDeceased)
    }
    expect(await readMarks()).toEqual([false, false, false])
    await client.patch(`/api/patients/${patientId}`, { deceasedOn: '2026-01-05' })
    expect(await readMarks()).toEqual([true, true, true])
    expect((await book('2031-03-04T09:00')).patientDeceased).toBe(true)
    expect((await client.patch(`/api/appointments/${id}`, { reason: 'Call' })).body.patientDeceased).toBe(true)
    await client.patch(`/api/patients/${patientId}`, { deceasedOn: null })
    expect((await readMarks()).every((isMarked) => !isMarked)).toBe(true)
  })

  it('has all coming appointments cancelled by one request, whose repetition finds none', async () => {
    const { client, patientId, book, listAppointments } = await newSchedulingPractice(app)
    const [later, next] = [await book('2031-03-05T09:00'), await book('2031-03-04T09:00')]
    const kept = [await book('2025-03-04T09:00'), await book('2031-03-06T09:00', { status: 'completed' })]
    const other = (await client.post('/api/patients', { firstName: 'Ada', lastName: 'Other' })).body.id as string
    kept.push(await book('2031-03-07T09:00', { patientId: other }))
    const stranger = await newSchedulingPractice(app)
    expect((await stranger.client.post(`/api/patients/${patientId}/appointments/cancel`)).status).toBe(404)
    const cancel = async () => (await client.post(`/api/patients/${patientId}/appointments/cancel`)).body as unknown
    expect(await cancel()).toEqual({ cancelled: [next.id, later.id], notCancelled: [] })
    expect(await cancel()).toEqual({ cancelled: [], notCancelled: [] })
    const listed = await listAppointments('2025-03-01T00:00:00Z', '2025-04-01T00:00:00Z')
    listed.push(...(await listAppointments('2031-03-01T00:00:00Z', '2031-04-01T00:00:00Z')))
    expect(listed.map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
    // The time is free again.
    expect((await book('2031-03-04T09:00', { patientId: other })).overlap).toBe(false)
  })
})

describe('the removal of a patient', () => {
  it('cancels the coming appointments, and keeps those that took place and those of others', async () => {
    const { client, patientId, book, tryBooking, listAppointments } = await newSchedulingPractice(app)
    const past = await book('2021-03-03T09:00')
    const done = await book('2031-03-04T09:00', { status: 'completed' })
    const coming = await book('2031-03-03T09:00')
    const other = (await client.post('/api/patients', { firstName: 'Ada', lastName: 'Other' })).body.id as string
    const kept = await book('2031-03-03T10:00', { patientId: other })
    await client.post('/api/waitlist', { patientId, type: 'check-up' })
    await client.delete(`/api/patients/${patientId}`)
    const readStatus = async () => (await client.get(`/api/appointments/${coming.id}`)).body.status as string
    await waitUntil(readStatus, (status) => status === 'cancelled')
    expect((await tryBooking('2031-03-05T09:00')).status).toBe(404)
    expect((await client.get(`/api/appointments/${past.id}`)).body).toMatchObject(past)
    expect(await listAppointments('2031-03-01T00:00:00Z', '2031-04-01T00:00:00Z')).toMatchObject([kept, done])
    const listWaiting = async () => (await client.get('/api/waitlist')).body as unknown[]
    await waitUntil(listWaiting, (entries) => entries.length === 0)
  })
})

describe('booking', () => {
  it('stores an id in its one spelling, so that one data key encrypts all of a patient', async () => {
    const date = newDay()
    const patientId = fixture.patientId.toUpperCase()
    const booked = await fixture.tryBooking(`${date}T09:00`, { patientId, reason: 'Cough' })
    expect(booked).toMatchObject({ status: 201, body: { patientId: fixture.patientId, reason: 'Cough' } })
    const listed = await fixture.client.get(`/api/patients/${patientId}/appointments?period=upcoming`)
    expect([listed.status, listed.body.length > 0]).toEqual([200, true])
    const { rows } = await app.services.pool.query<{ subject: string }>(
      'select subject from app.data_keys where lower(subject) = $1',
      [fixture.patientId],
    )
    expect(rows).toEqual([{ subject: fixture.patientId }])
  })

  it('books half an hour with the owner by default, and returns the whole appointment', async () => {
    const date = newDay()
    const answer = await fixture.tryBooking(`${date}T09:00`, { reason: 'Cough', notes: ' ' })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        practiceId: fixture.practice.id,
        providerId: fixture.provider.id,
        patientId: fixture.patientId,
        patient: { firstName: 'Grace', lastName: 'Liu' },
        patientDeceased: false,
        appointmentDate: `${date}T14:00:00.000Z`,
        endsAt: `${date}T14:30:00.000Z`,
        localDate: date,
        localTime: '09:00',
        duration: 30,
        type: 'consultation',
        status: 'scheduled',
        reason: 'Cough',
        notes: null,
        overlap: false,
        seriesId: null,
        fee: null,
        sample: false,
        revision: 0,
      },
    })
    expect((await fixture.client.get(`/api/appointments/${answer.body.id}`)).body).toEqual({
      ...answer.body,
      coverage: { status: 'unknown', verificationId: null, isOtherPolicy: false },
    })
    expect(await fixture.listAppointments(...dayOf(date))).toEqual([answer.body])
  })

  it('asks first for a deceased patient, a past time and a day on which the practice is closed', async () => {
    const { client, provider } = fixture
    const dead = (await client.post('/api/patients', { firstName: 'Ada', lastName: 'Past' })).body.id as string
    await client.patch(`/api/patients/${dead}`, { deceasedOn: '2026-01-05' })
    const body = { patientId: dead, appointmentDate: '2026-01-04T09:00', type: 'check-up' }
    const book = (confirmed: string[], over: object = {}) =>
      client.post('/api/appointments', { ...body, confirmed, ...over })
    const starts = ['2026-01-04T14:00:00.000Z']
    const concerns = ['patient-deceased', 'in-the-past', 'not-a-working-day'].map((concern) => ({ concern, starts }))
    expect(await book([])).toMatchObject({
      status: 409,
      problem: {
        code: 'confirm-appointment',
        message: 'This patient has died. This time is in the past. The practice is closed that day. Please confirm.',
        concerns,
      },
    })
    expect(await book(['patient-deceased', 'in-the-past'])).toMatchObject({
      status: 409,
      problem: { concerns: concerns.slice(2) },
    })
    expect(await book(['x'])).toMatchObject({ status: 422, problem: { errors: [{ path: 'confirmed.0' }] } })
    expect(await book(['patient-deceased', 'in-the-past', 'not-a-working-day'])).toMatchObject({ status: 201 })
    await client.patch(`/api/patients/${dead}`, { deceasedOn: null })
    expect(await book([], { appointmentDate: `${newDay()}T09:00`, providerId: provider.id })).toMatchObject({
      status: 201,
    })
  })

  it('asks the same when an appointment is moved', async () => {
    const { id } = await fixture.book(`${newDay()}T09:00`)
    const move = (change: object) => fixture.client.patch(`/api/appointments/${id}`, { confirmed: [], ...change })
    const past = { appointmentDate: '2026-01-05T09:00' }
    expect(await move(past)).toMatchObject({
      status: 409,
      problem: { code: 'confirm-appointment', concerns: [{ concern: 'in-the-past' }] },
    })
    expect(await move({ ...past, confirmed: ['in-the-past'] })).toMatchObject({ status: 200 })
    expect(await move({ duration: 60, notes: 'Longer' })).toMatchObject({ status: 200 })
    expect(await move({ appointmentDate: '2031-01-05T09:00' })).toMatchObject({
      status: 409,
      problem: { concerns: [{ concern: 'not-a-working-day', starts: ['2031-01-05T14:00:00.000Z'] }] },
    })
  })

  it('accepts an instant as well as a local time of the practice', async () => {
    const date = newDay()
    expect(await fixture.book(`${date}T09:00:42-08:00`)).toMatchObject({ appointmentDate: `${date}T17:00:00.000Z` })
  })

  it('reports which appointment holds a slot, until when, and the nearest free slots', async () => {
    const date = newDay()
    const first = await fixture.book(`${date}T10:00`, { duration: 45 })
    const answer = await fixture.tryBooking(`${date}T10:30`)
    expect(answer).toMatchObject({
      status: 409,
      problem: {
        code: 'slot-taken',
        conflict: {
          appointmentId: first.id,
          patientName: 'Grace Liu',
          providerName: 'Ada Okafor',
          from: first.appointmentDate,
          until: first.endsAt,
        },
        errors: [{ path: 'appointmentDate' }],
      },
    })
    const { freeSlots } = answer.body as { freeSlots: { localTime: string; localDate: string }[] }
    expect(freeSlots.map(({ localDate, localTime }) => `${localDate} ${localTime}`)).toEqual([
      `${date} 09:30`,
      `${date} 11:00`,
      `${date} 11:30`,
    ])
    expect(await fixture.listAppointments(...dayOf(date))).toHaveLength(1)
  })

  it('books a taken slot on request, and records the overlap', async () => {
    const date = newDay()
    await fixture.book(`${date}T10:00`)
    expect(await fixture.book(`${date}T10:15`, { allowOverlap: true })).toMatchObject({ overlap: true })
  })

  it('books an overlap once when its reply was lost, also as a new request', async () => {
    const date = newDay()
    await fixture.book(`${date}T10:00`, { type: 'check-up' })
    const overlapping = { allowOverlap: true, duration: 30 }
    const [first, again] = await Promise.all([
      fixture.tryBooking(`${date}T10:00`, overlapping),
      fixture.tryBooking(`${date}T10:00`, overlapping),
    ])
    expect([first.status, again.status].toSorted()).toEqual([201, 409])
    // After ten minutes, a reload or another word in the notes, the web app sends a new idempotency key.
    const late = await fixture.tryBooking(`${date}T10:00`, { ...overlapping, notes: 'Sent again' })
    expect(late).toMatchObject({
      status: 409,
      problem: { code: 'already-booked', errors: [{ path: 'appointmentDate' }] },
    })
    expect(await fixture.listAppointments(...dayOf(date))).toHaveLength(2)
  })

  it('does not find patients and providers of another practice', async () => {
    const other = await newSchedulingPractice(app)
    const date = newDay()
    for (const foreign of [
      { patientId: other.patientId },
      { providerId: other.provider.id },
      { patientId: randomUUID() },
      { providerId: randomUUID() },
    ])
      expect(await fixture.tryBooking(`${date}T09:00`, foreign)).toMatchObject({
        status: 404,
        problem: { code: 'not-found' },
      })
    const appointment = await fixture.book(`${date}T09:00`)
    expect((await other.client.patch(`/api/appointments/${appointment.id}`, { notes: 'x' })).status).toBe(404)
    expect(
      (await fixture.client.patch(`/api/appointments/${appointment.id}`, { providerId: other.provider.id })).status,
    ).toBe(404)
    expect((await other.listAppointments(...dayOf(date))).length).toBe(0)
  })
})

describe('changing', () => {
  it('moves to another day, and releases the slot', async () => {
    const [date, next] = [newDay(), newDay()]
    const appointment = await fixture.book(`${date}T09:00`)
    const moved = await fixture.client.patch(`/api/appointments/${appointment.id}`, {
      appointmentDate: `${next}T11:00`,
      revision: 0,
    })
    expect(moved).toMatchObject({ status: 200, body: { localDate: next, localTime: '11:00', revision: 1 } })
    expect(await fixture.listAppointments(...dayOf(date))).toEqual([])
    await fixture.book(`${date}T09:00`)
  })

  it('lengthens only until the next appointment', async () => {
    const date = newDay()
    const appointment = await fixture.book(`${date}T09:00`)
    await fixture.book(`${date}T10:00`)
    const path = `/api/appointments/${appointment.id}`
    expect(await fixture.client.patch(path, { duration: 60 })).toMatchObject({ status: 200, body: { duration: 60 } })
    expect(await fixture.client.patch(path, { duration: 75 })).toMatchObject({
      status: 409,
      problem: { code: 'slot-taken' },
    })
    expect((await fixture.client.get(path)).body).toMatchObject({ duration: 60, revision: 1 })
  })

  it('changes slot, details and status at once', async () => {
    const date = newDay()
    const appointment = await fixture.book(`${date}T09:00`)
    const change = { appointmentDate: `${date}T09:30`, type: 'procedure', notes: 'Fasting', status: 'confirmed' }
    expect((await fixture.client.patch(`/api/appointments/${appointment.id}`, change)).body).toMatchObject({
      localTime: '09:30',
      type: 'procedure',
      notes: 'Fasting',
      status: 'confirmed',
      revision: 3,
    })
  })

  it('reports what another user changed in the meantime', async () => {
    const date = newDay()
    const appointment = await fixture.book(`${date}T09:00`)
    const path = `/api/appointments/${appointment.id}`
    await fixture.client.patch(path, { appointmentDate: `${date}T09:30`, status: 'confirmed' })
    for (const stale of [{ notes: 'late' }, { appointmentDate: `${date}T11:00` }])
      expect(await fixture.client.patch(path, { ...stale, revision: 0 })).toMatchObject({
        status: 409,
        problem: {
          code: 'changed-meanwhile',
          changes: [
            { field: 'appointmentDate', value: `${date}T14:30:00.000Z`, by: 'Ada Okafor' },
            { field: 'status', value: 'confirmed', by: 'Ada Okafor' },
          ],
        },
      })
  })

  it('fixes the fee on completion, and removes it when the completion is reverted', async () => {
    const date = newDay()
    const appointment = await fixture.book(`${date}T09:00`, { type: 'follow-up' })
    const path = `/api/appointments/${appointment.id}`
    const fee = { cents: 90_00, currency: 'USD' }
    expect((await fixture.client.patch(path, { status: 'completed' })).body).toMatchObject({ status: 'completed', fee })
    expect((await fixture.client.patch(path, { type: 'procedure' })).body).toMatchObject({ fee })
    expect((await fixture.client.patch(path, { status: 'no-show' })).body).toMatchObject({
      status: 'no-show',
      fee: null,
    })
  })

  it('keeps a cancelled appointment on its day list, releases its slot, and accepts no other status', async () => {
    const date = newDay()
    const appointment = await fixture.book(`${date}T09:00`)
    const path = `/api/appointments/${appointment.id}`
    expect((await fixture.client.patch(path, { status: 'cancelled' })).body).toMatchObject({ status: 'cancelled' })
    await fixture.book(`${date}T09:00`)
    expect(await fixture.listAppointments(...dayOf(date))).toHaveLength(2)
    for (const change of [{ status: 'scheduled' }, { appointmentDate: `${date}T15:00` }])
      expect(await fixture.client.patch(path, change)).toMatchObject({
        status: 409,
        problem: { code: 'appointment-cancelled' },
      })
    expect((await fixture.client.patch(path, { notes: 'Called twice' })).status).toBe(200)
  })

  it('hides a deleted appointment from its day list, and keeps its history', async () => {
    const date = newDay()
    const appointment = await fixture.book(`${date}T09:00`)
    const path = `/api/appointments/${appointment.id}`
    expect((await fixture.client.delete(path)).status).toBe(204)
    expect((await fixture.client.delete(path)).status).toBe(204)
    expect(await fixture.listAppointments(...dayOf(date))).toEqual([])
    expect((await fixture.client.get(path)).body).toMatchObject({ status: 'cancelled' })
    await fixture.book(`${date}T09:00`)
  })
})

describe('the list', () => {
  it('is filtered by provider, type, status and patient', async () => {
    const date = newDay()
    const second = (await fixture.client.post('/api/providers', { name: 'Dr. Chen' })).body
    await fixture.book(`${date}T09:00`)
    await fixture.book(`${date}T09:00`, { providerId: second.id, type: 'emergency', status: 'waiting' })
    const of = async (filter: string) => (await fixture.listAppointments(...dayOf(date), filter)).length
    expect(await of('')).toBe(2)
    expect(await of(`&providerId=${second.id}`)).toBe(1)
    expect(await of('&type=emergency')).toBe(1)
    expect(await of('&status=scheduled')).toBe(1)
    expect(await of(`&patientId=${fixture.patientId}`)).toBe(2)
    expect(await of(`&patientId=${randomUUID()}`)).toBe(0)
  })

  it('counts an appointment in one day only, the one that begins with it', async () => {
    const list = (from: string, until: string) =>
      fixture.client.get(`/api/appointments?startDate=2033-${from}Z&endDate=2033-${until}Z`)
    const booked = await fixture.book('2033-03-08T00:00')
    const at = booked.appointmentDate.slice(5, 19)
    expect(at).toBe('03-08T05:00:00')
    expect((await list('03-07T05:00:00', at)).body).toEqual([])
    expect((await list(at, '03-09T05:00:00')).body).toHaveLength(1)
    expect((await list(at, at)).body).toHaveLength(1)
    // It takes half an hour.
    expect((await list('03-08T05:29:59', '03-08T06:00:00')).body).toHaveLength(1)
    expect((await list('03-08T05:30:00', '03-08T06:00:00')).body).toEqual([])
  })

  it('accepts a range of at most 62 days, start before end', async () => {
    const ask = (from: string, until: string) =>
      fixture.client.get(`/api/appointments?startDate=${from}&endDate=${until}`)
    expect((await ask('2031-01-01T00:00:00Z', '2031-03-04T00:00:00Z')).status).toBe(200)
    expect((await ask('2031-01-01T00:00:00Z', '2031-03-05T00:00:00Z')).status).toBe(422)
    expect((await ask('2031-01-02T00:00:00Z', '2031-01-01T00:00:00Z')).status).toBe(422)
    expect((await fixture.client.get('/api/appointments')).status).toBe(422)
  })

  it('says when each provider is busy, by day of the practice and without what was cancelled', async () => {
    const { client, book, provider } = await newSchedulingPractice(app, { timezone: 'Asia/Tokyo' })
    const second = (await client.post('/api/providers', { name: 'Dr. Chen' })).body
    await book('2031-03-04T23:30', { duration: 60 })
    await book('2031-03-04T09:00', { providerId: second.id })
    await book('2031-03-05T00:00', { providerId: second.id, duration: 15 })
    await book('2031-03-04T08:00')
    const cancelled = await book('2031-03-04T12:00')
    await client.patch(`/api/appointments/${cancelled.id}`, { status: 'cancelled' })
    await client.delete(`/api/appointments/${(await book('2031-03-04T15:00')).id}`)
    await book('2031-03-06T00:00')
    await book('2031-03-03T23:30')
    const list = (from: string, until: string) => client.get(`/api/appointments/busy-days?from=${from}&until=${until}`)
    const busy = (
      date: string,
      { id: providerId }: { id: string },
      ...times: [localTime: string, duration: number][]
    ) => ({
      date,
      providerId,
      times: times.map(([localTime, duration]) => ({ localTime, duration })),
    })
    const { body } = await list('2031-03-04', '2031-03-05')
    expect(body).toEqual(
      expect.arrayContaining([
        busy('2031-03-04', provider, ['08:00', 30], ['23:30', 60]),
        busy('2031-03-04', second, ['09:00', 30]),
        busy('2031-03-05', second, ['00:00', 15]),
      ]),
    )
    expect(body).toHaveLength(3)
    expect((await list('2031-01-01', '2031-03-02')).body).toEqual([])
    const stranger = await newSchedulingPractice(app)
    const query = 'from=2031-03-01&until=2031-03-31'
    expect((await stranger.client.get(`/api/appointments/busy-days?${query}`)).body).toEqual([])
  })

  it.each([
    ['2031-01-01', '2031-03-04', 'until', 'At most 62 days at once'],
    ['2031-01-02', '2031-01-01', 'until', 'Must not be before the start'],
    ['1999-12-31', '2000-01-01', 'from', 'Please enter a year from 2000 to 2099'],
    ['2031-02-30', '2031-03-01', 'from', 'Please enter a valid date'],
  ])('refuses busy days from %s until %s', async (from, until, path, message) => {
    const reply = await fixture.client.get(`/api/appointments/busy-days?from=${from}&until=${until}`)
    expect(reply).toMatchObject({ status: 422, problem: { errors: [{ path, message }] } })
  })

  it('returns today’s appointments in the time zone of the practice', async () => {
    const zone = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' })
    const today = zone.format(new Date())
    const appointment = await fixture.book(`${today}T23:30`)
    expect((await fixture.client.get('/api/appointments/today')).body).toEqual([appointment])
  })
})

it('lists free slots in order, and treats the slot of the appointment to move as free', async () => {
  const date = newDay()
  const appointment = await fixture.book(`${date}T09:00`, { duration: 90 })
  const free = async (more = '') =>
    (
      (await fixture.client.get(`/api/appointments/free-slots?from=${date}T00:00&limit=3${more}`)).body as {
        localTime: string
      }[]
    ).map(({ localTime }) => localTime)
  expect(await free()).toEqual(['10:30', '11:00', '11:30'])
  expect(await free(`&excluding=${appointment.id}`)).toEqual(['09:00', '09:30', '10:00'])
  expect(await free('&duration=240')).toEqual(['10:30', '11:00', '11:30'])
})

it('lists slots as free that only a colleague has, or a cancelled appointment', async () => {
  const { client, provider, book } = await newSchedulingPractice(app)
  const date = newDay()
  const colleague = (await client.post('/api/providers', { name: 'Dr. Lena Novak' })).body.id as string
  await book(`${date}T09:00`, { providerId: colleague })
  const cancelled = await book(`${date}T09:30`)
  await client.patch(`/api/appointments/${cancelled.id}`, { status: 'cancelled' })
  await book(`${date}T10:00`)
  const listFree = async (providerId: string) => {
    const query = `from=${date}T00:00&limit=3&providerId=${providerId}`
    const { body } = await client.get(`/api/appointments/free-slots?${query}`)
    return (body as { localTime: string }[]).map(({ localTime }) => localTime)
  }
  expect(await listFree(provider.id)).toEqual(['09:00', '09:30', '10:30'])
  expect(await listFree(colleague)).toEqual(['09:30', '10:00', '10:30'])
})

it('lists the free slots of a day without a midnight, which is asked for as a date', async () => {
  // The clocks of Cairo go from 0:00 to 1:00 on the last Friday of April.
  const cairo = await newSchedulingPractice(app, { timezone: 'Africa/Cairo' })
  const ask = (from: string) => cairo.client.get(`/api/appointments/free-slots?from=${from}&limit=3&days=1`)
  const { status, body } = await ask('2027-04-30')
  expect(status).toBe(200)
  expect(body).toMatchObject([{ localDate: '2027-04-30', localTime: '09:00' }, {}, {}])
  expect((await ask('2027-04-30T00:00')).status).toBe(422)
  for (const from of ['2027-02-30', 'tomorrow', '2527-04-30']) expect((await ask(from)).status).toBe(422)
})

it('gives a slot to exactly one of many concurrent bookings', async () => {
  const nurse = await joinPractice(app, fixture.practice.id, 'nurse')
  for (let race = 0; race < cases(5, 20); race++) {
    const date = newDay()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => {
        const body = {
          patientId: fixture.patientId,
          appointmentDate: `${date}T09:${n % 2 ? '00' : '15'}`,
          type: 'check-up',
        }
        return (n % 3 ? nurse : fixture.client).post('/api/appointments', body)
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    for (const { problem } of answers.filter(({ status }) => status === 409)) {
      expect(problem).toMatchObject({ code: 'slot-taken', conflict: { patientName: 'Grace Liu' } })
      expect((problem as unknown as { freeSlots: unknown[] }).freeSlots).toHaveLength(3)
    }
    expect(await fixture.listAppointments(...dayOf(date))).toHaveLength(1)
  }
})
