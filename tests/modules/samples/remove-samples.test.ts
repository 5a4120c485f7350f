import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { UserId } from '#contracts/values/ids.ts'
import { type CommandBus, createCommandBus } from '#eventstore/command-bus.ts'
import { scheduleDecider } from '#modules/schedule/decider.ts'
import { removeSampleJob } from '#modules/samples/process-manager.ts'
import { removeSamples } from '#modules/samples/remove-samples.ts'
import { ReadModelsBehind } from '#modules/kit/wait-for-read-models.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { crashingStore } from '#tests/modules/appointments/crashing-store.ts'
import {
  expectConsistentReadModels,
  readPracticeEvents,
  loadPatients,
  loadSampleData,
  loadAppointments,
  removeSampleData,
} from './sample-practice.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ hasSamplePractices: true })
})
afterAll(() => app.dispose())

const processActor = { kind: 'process', name: 'test' } as const
const gone = { state: 'removed', patients: 0, appointments: 0, edited: [] }

/** Returns every slot that is still reserved in a practice. */
async function heldIn(practiceId: string): Promise<string[]> {
  const streams = new Set((await readPracticeEvents(app, practiceId)).map(({ stream }) => stream))
  const days = [...streams].filter((stream) => stream.startsWith('schedule-'))
  const states = await Promise.all(
    days.map((stream) => app.services.bus.load(scheduleDecider, stream.slice('schedule-'.length))),
  )
  return states.flatMap(({ state }) => state.reservations.map(({ appointmentId }) => appointmentId as string))
}

const coming = (appointments: readonly Appointment[]) =>
  appointments.filter(
    ({ appointmentDate, status }) => appointmentDate > new Date().toISOString() && status !== 'cancelled',
  )

async function addPatient(client: Client): Promise<string> {
  return (await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).body.id
}

/** Books an appointment outside of the sample's weeks. */
const book = (client: Client, patientId: string, appointmentDate = '2031-03-03T09:00') =>
  client.post('/api/appointments', { patientId, appointmentDate, type: 'check-up' })

describe('removing the sample data', { timeout: 120_000 }, () => {
  itLong('removes all of it, and nothing that the practice entered or that belongs to another practice', async () => {
    const other = await newOwner(app)
    const { client, practice } = await newOwner(app)
    const patientId = await addPatient(client)
    const own = (await book(client, patientId)).body as Appointment
    const answer = await removeSampleData(client)
    expect([answer.status, answer.body]).toEqual([200, gone])
    expect((await loadPatients(client)).map(({ id }) => id)).toEqual([patientId])
    expect(await loadAppointments(client)).toEqual([])
    expect((await client.get(`/api/appointments/${own.id}`)).body).toMatchObject({ id: own.id, status: 'scheduled' })
    expect(await heldIn(practice.id)).toEqual([own.id])
    expect((await loadSampleData(other.client)).patients).toBe(40)
    expect((await readPracticeEvents(app, other.practice.id)).map(({ type }) => type)).not.toContain('PatientRemoved')
    await expectConsistentReadModels(app)
  })

  it('leaves no trace in the figures: no appointments, no revenue, no cancellations in the trends', async () => {
    const { client } = await newOwner(app)
    await removeSampleData(client)
    expect((await client.get('/api/dashboard/stats')).body).toMatchObject({
      todaysAppointments: 0,
      totalPatients: 0,
      revenueCents: 0,
      compared: { yesterdaysAppointments: 0, newPatientsThisWeek: 0, lastMonthsRevenue: { cents: 0 } },
    })
    const trends = (await client.get('/api/dashboard/trends?period=3months')).body
    for (const { scheduled, completed, cancelled } of [...trends.points, trends.before])
      expect([scheduled, completed, cancelled]).toEqual([0, 0, 0])
  })

  itLong('notifies open windows once, and is idempotent, also concurrently', async () => {
    const { client, practice } = await newOwner(app)
    const listening = await openEventStream(client, '/api/changes')
    const both = await Promise.all([client.delete('/api/sample-data'), client.delete('/api/sample-data')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await removeSampleData(client)).body).toEqual(gone)
    await addPatient(client)
    await listening.waitUntil(() => listening.messages('change').length >= 4)
    listening.close()
    expect(listening.messages('change')).toEqual([
      { kind: 'patients' },
      { kind: 'appointments' },
      { kind: 'subscription' },
      { kind: 'patients' },
    ])
    const before = await readPracticeEvents(app, practice.id)
    expect((await removeSampleData(client, 'remove')).body).toEqual({ ...gone })
    expect(await readPracticeEvents(app, practice.id)).toHaveLength(before.length)
    const removed = before.filter(({ type }) => type === 'PatientRemoved' || type === 'AppointmentRemoved')
    expect(new Set(removed.map(({ stream }) => stream)).size).toBe(removed.length)
  })

  itLong('is for the owner and administrators', async () => {
    const { client, practice } = await newOwner(app)
    for (const role of ['doctor', 'nurse', 'staff'] as const) {
      const member = await joinPractice(app, practice.id, role)
      expect((await member.get('/api/sample-data')).status).toBe(403)
      expect((await member.delete('/api/sample-data')).status).toBe(403)
    }
    expect((await loadSampleData(client)).patients).toBe(40)
    const administrator = await joinPractice(app, practice.id, 'administrator')
    expect((await removeSampleData(administrator)).body).toEqual(gone)
  })

  itLong('is requested by a subscription that becomes active', async () => {
    const { client, practice } = await newOwner(app)
    const [first] = await loadPatients(client)
    await client.patch(`/api/patients/${first?.id}`, { notes: 'Prefers mornings' })
    await app.services.jobs.send(removeSampleJob, { practiceId: practice.id })
    const left = await waitUntil(
      () => loadSampleData(client),
      ({ state }) => state === 'removed',
    )
    expect(left).toEqual(gone)
    expect((await loadPatients(client)).map(({ id, sample }) => [id, sample])).toEqual([[first?.id, false]])
  })
})

