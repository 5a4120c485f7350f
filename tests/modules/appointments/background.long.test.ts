import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { SeriesId } from '#contracts/values/ids.ts'
import { appointmentDecider } from '#modules/appointments/decider.ts'
import { appointmentsProjection } from '#modules/appointments/projection.ts'
import { scheduleDecider } from '#modules/schedule/decider.ts'
import { createSlot, reservationKey } from '#modules/schedule/public.ts'
import { seriesDecider } from '#modules/series/decider.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { newOwner } from '#tests/support/practice.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'
import { reservedForBooking, appointment } from './fixtures.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

describe('background jobs', () => {
  it('confirm a reservation after a crash', async () => {
    const { practice, provider, patientId, client } = await newSchedulingPractice(app)
    const [doctor] = (await client.get('/api/providers')).body as Provider[]
    const slot = createSlot(
      { ...provider, ...doctor, timezone: 'America/New_York' },
      '2031-03-03T14:00:00.000Z',
      30,
      app.services.newId(),
    )
    const event = reservedForBooking(1, slot, { practiceId: practice.id, patientId: patientId as never })
    const stream = `${slot.providerId}-${slot.days[0]}`
    const actor = { kind: 'user', userId: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001', role: 'nurse' } as never
    await app.services.bus.execute(
      scheduleDecider,
      stream,
      { type: 'Reserve', event, allowOverlap: false },
      { practiceId: practice.id, actor, correlationId: practice.id },
      { idempotencyKey: reservationKey(slot.reservationId) },
    )
    const look = async () =>
      (await client.get(`/api/appointments/${appointment(1)}`)) as { status: number; body: Appointment }
    const { body } = await waitForJobs(app.services.pool, look, ({ status }) => status === 200)
    expect(body).toMatchObject({ localTime: '09:00', reason: 'Cough', patient: { lastName: 'Liu' } })
    for await (const { metadata } of app.services.store.read(`appointment-${appointment(1)}`))
      expect(metadata.actor).toEqual(actor)
    expect(
      (await client.post('/api/appointments', { patientId, appointmentDate: '2031-03-03T09:00', type: 'check-up' }))
        .status,
    ).toBe(409)
  })

  it('release the slot of a cancelled appointment after a crash', async () => {
    const { practice, book, tryBooking } = await newSchedulingPractice(app)
    const appointmentToCancel = await book('2031-03-03T09:00')
    const command = { type: 'Cancel', practiceId: practice.id, keepOnDayList: true, cause: 'requested' } as const
    const context = {
      practiceId: practice.id,
      actor: { kind: 'process', name: 'test' },
      correlationId: practice.id,
    } as const
    await app.services.bus.execute(appointmentDecider, appointmentToCancel.id, command, context)
    expect((await tryBooking('2031-03-03T09:00')).status).toBe(409)
    await waitForJobs(
      app.services.pool,
      () => tryBooking('2031-03-03T09:00'),
      ({ status }) => status === 201,
    )
  })

  it.each([
    { was: 'only reserved', isConfirmed: false },
    { was: 'booked', isConfirmed: true },
  ])('cancel what was $was when its patient had just been removed', async ({ isConfirmed }) => {
    const { practice, provider, patientId, client, tryBooking } = await newSchedulingPractice(app)
    await client.delete(`/api/patients/${patientId}`)
    const cascade = `select from jobs.job where name = 'cancel-upcoming-appointments' and data->>'patientId' = $1 and state = 'completed'`
    await waitUntil(
      async () => (await app.services.pool.query(cascade, [patientId])).rowCount,
      (count) => count === 1,
    )
    const slot = createSlot(
      { ...provider, timezone: 'America/New_York' },
      '2031-03-03T14:00:00.000Z',
      30,
      app.services.newId(),
    )
    const appointmentId = app.services.newId() as never
    const event = reservedForBooking(1, slot, {
      appointmentId,
      practiceId: practice.id,
      patientId: patientId as never,
    })
    const actor = { kind: 'process', name: 'test' } as const
    const context = { practiceId: practice.id, actor, correlationId: practice.id }
    const { bus } = app.services
    const command = { type: 'Reserve', event, allowOverlap: false } as const
    const idempotencyKey = reservationKey(slot.reservationId)
    await bus.execute(scheduleDecider, `${slot.providerId}-${slot.days[0]}`, command, context, { idempotencyKey })
    const apply = { type: 'ApplyReservation', reservation: event } as const
    if (isConfirmed) await bus.execute(appointmentDecider, appointmentId, apply, context, { idempotencyKey })
    const look = async () => (await bus.load(appointmentDecider, appointmentId)).state
    await waitForJobs(app.services.pool, look, (state) => state.known && state.status === 'cancelled')
    const other = await client.post('/api/patients', { firstName: 'Ann', lastName: 'Lee' })
    const { body } = await waitForJobs(
      app.services.pool,
      () => tryBooking('2031-03-03T09:00', { patientId: other.body.id }),
      ({ status }) => status === 201,
    )
    expect(body).toMatchObject({ patientId: other.body.id, status: 'scheduled', overlap: false })
  })

  it('book the rest of a planned series', async () => {
    const { practice, provider, patientId, book, listAppointments } = await newSchedulingPractice(app)
    const days = ['2031-03-03', '2031-03-10', '2031-03-17']
    const of = (index: number) =>
      createSlot(
        { ...provider, timezone: 'America/New_York' },
        `${days[index]}T14:00:00.000Z`,
        30,
        app.services.newId(),
      )
    await book('2031-03-10T10:00')
    const seriesId = SeriesId.parse(app.services.newId())
    const appointments = days.map((_, index) => ({
      index,
      appointmentId: app.services.newId() as never,
      slot: of(index),
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
    // The process manager requests this job a minute later.
    const cause = { correlationId: practice.id, causationId: practice.id }
    await app.services.jobs.send('book-series', { practiceId: practice.id, seriesId, cause })
    const look = () => listAppointments('2031-03-01T00:00:00Z', '2031-04-01T00:00:00Z')
    const all = await waitUntil(look, (rows) => rows.length === 3)
    expect(all.map((each) => each.seriesId)).toEqual([seriesId, null, seriesId])
    expect((await app.services.bus.load(seriesDecider, seriesId)).state).toMatchObject({
      notBooked: [appointments[1]?.appointmentId],
    })
  })

  it('are not needed for the first booking with the owner of a new practice', async () => {
    const { client } = await newOwner(app)
    const body = { firstName: 'Grace', lastName: 'Liu' }
    const patientId = (await client.post('/api/patients', body)).body.id as string
    const appointment = { patientId, appointmentDate: '2031-03-03T09:00', type: 'check-up' }
    expect((await client.post('/api/appointments', appointment)).status).toBe(201)
  })
})

it('has a read model equal to a rebuild from the events', async () => {
  expect(await readTableRows(app.services.pool, appointmentsProjection)).toEqual(
    await foldRows(app.services.store, appointmentsProjection, app.services.keyStore),
  )
})
