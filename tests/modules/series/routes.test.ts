import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof newSchedulingPractice>>
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const weekly = { every: 1, unit: 'week', count: 4 }
const request = (over: object = {}) => ({
  patientId: fixture.patientId,
  appointmentDate: '2031-03-03T09:00',
  recurrence: weekly,
  ...over,
})
const preview = async (over: object = {}) => {
  const answer = await fixture.client.post('/api/appointments/series/preview', request(over))
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.problem.message}`)
  return answer.body.appointments as PlannedAppointment[]
}
const book = (over: object = {}) =>
  fixture.client.post(
    '/api/appointments/series',
    request({ type: 'follow-up', confirmed: BookingConcern.options, ...over }),
  )
const times = (appointments: { localDate: string; localTime: string }[]) =>
  appointments.map(({ localDate, localTime }) => `${localDate} ${localTime}`)

describe('recurring appointments', () => {
  it('stay at the same local time', async () => {
    fixture = await newSchedulingPractice(app)
    expect(times(await preview())).toEqual([
      '2031-03-03 09:00',
      '2031-03-10 09:00',
      '2031-03-17 09:00',
      '2031-03-24 09:00',
    ])
  })

  it('ask first when the practice is closed on some of the days, or the patient has died', async () => {
    const daily = { recurrence: { every: 2, unit: 'day', count: 4 }, confirmed: [] }
    const starts = ['2031-03-09T13:00:00.000Z']
    expect(await book(daily)).toMatchObject({
      status: 409,
      problem: { code: 'confirm-appointment', concerns: [{ concern: 'not-a-working-day', starts }] },
    })
    const booked = await book({ ...daily, confirmed: ['not-a-working-day'] })
    expect(booked.status).toBe(201)
    const [first] = booked.body.appointments as Appointment[]
    const move = { appointmentId: first?.id, scope: 'all', appointmentDate: '2031-03-04T09:00', confirmed: [] }
    const path = `/api/appointments/series/${booked.body.seriesId}`
    expect(await fixture.client.patch(path, move)).toMatchObject({
      status: 409,
      problem: { concerns: [{ concern: 'not-a-working-day', starts: ['2031-03-08T14:00:00.000Z'] }] },
    })
    const moved = await fixture.client.patch(path, { ...move, confirmed: ['not-a-working-day'] })
    expect(times(moved.body.appointments)).toEqual(['04', '06', '08', '10'].map((day) => `2031-03-${day} 09:00`))
    await fixture.client.patch(`/api/patients/${fixture.patientId}`, { deceasedOn: '2026-01-05' })
    expect(await book({ confirmed: [] })).toMatchObject({ problem: { concerns: [{ concern: 'patient-deceased' }] } })
    fixture = await newSchedulingPractice(app)
  })

  it('repeat every few days, weeks or months, until a day or a number of times', async () => {
    const of = async (recurrence: object, appointmentDate = '2031-01-31T09:00') =>
      (await preview({ recurrence, appointmentDate })).map(
        ({ localDate, isAdjusted }) => `${localDate}${isAdjusted ? ' adjusted' : ''}`,
      )
    expect(await of({ every: 3, unit: 'day', until: '2031-02-08' })).toEqual(['2031-01-31', '2031-02-03', '2031-02-06'])
    expect(await of({ every: 1, unit: 'month', count: 4 })).toEqual([
      '2031-01-31',
      '2031-02-28 adjusted',
      '2031-03-31',
      '2031-04-30 adjusted',
    ])
    expect(await of({ every: 1, unit: 'day', count: 2 }, '2031-03-08T02:30')).toEqual([
      '2031-03-08',
      '2031-03-09 adjusted',
    ])
  })

  it('are at least two and at most fifty-two', async () => {
    const status = async (recurrence: object) => (await book({ recurrence })).status
    expect(await status({ every: 1, unit: 'week', until: '2031-03-05' })).toBe(422)
    expect(await status({ every: 1, unit: 'day', until: '2031-12-31' })).toBe(422)
    expect(await status({ every: 1, unit: 'day', count: 53 })).toBe(422)
    expect(await status({ every: 1, unit: 'day' })).toBe(422)
    expect(await status({ every: 1, unit: 'day', count: 3, until: '2031-12-31' })).toBe(422)
  })

  it('show their conflicts, and are booked when each is resolved', async () => {
    const others = await Promise.all(['03-10', '03-17', '03-24'].map((day) => fixture.book(`2031-${day}T09:00`)))
    const planned = await preview()
    expect(planned.map(({ conflict }) => conflict?.appointmentId ?? null)).toEqual([
      null,
      ...others.map(({ id }) => id),
    ])
    expect(planned[1]).toMatchObject({ conflict: { patientName: 'Grace Liu' } })
    expect(times(planned[1]?.freeSlots ?? [])).toEqual(['2031-03-10 09:30', '2031-03-10 10:00', '2031-03-10 10:30'])

    expect(await book()).toMatchObject({ status: 409, problem: { code: 'series-conflicts' } })
    const resolutions = [
      { index: 1, action: 'move', to: '2031-03-10T10:00' },
      { index: 2, action: 'skip' },
      { index: 3, action: 'overlap' },
    ]
    const booked = await book({ resolutions })
    expect(booked).toMatchObject({ status: 201, body: { notBooked: [] } })
    const appointments = booked.body.appointments as Appointment[]
    expect(times(appointments)).toEqual(['2031-03-03 09:00', '2031-03-10 10:00', '2031-03-24 09:00'])
    expect(appointments.map(({ overlap }) => overlap)).toEqual([false, false, true])
    expect(new Set(appointments.map(({ seriesId }) => seriesId))).toEqual(new Set([booked.body.seriesId]))
  })

  it('are booked once when a request is repeated, also concurrently and with other appointments in conflict', async () => {
    fixture = await newSchedulingPractice(app)
    const other = await fixture.book('2031-03-10T09:00')
    const idempotencyKey = randomUUID()
    const resolutions = [{ index: 1, action: 'overlap' }]
    const [first, concurrent] = await Promise.all([
      book({ idempotencyKey, resolutions }),
      book({ idempotencyKey, resolutions }),
    ])
    const again = await book({ idempotencyKey, resolutions })
    expect([first.status, concurrent.status, again.status]).toEqual([201, 201, 201])
    expect(again.body).toEqual(first.body)
    expect(concurrent.body.seriesId).toBe(first.body.seriesId)
    const list = await fixture.listAppointments('2031-03-01T00:00:00Z', '2031-04-20T00:00:00Z')
    expect(times(list.filter(({ id }) => id !== other.id))).toEqual(times(first.body.appointments))
    expect(first.body.appointments).toHaveLength(4)

    // A different request with the same key is another series, and so is the same request of another practice.
    expect(await book({ idempotencyKey })).toMatchObject({ status: 409, problem: { code: 'series-conflicts' } })
    const later = await book({ idempotencyKey, appointmentDate: '2031-03-03T11:00' })
    expect(later.body.seriesId).not.toBe(first.body.seriesId)
    const elsewhere = await newSchedulingPractice(app)
    const refused = await elsewhere.client.post('/api/appointments/series', {
      ...request({ type: 'follow-up', idempotencyKey, resolutions }),
    })
    expect(refused.status).toBe(404)
  })

  it('may not overlap each other', async () => {
    const resolutions = [{ index: 1, action: 'move', to: '2031-03-03T09:15' }]
    expect(await book({ resolutions })).toMatchObject({ status: 422, problem: { errors: [{ path: 'resolutions' }] } })
  })

  it('are not booked when all of them are skipped', async () => {
    const resolutions = [0, 1, 2, 3].map((index) => ({ index, action: 'skip' }))
    expect(await book({ resolutions })).toMatchObject({ status: 422, problem: { errors: [{ path: 'resolutions' }] } })
  })

  it('are refused in a year that no list can show', async () => {
    const centuries = { appointmentDate: '2031-03-03T09:00', recurrence: { every: 52, unit: 'month', count: 52 } }
    expect(await book(centuries)).toMatchObject({ status: 422, problem: { errors: [{ path: 'recurrence' }] } })
  })
})

describe('changing a series', () => {
  const newSeries = async () => {
    fixture = await newSchedulingPractice(app)
    const booked = await book()
    const appointments = booked.body.appointments as Appointment[]
    const change = (body: object) => fixture.client.patch(`/api/appointments/series/${booked.body.seriesId}`, body)
    const listTimes = async () => times(await fixture.listAppointments('2031-03-01T00:00:00Z', '2031-04-20T00:00:00Z'))
    return { seriesId: booked.body.seriesId as string, appointments, change, listTimes }
  }

  it('moves the selected appointment and those after it by the same days, to the same time', async () => {
    const { appointments, change, listTimes } = await newSeries()
    const answer = await change({
      appointmentId: appointments[1]?.id,
      scope: 'following',
      appointmentDate: '2031-03-12T14:00',
      duration: 45,
    })
    expect(answer).toMatchObject({ status: 200, body: { notMoved: [] } })
    expect(await listTimes()).toEqual(['2031-03-03 09:00', '2031-03-12 14:00', '2031-03-19 14:00', '2031-03-26 14:00'])
  })

  it('leaves alone in the others what the request does not change at its own appointment', async () => {
    const { appointments, change, listTimes } = await newSeries()
    const [first, second] = appointments
    // Two appointments have times, and one a reason, of their own.
    await fixture.client.patch(`/api/appointments/${second?.id}`, {
      appointmentDate: '2031-03-11T16:00',
      reason: 'Own',
    })
    const own = ['2031-03-03 09:00', '2031-03-11 16:00', '2031-03-17 09:00', '2031-03-24 09:00']
    expect(await listTimes()).toEqual(own)
    const unchanged = { appointmentDate: '2031-03-03T09:00', duration: first?.duration, reason: first?.reason ?? '' }
    const body = { appointmentId: first?.id, scope: 'all', ...unchanged, notes: 'Bring the report' }
    const answer = await change({ ...body, confirmed: BookingConcern.options })
    expect(answer).toMatchObject({ status: 200, body: { notMoved: [] } })
    expect(await listTimes()).toEqual(own)
    const [, changed] = answer.body.appointments as Appointment[]
    expect(changed).toMatchObject({ reason: 'Own', notes: 'Bring the report' })
  })

  it('moves all by a week, so that each takes the slot of the next', async () => {
    const { appointments, change, listTimes } = await newSeries()
    const first = appointments[0]?.id
    expect((await change({ appointmentId: first, scope: 'all', appointmentDate: '2031-03-10T09:00' })).status).toBe(200)
    expect(await listTimes()).toEqual(['2031-03-10 09:00', '2031-03-17 09:00', '2031-03-24 09:00', '2031-03-31 09:00'])
    expect((await change({ appointmentId: first, scope: 'all', appointmentDate: '2031-03-03T09:00' })).status).toBe(200)
    expect(await listTimes()).toEqual(['2031-03-03 09:00', '2031-03-10 09:00', '2031-03-17 09:00', '2031-03-24 09:00'])
  })

  it('changes nothing while there are conflicts', async () => {
    const { appointments, change, listTimes } = await newSeries()
    const other = await fixture.book('2031-03-19T10:00')
    const before = await listTimes()
    const wanted = {
      appointmentId: appointments[1]?.id,
      scope: 'following',
      appointmentDate: '2031-03-12T10:00',
      notes: 'x',
    }
    expect(await change(wanted)).toMatchObject({
      status: 409,
      problem: {
        code: 'series-conflicts',
        conflicts: [{ appointmentId: appointments[2]?.id, conflict: { appointmentId: other.id } }],
      },
    })
    expect(await listTimes()).toEqual(before)
    expect((await change({ ...wanted, allowOverlap: true })).body.appointments[1]).toMatchObject({
      overlap: true,
      notes: 'x',
    })
  })

  it('lists cancelled appointments that no day list shows', async () => {
    const { seriesId, appointments } = await newSeries()
    await fixture.client.delete(`/api/appointments/${appointments[0]?.id}`)
    const list = await fixture.client.get(`/api/appointments/series/${seriesId}`)
    expect(list.body.map(({ id, status }: Appointment) => [id, status])).toEqual(
      appointments.map(({ id }, index) => [id, index === 0 ? 'cancelled' : 'scheduled']),
    )
    const other = await newSchedulingPractice(app)
    expect((await other.client.get(`/api/appointments/series/${seriesId}`)).status).toBe(404)
  })

  const toExpectedRevisions = (appointments: readonly Appointment[]) =>
    appointments.map(({ id, revision, appointmentDate }) => ({ appointmentId: id, revision, appointmentDate }))

  it.each(['2031-03-05T11:00', '2031-02-28T11:00'])('moves once when the request is repeated: %s', async (to) => {
    const { appointments, change, listTimes } = await newSeries()
    const body = {
      appointmentId: appointments[1]?.id,
      scope: 'following',
      appointmentDate: to,
      expectedRevisions: toExpectedRevisions(appointments),
    }
    expect(await change(body)).toMatchObject({ status: 200, body: { notMoved: [] } })
    const after = await listTimes()
    expect(await change(body)).toMatchObject({ status: 200, body: { notMoved: [] } })
    expect(await listTimes()).toEqual(after)
  })

  it('continues an interrupted change, and leaves alone what another user changed', async () => {
    const { appointments, change } = await newSeries()
    const [, second, third, fourth] = appointments
    const expectedRevisions = toExpectedRevisions(appointments)
    const wanted = {
      appointmentId: second?.id,
      scope: 'following',
      appointmentDate: '2031-03-12T14:00',
      expectedRevisions,
    }
    // The state after an interrupted request, which starts with the last appointment.
    await fixture.client.patch(`/api/appointments/${fourth?.id}`, { appointmentDate: '2031-03-26T14:00' })
    await fixture.client.patch(`/api/appointments/${third?.id}`, { appointmentDate: '2031-03-18T16:00' })
    const answer = await change(wanted)
    expect(answer).toMatchObject({
      status: 200,
      body: { notMoved: [{ appointmentId: third?.id, reason: 'changed-meanwhile', conflict: null }] },
    })
    expect(times(answer.body.appointments)).toEqual(['2031-03-12 14:00', '2031-03-18 16:00', '2031-03-26 14:00'])
  })

  it('cancels from one appointment on, and keeps completed ones', async () => {
    const { seriesId, appointments, listTimes } = await newSeries()
    await fixture.client.patch(`/api/appointments/${appointments[3]?.id}`, { status: 'completed' })
    const body = { appointmentId: appointments[1]?.id, scope: 'following' }
    const answer = await fixture.client.post(`/api/appointments/series/${seriesId}/cancel`, body)
    expect(answer).toMatchObject({
      status: 200,
      body: { cancelled: [appointments[1]?.id, appointments[2]?.id], notCancelled: [] },
    })
    expect(await listTimes()).toEqual(['2031-03-03 09:00', '2031-03-24 09:00'])
  })

  it('refuses years that lists cannot show', async () => {
    const { appointments, change, listTimes } = await newSeries()
    const before = await listTimes()
    const far = { appointmentId: appointments[0]?.id, scope: 'all', appointmentDate: '2099-12-20T09:00' }
    expect(await change(far)).toMatchObject({ status: 422, problem: { errors: [{ path: 'appointmentDate' }] } })
    expect(await listTimes()).toEqual(before)
  })

  it('keeps the later of two equal local times when only the notes change', async () => {
    fixture = await newSchedulingPractice(app)
    const appointmentDate = '2031-11-02T06:30:00.000Z' // The second 01:30 of that day.
    const recurrence = { every: 1, unit: 'week', count: 2 }
    const { seriesId, appointments } = (await book({ appointmentDate, recurrence })).body
    const body = { appointmentId: appointments[1].id, scope: 'all', notes: 'Bring the letter' }
    const changed = await fixture.client.patch(`/api/appointments/series/${seriesId}`, body)
    expect(changed.body.appointments[0]).toMatchObject({ appointmentDate, notes: 'Bring the letter' })
  })

  it('refuses a provider of another practice, and reveals nothing of their day', async () => {
    const other = await newSchedulingPractice(app)
    const otherAppointment = await other.book('2031-03-03T09:00')
    const { appointments, change } = await newSeries()
    const wanted = { appointmentId: appointments[0]?.id, scope: 'all', providerId: other.provider.id }
    const refused = await change(wanted)
    expect(refused).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect(JSON.stringify(refused.body)).not.toContain(otherAppointment.id)
    expect(await change({ ...wanted, allowOverlap: true })).toMatchObject({ status: 404 })
  })

  it('refuses an inactive provider', async () => {
    const { appointments, change } = await newSeries()
    const inactiveId = (await fixture.client.post('/api/providers', { name: 'Dr. Gone' })).body.id as string
    await fixture.client.patch(`/api/providers/${inactiveId}`, { active: false })
    const wanted = { appointmentId: appointments[0]?.id, scope: 'all', providerId: inactiveId }
    expect(await change(wanted)).toMatchObject({ status: 409, problem: { code: 'provider-inactive' } })
  })

  it('is not found by another practice', async () => {
    const { seriesId, appointments } = await newSeries()
    const other = await newSchedulingPractice(app)
    const body = { appointmentId: appointments[0]?.id, scope: 'all' }
    expect((await other.client.patch(`/api/appointments/series/${seriesId}`, body)).status).toBe(404)
    expect((await other.client.post(`/api/appointments/series/${seriesId}/cancel`, body)).status).toBe(404)
  })
})
