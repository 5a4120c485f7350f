import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { appointmentDecider } from '#modules/appointments/decider.ts'
import { readStream } from '#tests/support/events.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { cases } from '#tests/support/long.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** Runs a request; right before it writes to several streams, another request is answered. */
async function interrupt<Result>(run: () => Promise<Result>, other: () => Promise<{ status: number }>) {
  const { store } = app.services
  const { appendTogether } = store
  if (!appendTogether) throw new Error('This store cannot append to several streams')
  let status: number | undefined
  store.appendTogether = async (...args) => {
    store.appendTogether = appendTogether
    status = (await other()).status
    return await appendTogether(...args)
  }
  try {
    return { reply: await run(), status }
  } finally {
    store.appendTogether = appendTogether
  }
}

/** Returns the events of the provider's day and those of an appointment. */
async function readEvents({ id, providerId, localDate }: Appointment) {
  const { store } = app.services
  return {
    day: await readStream(store, `schedule-${providerId}-${localDate}`),
    own: await readStream(store, `appointment-${id}`),
  }
}

/** Counts the jobs that would confirm an appointment. */
async function countJobs({ id }: Appointment): Promise<number | null> {
  const text = `select from jobs.job where name = 'confirm-reservation' and data->>'appointmentId' = $1`
  return (await app.services.pool.query(text, [id])).rowCount
}

/** Counts the jobs that would release a slot of a practice. */
async function countReleases({ practiceId }: Appointment): Promise<number | null> {
  const text = `select from jobs.job where name = 'release-slot' and data->>'practiceId' = $1`
  return (await app.services.pool.query(text, [practiceId])).rowCount
}

describe('a booking', () => {
  it('is written with its reservation, and no job has to finish it', async () => {
    const { book, listAppointments } = await newSchedulingPractice(app, { timezone: 'UTC' })
    const booked = await book('2031-03-03T09:00')
    const { day, own } = await readEvents(booked)
    expect(day).toMatchObject([{ type: 'SlotReservedForBooking', data: { isConfirmed: true } }])
    expect(own).toMatchObject([{ type: 'AppointmentBooked' }])
    expect([day[0]?.metadata.at, day[0]?.metadata.actor]).toEqual([own[0]?.metadata.at, own[0]?.metadata.actor])
    expect(await countJobs(booked)).toBe(0)
    expect(await listAppointments('2031-03-03T00:00:00Z', '2031-03-04T00:00:00Z')).toEqual([booked])
  })

  it('is written in two steps that a job can finish when its patient is changed at the same moment', async () => {
    const { client, patientId, book } = await newSchedulingPractice(app, { timezone: 'UTC' })
    const change = () => client.patch(`/api/patients/${patientId}`, { firstName: 'Gracie' })
    const { reply: booked, status } = await interrupt(() => book('2031-03-03T09:00'), change)
    expect(status).toBe(200)
    const { day, own } = await readEvents(booked)
    expect(day.map(({ type, data }) => [type, data['isConfirmed']])).toEqual([['SlotReservedForBooking', undefined]])
    expect(own).toMatchObject([{ type: 'AppointmentBooked' }])
    expect(await countJobs(booked)).toBe(1)
  })

  it('is cancelled when its patient is removed at the same moment', async () => {
    const { client, patientId, book } = await newSchedulingPractice(app, { timezone: 'UTC' })
    const remove = () => client.delete(`/api/patients/${patientId}`)
    const { reply: booked, status } = await interrupt(() => book('2031-03-03T09:00'), remove)
    expect(status).toBe(204)
    const look = async () => (await app.services.bus.load(appointmentDecider, booked.id)).state
    const state = await waitForJobs(app.services.pool, look, (found) => found.known && found.status === 'cancelled')
    expect(state).toMatchObject({ isOnDayList: false })
  })

  it('is refused when its provider is deactivated at the same moment', async () => {
    const { client, tryBooking } = await newSchedulingPractice(app, { timezone: 'UTC' })
    const { id: providerId } = (await client.post('/api/providers', { name: 'Amara Chen' })).body as Provider
    const deactivate = () => client.patch(`/api/providers/${providerId}`, { active: false })
    const book = () => tryBooking('2031-03-03T09:00', { providerId })
    const { reply: booked, status } = await interrupt(book, deactivate)
    expect(status).toBe(200)
    expect(booked).toMatchObject({ status: 409, problem: { code: 'provider-inactive' } })
    expect(await readStream(app.services.store, `schedule-${providerId}-2031-03-03`)).toMatchObject([
      { type: 'SlotReservedForBooking' },
      { type: 'SlotReleased' },
    ])
  })
})

