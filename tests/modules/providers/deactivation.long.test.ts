import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { reserveSlot } from '#modules/appointments/public.ts'
import { providerDecider } from '#modules/providers/decider.ts'
import { scheduleDecider } from '#modules/schedule/decider.ts'
import { reviewDeactivation } from '#modules/providers/jobs.ts'
import { createSlot, reservationKey } from '#modules/schedule/public.ts'
import { reservedForBooking } from '#tests/modules/appointments/fixtures.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { cases, itLong } from '#tests/support/long.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** Creates a practice with a second provider, whose bookings and deactivation can be stopped between any two steps. */
async function newPractice() {
  const fixture = await newSchedulingPractice(app, { timezone: 'UTC' })
  const { client, practice, patientId, tryBooking } = fixture
  const { services } = app
  const other = (await client.post('/api/providers', { name: 'Amara Chen' })).body as Provider
  const context = {
    practiceId: practice.id,
    actor: { kind: 'process', name: 'test' },
    correlationId: practice.id,
  } as const
  const slot = createSlot({ id: other.id, timezone: 'UTC' }, '2031-03-03T09:00:00.000Z', 30, services.newId())
  const ids = { practiceId: practice.id, patientId: PatientId.parse(patientId) }
  const appointmentId = services.newId() as never
  const reservation = reservedForBooking(1, slot, { ...ids, appointmentId })
  const day = `${other.id}-2031-03-03`
  return {
    ...fixture,
    other,
    slot,
    isActive: async () => {
      const { body } = (await client.get('/api/providers')) as { body: Provider[] }
      return body.find(({ id }) => id === other.id)?.active
    },
    deactivate: () => client.patch(`/api/providers/${other.id}`, { active: false }),
    book: () => tryBooking('2031-03-03T09:00', { providerId: other.id }),
    findAppointment: async () =>
      (await client.get(`/api/appointments/${appointmentId}`)) as { status: number; body: Appointment },
    listReservations: async () => (await services.bus.load(scheduleDecider, day)).state.reservations,
    /** Writes the first step of a booking, whose process then crashes. */
    reserveOnly: () =>
      services.bus.execute(
        scheduleDecider,
        day,
        { type: 'Reserve', event: reservation, allowOverlap: false },
        context,
        { idempotencyKey: reservationKey(slot.reservationId) },
      ),
    /** Runs the job that looks at a deactivation once more, without its delay. */
    reviewNow: () =>
      reviewDeactivation.run(
        services,
        {
          practiceId: practice.id,
          providerId: other.id,
          cause: { correlationId: services.newId(), causationId: services.newId() },
        },
        { id: services.newId(), attempt: 1, signal: new AbortController().signal },
      ),
    /** Books for a request that found the provider active a moment ago. */
    reserve: () => reserveSlot(services, reservation, context, { allowOverlap: false }),
    /** Writes the deactivation that was decided before an appointment was booked; its process then crashes. */
    deactivateOnly: () =>
      services.bus.execute(
        providerDecider,
        other.id,
        {
          type: 'Change',
          practiceId: practice.id,
          change: { active: false },
          upcomingAppointmentCount: 0,
          hasOtherActiveProviders: true,
        },
        context,
      ),
  }
}

itLong('is refused while a slot is reserved and its appointment not booked yet', async () => {
  const { reserveOnly, deactivate, isActive, findAppointment } = await newPractice()
  await reserveOnly()
  expect(await deactivate()).toMatchObject({
    status: 409,
    problem: { code: 'upcoming-appointments', appointments: 1, next: '2031-03-03T09:00:00.000Z' },
  })
  expect(await isActive()).toBe(true)
  expect((await waitForJobs(app.services.pool, findAppointment, ({ status }) => status === 200)).body.status).toBe(
    'scheduled',
  )
})

it('wins over a booking that has found the provider active before, and leaves the slot free', async () => {
  const { deactivate, reserve, isActive, listReservations, findAppointment } = await newPractice()
  expect((await deactivate()).status).toBe(200)
  const error = await reserve().catch((thrown: unknown) => thrown)
  expect((error as CommandRejected).rejection).toMatchObject({ rejected: 'provider-inactive', path: 'providerId' })
  expect(await listReservations()).toEqual([])
  expect((await findAppointment()).status).toBe(404)
  expect(await isActive()).toBe(false)
})

it('wins over an interrupted booking, whose slot is then released', async () => {
  const { deactivate, reserveOnly, isActive, listReservations, findAppointment } = await newPractice()
  await deactivate()
  await reserveOnly()
  expect(await listReservations()).toHaveLength(1)
  await waitForJobs(app.services.pool, listReservations, (reservations) => reservations.length === 0)
  expect((await findAppointment()).status).toBe(404)
  expect(await isActive()).toBe(false)
})

itLong('is not undone by a job because of a booking that may still be refused', async () => {
  const { deactivate, reserveOnly, isActive, listReservations, reviewNow } = await newPractice()
  await deactivate()
  await reserveOnly()
  await expect(reviewNow()).rejects.toThrow('still being booked')
  expect(await isActive()).toBe(false)
  await waitForJobs(app.services.pool, listReservations, (reservations) => reservations.length === 0)
  await reviewNow()
  expect(await isActive()).toBe(false)
})

itLong('is undone by a job when its process crashed before it saw the appointment', async () => {
  const { book, deactivateOnly, isActive } = await newPractice()
  expect((await book()).status).toBe(201)
  await deactivateOnly()
  await waitUntil(isActive, (active) => active === false)
  await waitForJobs(app.services.pool, isActive, (active) => active === true)
})

const races = cases(4, 300)
it(`never happens together with a booking, in ${races} races`, async () => {
  for (let race = 0; race < races; race++) {
    const { book, deactivate, isActive, listReservations } = await newPractice()
    const [booked, deactivated] = await Promise.all([book(), deactivate()])
    const outcome = [booked.status, deactivated.status].join()
    expect(['201,409', '409,200', '409,409']).toContain(outcome)
    expect(await isActive()).toBe(deactivated.status === 409)
    expect(await listReservations()).toHaveLength(booked.status === 201 ? 1 : 0)
  }
})
