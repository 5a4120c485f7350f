import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Appointment } from '#contracts/appointments.ts'
import { WaitlistEntry } from '#contracts/waitlist.ts'
import { cancelForRemovedPatient } from '#modules/appointments/jobs.ts'
import { ReadModelsBehind } from '#modules/kit/wait-for-read-models.ts'
import { removeEntriesOfRemovedPatient } from '#modules/waitlist/jobs.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('replies from the decided state while the read models are stopped, and from the read models afterwards', async () => {
  const { client, practice } = await newSchedulingPractice(app)
  const patient = { firstName: 'Anna Maria', lastName: 'van der Berg' }
  const patientId = (await client.post('/api/patients', patient)).body.id as string
  await app.projectionRunner.stop()

  const request = { patientId, appointmentDate: '2031-03-05T09:00', type: 'check-up', reason: 'Annual physical' }
  const booked = await client.post('/api/appointments', request)
  expect(booked.status).toBe(201)
  expect(Appointment.parse(booked.body)).toMatchObject({ practiceId: practice.id, patient, revision: 0 })
  const moved = await client.patch(`/api/appointments/${booked.body.id}`, { appointmentDate: '2031-03-05T10:00' })
  expect(Appointment.parse(moved.body)).toMatchObject({ patient, localTime: '10:00', reason: 'Annual physical' })
  expect((await client.post('/api/appointments', { ...request, appointmentDate: '2031-03-05T10:15' })).problem).toEqual(
    expect.objectContaining({
      code: 'slot-taken',
      conflict: expect.objectContaining({ patientName: 'Anna Maria van der Berg' }),
    }),
  )
  const waits = await client.post('/api/waitlist', { patientId, type: 'check-up' })
  expect(WaitlistEntry.parse(waits.body)).toMatchObject({ patient })

  const second = await startTestApp({ databaseUrl: app.databaseUrl })
  try {
    const reader = second.newClient()
    reader.setCookie(client.cookie())
    // The coverage is a part of the details only.
    const {
      createdAt,
      updatedAt,
      statusSince,
      coverage: _,
      ...appointment
    } = (await reader.get(`/api/appointments/${booked.body.id}`)).body
    expect(moved.body).toMatchObject(appointment)
    expect((await reader.get('/api/waitlist')).body).toMatchObject([{ id: waits.body.id, patient }])
    expect([createdAt, updatedAt, statusSince].every((at) => !Number.isNaN(Date.parse(at)))).toBe(true)
  } finally {
    await second.stopInstance()
  }
})

it('does not act for a removed patient on read models that lack his newest appointment', async () => {
  const stopping = await startTestApp()
  try {
    const { client, practice } = await newSchedulingPractice(stopping)
    const patientId = (await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).body.id as string
    await stopping.projectionRunner.stop()
    const request = { patientId, appointmentDate: '2031-03-05T09:00', type: 'check-up' }
    expect((await client.post('/api/appointments', request)).status).toBe(201)
    expect((await client.post('/api/waitlist', { patientId, type: 'check-up' })).status).toBe(201)

    const id = randomUUID()
    const data = { cause: { correlationId: id, causationId: id }, practiceId: practice.id, patientId }
    for (const job of [...Object.values(cancelForRemovedPatient), ...Object.values(removeEntriesOfRemovedPatient)])
      await expect(
        job.run(stopping.services, job.data.parse(data), { id, attempt: 1, signal: new AbortController().signal }),
      ).rejects.toThrow(ReadModelsBehind)
  } finally {
    await stopping.dispose()
  }
})