/** A practice with an appointment, and what moves it. */
async function newMove() {
  const fixture = await newSchedulingPractice(app, { timezone: 'UTC' })
  const appointment = await fixture.book('2031-03-03T09:00')
  const move = (change: object = { appointmentDate: '2031-03-04T10:00' }) =>
    fixture.client.patch(`/api/appointments/${appointment.id}`, { ...change, confirmed: BookingConcern.options })
  return { ...fixture, appointment, move }
}

describe('a move', () => {
  it('is written with the release of its slot, and no job has to finish it', async () => {
    const { appointment, move } = await newMove()
    const { status, body } = await move()
    expect([status, body.appointmentDate, body.revision]).toEqual([200, '2031-03-04T10:00:00.000Z', 1])
    const { day, own } = await readEvents(appointment)
    expect(own[1]).toMatchObject({ type: 'AppointmentRescheduled', data: { isReleased: true } })
    expect(day[1]).toMatchObject({ type: 'SlotReleased', metadata: { at: own[1]?.metadata.at } })
    expect([await countJobs(appointment), await countReleases(appointment)]).toEqual([0, 0])
  })

  it('is written in steps that jobs can finish when its patient is changed at the same moment', async () => {
    const { client, patientId, appointment, move } = await newMove()
    const change = () => client.patch(`/api/patients/${patientId}`, { firstName: 'Gracie' })
    const { reply, status } = await interrupt(move, change)
    expect([status, reply.status, reply.body.appointmentDate]).toEqual([200, 200, '2031-03-04T10:00:00.000Z'])
    expect([await countJobs(appointment), await countReleases(appointment)]).toEqual([1, 1])
  })

  it('is refused when the provider to whom it goes is deactivated at the same moment', async () => {
    const { client, move, appointment } = await newMove()
    const { id: providerId } = (await client.post('/api/providers', { name: 'Amara Chen' })).body as Provider
    const deactivate = () => client.patch(`/api/providers/${providerId}`, { active: false })
    const { reply, status } = await interrupt(() => move({ providerId }), deactivate)
    expect([status, reply.status, reply.problem?.code]).toEqual([200, 409, 'provider-inactive'])
    const { own } = await readEvents(appointment)
    expect(own).toHaveLength(1)
  })

  it('says what a colleague has changed at the same moment', async () => {
    const { client, appointment, move } = await newMove()
    const change = () => client.patch(`/api/appointments/${appointment.id}`, { notes: 'Call first' })
    const { reply, status } = await interrupt(
      () => move({ appointmentDate: '2031-03-04T10:00', revision: appointment.revision }),
      change,
    )
    expect([status, reply.status, reply.problem?.code]).toEqual([200, 409, 'changed-meanwhile'])
  })
})

