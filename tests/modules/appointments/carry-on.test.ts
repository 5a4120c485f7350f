import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { SeriesId } from '#contracts/values/ids.ts'
import { appointmentDecider } from '#modules/appointments/decider.ts'
import { createSchedulingContext } from '#modules/appointments/desk.ts'
import { appointmentsProjection } from '#modules/appointments/projection.ts'
import { scheduleDecider } from '#modules/appointments/schedule/decider.ts'
import { seriesDecider } from '#modules/appointments/series/decider.ts'
import { newOwner } from '#tests/support/practice.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/until.ts'
import { newDesk } from './desk.ts'
import { heldForBooking, appointment } from './appointments.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

describe('in the background', () => {
  it('an appointment comes to be of which only the place was held when the process died', async () => {
    const { practice, provider, patientId, client } = await newDesk(app)
    const desk = createSchedulingContext(app.services)
    const [doctor] = (await client.get('/api/providers')).body as Provider[]
    const place = desk.placeFor(
      { ...provider, ...doctor, timezone: 'America/New_York' } as never,
      '2031-03-03T14:00:00.000Z',
      30,
    )
    const fact = heldForBooking(1, place, { practiceId: practice.id, patientId: patientId as never })
    const stream = `${place.providerId}-${place.days[0]}`
    const actor = { kind: 'user', userId: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001', role: 'nurse' } as never
    await app.services.bus.execute(
      scheduleDecider,
      stream,
      { type: 'Hold', fact, allowOverlap: false },
      { practiceId: practice.id, actor, correlationId: practice.id },
      { idempotencyKey: `hold ${place.holdId}` },
    )
    const look = async () =>
      (await client.get(`/api/appointments/${appointment(1)}`)) as { status: number; body: Appointment }
    const { body } = await waitUntil(look, ({ status }) => status === 200)
    expect(body).toMatchObject({ localTime: '09:00', reason: 'Cough', patient: { lastName: 'Liu' } })
    for await (const { metadata } of app.services.store.read(`appointment-${appointment(1)}`))
      expect(metadata.actor).toEqual(actor)
    expect(
      (await client.post('/api/appointments', { patientId, appointmentDate: '2031-03-03T09:00', type: 'check-up' }))
        .status,
    ).toBe(409)
  })

  it('a place is freed that was left when the process died', async () => {
    const { practice, book, tryBooking } = await newDesk(app)
    const appointmentToCancel = await book('2031-03-03T09:00')
    const command = { type: 'Cancel', practiceId: practice.id, listed: true, cause: 'asked' } as const
    const context = {
      practiceId: practice.id,
      actor: { kind: 'process', name: 'test' },
      correlationId: practice.id,
    } as const
    await app.services.bus.execute(appointmentDecider, appointmentToCancel.id, command, context)
    expect((await tryBooking('2031-03-03T09:00')).status).toBe(409)
    await waitUntil(
      () => tryBooking('2031-03-03T09:00'),
      ({ status }) => status === 201,
    )
  })

  it('the appointments to come of a removed patient are cancelled, and those that took place stay', async () => {
    const { client, patientId, book, tryBooking, listed } = await newDesk(app)
    const past = await book('2021-03-03T09:00')
    const done = await book('2031-03-04T09:00', { status: 'completed' })
    const coming = await book('2031-03-03T09:00')
    await client.post('/api/waitlist', { patientId, type: 'check-up' })
    await client.delete(`/api/patients/${patientId}`)
    const look = async () => (await client.get(`/api/appointments/${coming.id}`)).body as Appointment
    await waitUntil(look, ({ status }) => status === 'cancelled')
    expect((await tryBooking('2031-03-05T09:00')).status).toBe(404)
    expect((await client.get(`/api/appointments/${past.id}`)).body).toEqual(past)
    expect((await listed('2031-03-01T00:00:00Z', '2031-04-01T00:00:00Z')).map(({ id }) => id)).toEqual([done.id])
    await waitUntil(
      async () => (await client.get('/api/waitlist')).body as unknown[],
      (entries) => entries.length === 0,
    )
  })

  it('a row of appointments is booked to its end', async () => {
    const { practice, provider, patientId, book, listed } = await newDesk(app)
    const desk = createSchedulingContext(app.services)
    const days = ['2031-03-03', '2031-03-10', '2031-03-17']
    const of = (index: number) =>
      desk.placeFor({ ...provider, timezone: 'America/New_York' } as never, `${days[index]}T14:00:00.000Z`, 30)
    await book('2031-03-10T10:00')
    const seriesId = SeriesId.parse(app.services.newId())
    const appointments = days.map((_, index) => ({
      index,
      appointmentId: app.services.newId() as never,
      place: of(index),
      allowOverlap: false,
    }))
    const plan = {
      seriesId,
      practiceId: practice.id,
      patientId: patientId as never,
      type: 'follow-up' as const,
      reason: null,
      notes: null,
      appointments,
    }
    const context = {
      practiceId: practice.id,
      actor: { kind: 'process', name: 'test' },
      correlationId: practice.id,
    } as const
    await app.services.bus.execute(seriesDecider, seriesId, { type: 'Plan', plan }, context)
    // What the process manager asks for a minute later.
    await app.services.jobs.send('carry-on-appointments', { do: 'book-series', seriesId })
    const look = () => listed('2031-03-01T00:00:00Z', '2031-04-01T00:00:00Z')
    const all = await waitUntil(look, (rows) => rows.length === 3)
    expect(all.map(({ seriesId: row }) => row)).toEqual([seriesId, null, seriesId])
    expect((await app.services.bus.load(seriesDecider, seriesId)).state).toMatchObject({
      notBooked: [appointments[1]?.appointmentId],
    })
  })

  it('the owner of a new practice sees patients', async () => {
    const { client } = await newOwner(app)
    const body = { firstName: 'Grace', lastName: 'Liu' }
    const patientId = (await client.post('/api/patients', body)).body.id as string
    const appointment = { patientId, appointmentDate: '2031-03-03T09:00', type: 'check-up' }
    expect((await client.post('/api/appointments', appointment)).status).toBe(201)
  })
})

it('has the rows that follow from the record', async () => {
  expect(await readTableRows(app.services.pool, appointmentsProjection)).toEqual(
    await foldRows(app.services.store, appointmentsProjection),
  )
})