describe('sample records in use', { timeout: 120_000 }, () => {
  /** Edits a patient, moves an appointment, books one for another sample patient and adds one to the waitlist. */
  async function worked() {
    const owner = await newOwner(app)
    const { client } = owner
    const [edited, booked, waits] = await loadPatients(client)
    const ids = [edited, booked, waits].map((patient) => patient?.id ?? '')
    const moved = coming(await loadAppointments(client)).find(({ patientId }) => !ids.includes(patientId))
    if (!moved) throw new Error('There is no appointment to move')
    await client.patch(`/api/patients/${edited?.id}`, { notes: 'Prefers mornings' })
    const shifted = await client.patch(`/api/appointments/${moved.id}`, { appointmentDate: '2031-03-04T10:00' })
    const own = await book(client, booked?.id ?? '')
    const wait = await client.post('/api/waitlist', { patientId: waits?.id, type: 'check-up' })
    expect([shifted.status, own.status, wait.status]).toEqual([200, 201, 201])
    return { ...owner, edited, booked, waits, moved, own: own.body as Appointment }
  }

  it('are listed with their reasons, for a choice', async () => {
    const { client, edited, booked, waits, moved } = await worked()
    const answer = await client.delete('/api/sample-data')
    expect([answer.status, answer.problem.code]).toEqual([409, 'sample-edited'])
    expect(answer.body.edited).toEqual((await loadSampleData(client)).edited)
    expect(answer.body.edited).toHaveLength(5)
    expect(answer.body.edited).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'patient', id: edited?.id, reason: 'edited' }),
        expect.objectContaining({ kind: 'patient', id: booked?.id, reason: 'in-use' }),
        expect.objectContaining({ kind: 'patient', id: waits?.id, reason: 'in-use' }),
        expect.objectContaining({ kind: 'patient', id: moved.patientId, reason: 'in-use' }),
        expect.objectContaining({
          kind: 'appointment',
          id: moved.id,
          patient: moved.patient,
          localDate: '2031-03-04',
          localTime: '10:00',
        }),
      ]),
    )
    expect((await loadSampleData(client)).patients).toBe(40)
    expect((await client.delete('/api/sample-data?edited=perhaps')).status).toBe(422)
  })

  itLong('are kept on request, without the mark', async () => {
    const { client, practice, edited, booked, waits, moved, own } = await worked()
    expect((await removeSampleData(client, 'keep')).body).toEqual(gone)
    const patients = await loadPatients(client)
    expect(patients.map(({ id }) => id).toSorted()).toEqual(
      [edited?.id, booked?.id, waits?.id, moved.patientId].toSorted(),
    )
    expect(patients.some(({ sample }) => sample)).toBe(false)
    expect(await loadAppointments(client)).toEqual([])
    for (const { id, status } of [moved, own])
      expect((await client.get(`/api/appointments/${id}`)).body).toMatchObject({ sample: false, status })
    expect((await heldIn(practice.id)).toSorted()).toEqual([moved.id, own.id].toSorted())
    expect((await client.get('/api/waitlist')).body).toHaveLength(1)
    await expectConsistentReadModels(app)
  })

  itLong('are removed on request, and appointments booked for them are cancelled', async () => {
    const { client, practice, moved, own } = await worked()
    const patientId = await addPatient(client)
    expect((await removeSampleData(client, 'remove')).body).toEqual(gone)
    expect((await loadPatients(client)).map(({ id }) => id)).toEqual([patientId])
    expect((await client.get(`/api/appointments/${moved.id}`)).status).toBe(404)
    await waitUntil(
      () => heldIn(practice.id),
      (held) => held.length === 0,
    )
    expect((await client.get(`/api/appointments/${own.id}`)).body).toMatchObject({ status: 'cancelled' })
    expect((await client.get('/api/waitlist')).body).toEqual([])
    await expectConsistentReadModels(app)
  })

  itLong('do not include an appointment that was cancelled because its patient was deleted', async () => {
    const { client } = await newOwner(app)
    const [appointment] = coming(await loadAppointments(client))
    await client.delete(`/api/patients/${appointment?.patientId}`)
    await waitUntil(
      async () => (await client.get(`/api/appointments/${appointment?.id}`)).body as Appointment,
      ({ status }) => status === 'cancelled',
    )
    expect((await loadSampleData(client)).edited).toEqual([])
    expect((await removeSampleData(client)).body).toEqual(gone)
  })
})