describe('a cancellation', () => {
  it.each([
    ['by a change', 'PATCH'],
    ['by a removal', 'DELETE'],
  ] as const)('%s is written with the release of its slot, and no job has to finish it', async (_, method) => {
    const { client, appointment, tryBooking } = await newMove()
    const cancel = { PATCH: { status: 'cancelled' }, DELETE: undefined }[method]
    expect((await client.request(method, `/api/appointments/${appointment.id}`, cancel)).status).toBeLessThan(300)
    const { day, own } = await readEvents(appointment)
    expect(own[1]).toMatchObject({ type: 'AppointmentCancelled', data: { isReleased: true } })
    expect(day.map(({ type }) => type)).toEqual(['SlotReservedForBooking', 'SlotReleased'])
    expect(await countReleases(appointment)).toBe(0)
    expect((await tryBooking('2031-03-03T09:00')).status).toBe(201)
  })

  it('is written in steps when a colleague has changed the appointment at the same moment', async () => {
    const { client, appointment } = await newMove()
    const address = `/api/appointments/${appointment.id}`
    const { reply, status } = await interrupt(
      () => client.delete(address),
      () => client.patch(address, { notes: 'Call first' }),
    )
    expect([status, reply.status]).toEqual([200, 204])
    expect(await countReleases(appointment)).toBe(1)
    expect((await readEvents(appointment)).day.at(-1)).toMatchObject({ type: 'SlotReleased' })
  })
})

describe('a series', () => {
  /** Books on four Mondays. */
  async function newSeries() {
    const fixture = await newSchedulingPractice(app, { timezone: 'UTC' })
    const book = async (): Promise<Appointment[]> => {
      const { status, body } = await fixture.client.post('/api/appointments/series', {
        patientId: fixture.patientId,
        appointmentDate: '2031-03-03T09:00',
        type: 'follow-up',
        recurrence: { every: 1, unit: 'week', count: 4 },
        confirmed: BookingConcern.options,
      })
      expect([status, body.notBooked]).toEqual([201, []])
      return body.appointments as Appointment[]
    }
    return { ...fixture, book }
  }
  const countAllJobs = async (booked: readonly Appointment[]) =>
    (await Promise.all(booked.map(countJobs))).reduce<number>((sum, count) => sum + (count ?? 0), 0)

  it('writes each of its appointments with its reservation, and no job has to finish them', async () => {
    const { book } = await newSeries()
    const booked = await book()
    expect(booked.map(({ localDate }) => localDate)).toEqual(['2031-03-03', '2031-03-10', '2031-03-17', '2031-03-24'])
    const events = await Promise.all(booked.map(readEvents))
    expect(events.map(({ day }) => day.map(({ data }) => data['isConfirmed']))).toEqual(booked.map(() => [true]))
    expect(await countAllJobs(booked)).toBe(0)
  })

  it('is booked in two steps each when its patient is changed at the same moment', async () => {
    const { client, patientId, book } = await newSeries()
    const change = () => client.patch(`/api/patients/${patientId}`, { firstName: 'Gracie' })
    const { reply: booked, status } = await interrupt(book, change)
    expect([status, booked.length]).toEqual([200, 4])
    expect(await countAllJobs(booked)).toBe(4)
  })
})

const races = cases(6, 400)
it(`never stays with a patient who is removed at the same moment, in ${races} races`, async () => {
  const { client, tryBooking } = await newSchedulingPractice(app, { timezone: 'UTC' })
  const booked: Appointment[] = []
  for (let race = 0; race < races; race++) {
    const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: `Liu ${race}` })
    const patientId = patient.body.id as string
    const at = new Date(Date.UTC(2031, 2, 3) + race * 3_600_000).toISOString()
    const [booking, removal] = await Promise.all([
      tryBooking(at, { patientId }),
      client.delete(`/api/patients/${patientId}`),
    ])
    expect(removal.status).toBe(204)
    expect([201, 404]).toContain(booking.status)
    if (booking.status === 201) booked.push(booking.body as Appointment)
  }
  for (const { id } of booked) {
    const look = async () => (await app.services.bus.load(appointmentDecider, id)).state
    const state = await waitForJobs(app.services.pool, look, (found) => found.known && found.status === 'cancelled')
    expect(state).toMatchObject({ appointmentId: id })
  }
})