itLong.each(['one run', 'two concurrent runs'])(
  'keeps an appointment that is changed during the removal, and its patient: %s',
  async (runs) => {
    const { client, practice } = await newOwner(app)
    const [appointment] = coming(await loadAppointments(client))
    const { id, patientId } = appointment as Appointment
    const context = { practiceId: practice.id, actor: processActor, correlationId: UserId.parse(practice.id) }
    const keep = (bus: CommandBus) => removeOnceUpToDate({ ...app.services, bus }, practice.id, 'keep', context)
    let other: Promise<void> | undefined
    async function changeAppointment() {
      const { status } = await client.patch(`/api/appointments/${id}`, { appointmentDate: '2031-03-04T10:00' })
      if (runs !== 'one run') other = keep(app.services.bus)
      return status
    }
    let change: Promise<number> | undefined
    const bus: CommandBus = {
      ...app.services.bus,
      // Runs after the records were inspected and before the first of them is removed.
      async execute(decider, streamId, ...rest) {
        if (decider.category === 'appointment') await (change ??= changeAppointment())
        return await app.services.bus.execute(decider, streamId, ...rest)
      },
    }
    await keep(bus)
    await other
    expect(await change).toBe(200)
    expect(await loadSampleData(client)).toEqual(gone)
    expect((await client.get(`/api/appointments/${id}`)).body).toMatchObject({ id, sample: false })
    expect((await loadPatients(client)).map((patient) => patient.id)).toEqual([patientId])
    expect(await heldIn(practice.id)).toEqual([id])
  },
  120_000,
)

itLong('waits for read models that are behind, and is completed once they have caught up', async () => {
  const stopping = await startTestApp({ hasSamplePractices: true })
  try {
    const { client } = await newOwner(stopping)
    await stopping.projectionRunner.stop()
    const answer = await client.delete('/api/sample-data')
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...gone, state: 'removing', patients: 40, appointments: expect.any(Number) },
    ])
    const second = await startTestApp({ databaseUrl: stopping.databaseUrl, hasSamplePractices: true })
    try {
      const reader = second.newClient()
      reader.setCookie(client.cookie())
      expect((await removeSampleData(reader)).body).toEqual(gone)
      expect(await loadPatients(reader)).toEqual([])
    } finally {
      await second.stopInstance()
    }
  } finally {
    await stopping.dispose()
  }
})

/** Removes sample data like the job: again while the read models are behind. */
async function removeOnceUpToDate(...[services, practiceId, edited, context]: Parameters<typeof removeSamples>) {
  for (;;)
    try {
      return await removeSamples(services, practiceId, edited, context)
    } catch (error) {
      if (!(error instanceof ReadModelsBehind)) throw error
    }
}

itLong(
  'is finished after a crash at any point',
  async () => {
    const practices: string[] = []
    for (const appends of [0, 1, 200, 330]) {
      const { client, practice } = await newOwner(app)
      const [first] = await loadPatients(client)
      await client.patch(`/api/patients/${first?.id}`, { notes: 'Prefers mornings' })
      const crash = crashingStore(app.services.store)
      const { clock, waitUntilCaughtUp: caughtUp } = app.services
      const bus = createCommandBus({ store: crash.store, clock, waitUntilCaughtUp: caughtUp })
      crash.after(appends)
      const context = { practiceId: practice.id, actor: processActor, correlationId: UserId.parse(practice.id) }
      await expect(removeOnceUpToDate({ ...app.services, bus }, practice.id, 'keep', context)).rejects.toThrow('gone')
      await removeOnceUpToDate(app.services, practice.id, 'remove', context)
      expect(await loadSampleData(client)).toEqual(gone)
      // The first recorded choice holds; a crash before it was recorded makes the second one the first.
      expect((await loadPatients(client)).map(({ id }) => id)).toEqual(appends === 0 ? [] : [first?.id])
      practices.push(practice.id)
    }
    // Reservations left over are released by the process manager of the appointments.
    for (const practiceId of practices)
      await waitUntil(
        () => heldIn(practiceId),
        (held) => held.length === 0,
      )
    await expectConsistentReadModels(app)
  },
  120_000,
)
