import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { samplePeople } from '#contracts/sample-people.ts'
import { sampleSeed } from '#contracts/sample-practice.ts'
import { sampleSchedule } from '#contracts/sample-schedule.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import { sampleDecider } from '#modules/samples/decider.ts'
import { planSample } from '#modules/samples/plan-sample.ts'
import { sampleSettings } from '#modules/samples/settings.ts'
import { planIfEligible, finishSeeding } from '#modules/samples/seed-samples.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { newOwner, newUser, practiceDetails } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { crashingStore } from '#tests/modules/appointments/crashing-store.ts'
import {
  expectConsistentReadModels,
  readPracticeEvents,
  loadPatients,
  loadSampleData,
  loadAppointments,
} from './sample-practice.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ hasSamplePractices: true })
})
afterAll(() => app.dispose())

const clockIn = (timeZone: string, at: string) => {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const [date = '', time = ''] = parts.format(new Date(at)).split(' ')
  return { date, time }
}

async function beginningsOf(practiceId: string) {
  const { state } = await app.services.bus.load(sampleDecider, practiceId)
  if (!('parameters' in state)) throw new Error(`The sample is ${state.status}`)
  return state.parameters
}

describe('a practice that a demo user sets up', { timeout: 120_000 }, () => {
  it.each(['Asia/Kathmandu', 'America/New_York'])(
    'is full when that is answered, dated on its clocks: %s',
    async (zone) => {
      const { client, practice } = await newOwner(app, { timezone: zone })
      const appointments = await loadAppointments(client)
      const { date, time } = clockIn(zone, (await beginningsOf(practice.id)).at)
      const expected = sampleSchedule(date, time, sampleSeed)
      const inOrder = <Appointment extends { localDate: string; localTime: string }>(
        list: readonly Appointment[],
      ): Appointment[] =>
        list.toSorted((a, b) => `${a.localDate} ${a.localTime}`.localeCompare(`${b.localDate} ${b.localTime}`))
      expect(inOrder(appointments)).toMatchObject(
        inOrder(expected).map(({ person: _, ...appointment }) => ({ ...appointment, sample: true, overlap: false })),
      )
      const patients = await loadPatients(client)
      expect(patients.map(({ firstName, lastName }) => `${firstName} ${lastName}`).toSorted()).toEqual(
        samplePeople.map(({ firstName, lastName }) => `${firstName} ${lastName}`).toSorted(),
      )
      expect(patients.every(({ sample, lastVisit }) => sample && lastVisit !== null)).toBe(true)
      const stats = (await client.get('/api/dashboard/stats')).body
      expect(stats).toMatchObject({ today: date, totalPatients: 40 })
      expect(stats.todaysAppointments).toBe(
        expected.filter(({ localDate, status }) => localDate === date && status !== 'cancelled').length,
      )
      expect(await loadSampleData(client)).toEqual({
        state: 'seeded',
        patients: 40,
        appointments: expected.length,
        edited: [],
      })
    },
  )

  it('has events that are all marked, in the past and in order', async () => {
    const { practice } = await newOwner(app)
    const facts = await readPracticeEvents(app, practice.id)
    const own = facts.filter(({ metadata }) => !metadata.sample)
    expect(own.map(({ type }) => type)).toEqual(['PracticeSetUp', 'ProviderAdded'])
    const [setUp, ...others] = facts
    for (const { metadata } of others)
      expect([metadata.causationId, metadata.correlationId]).toEqual([setUp?.id, setUp?.metadata.correlationId])
    const until = (await beginningsOf(practice.id)).at
    for (const [, history] of Map.groupBy(facts, ({ stream }) => stream)) {
      const moments = history.map(({ metadata }) => metadata.at)
      expect(moments).toEqual(moments.toSorted())
    }
    const before = facts.filter(({ stream }) => /^(patient|appointment)-/.test(stream))
    expect(before.length).toBeGreaterThan(300)
    expect(before.every(({ metadata }) => metadata.at <= until)).toBe(true)
  })

  it('is seeded once, however often it is set up, concurrently or later', async () => {
    const { client } = await newUser(app)
    await Promise.all([1, 2, 3].map(() => client.post('/api/practices/setup', practiceDetails)))
    const { body } = await client.post('/api/practices/setup', { ...practiceDetails, selectedPlan: 'starter' })
    const types = (await readPracticeEvents(app, body.id)).map(({ type }) => type)
    expect(types.filter((type) => type === 'PatientRegistered')).toHaveLength(40)
    expect(types.filter((type) => type.startsWith('SamplePractice'))).toHaveLength(2)
    const booked = types.filter((type) => type === 'AppointmentBooked')
    expect(booked).toHaveLength((await loadSampleData(client)).appointments)
    expect(types.filter((type) => type === 'SlotReservedForBooking')).toHaveLength(booked.length)
  })

  itLong('is completed after a crash at any point, without duplicates', async () => {
    for (const appends of [0, 17, 120, 333]) {
      const { client, practice } = await createInterruptedPractice(appends)
      const { appointments } = planSample(practice.id, await beginningsOf(practice.id))
      await finishSeeding(app.services, practice.id)
      const counted = Map.groupBy(await readPracticeEvents(app, practice.id), ({ type }) => type)
      for (const [type, count] of [
        ['PatientRegistered', 40],
        ['AppointmentBooked', appointments.length],
        ['SlotReservedForBooking', appointments.length],
        ['AppointmentCompleted', appointments.filter(({ status }) => status === 'completed').length],
        ['SamplePracticeSeeded', 1],
      ] as const)
        expect([type, counted.get(type)?.length]).toEqual([type, count])
      const stand = (id: string, status: string) => `${id} ${status}`
      expect((await loadAppointments(client)).map(({ id, status }) => stand(id, status)).toSorted()).toEqual(
        appointments.map(({ appointmentId, status }) => stand(appointmentId, status)).toSorted(),
      )
    }
    await expectConsistentReadModels(app)
  })

  /** Creates a practice whose seeding crashed after a number of appends. */
  async function createInterruptedPractice(appends: number) {
    const quiet = { ...app, newClient: () => app.newClient() }
    sampleSettings.read(app.services).isEnabled = false
    const owner = await newOwner(quiet)
    sampleSettings.read(app.services).isEnabled = true
    await planIfEligible(app.services, owner.practice.id)
    const crash = crashingStore(app.services.store)
    const { clock, waitUntilCaughtUp: caughtUp } = app.services
    const bus = createCommandBus({ store: crash.store, clock, waitUntilCaughtUp: caughtUp })
    crash.after(appends)
    await expect(finishSeeding({ ...app.services, bus }, owner.practice.id)).rejects.toThrow('gone')
    return owner
  }

  itLong('notifies open windows once', async () => {
    const { client } = await newUser(app)
    sampleSettings.read(app.services).isEnabled = false
    const { body } = await client.post('/api/practices/setup', practiceDetails)
    sampleSettings.read(app.services).isEnabled = true
    const listening = await openEventStream(client, '/api/changes')
    await planIfEligible(app.services, body.id)
    await finishSeeding(app.services, body.id)
    const hints = () => listening.messages('change').filter((hint) => (hint as { kind: string }).kind !== 'providers')
    await listening.waitUntil(() => hints().length >= 2)
    await client.patch(`/api/patients/${(await loadPatients(client))[0]?.id}`, { notes: 'The end' })
    await listening.waitUntil(() => hints().length >= 3)
    listening.close()
    expect(hints()).toEqual([{ kind: 'patients' }, { kind: 'appointments' }, { kind: 'patients' }])
  })
})

describe('a practice that starts empty', { timeout: 120_000 }, () => {
  it('belongs to an owner who has subscribed before', async () => {
    const { client, user } = await newUser(app)
    await app.services.pool.query("update read.users set subscription_status = 'active' where user_id = $1", [user.id])
    await client.post('/api/practices/setup', practiceDetails)
    expect(await loadSampleData(client)).toEqual({ state: 'none', patients: 0, appointments: 0, edited: [] })
  })

  itLong('is every practice when sample data is off', async () => {
    const plain = await startTestApp()
    const { client } = await newOwner(plain)
    expect(await loadSampleData(client)).toEqual({ state: 'none', patients: 0, appointments: 0, edited: [] })
    expect((await client.delete('/api/sample-data')).body.state).toBe('none')
    expect(await loadPatients(client)).toEqual([])
    await plain.dispose()
  })
})

itLong('is never suggested as a duplicate of a real patient', async () => {
  const { client } = await newOwner(app)
  const [person] = samplePeople
  const { firstName, lastName, dateOfBirth } = person as (typeof samplePeople)[number]
  const added = await client.post('/api/patients', { firstName, lastName, dateOfBirth })
  expect([added.status, added.body.sample]).toEqual([201, false])
  const csv = `First Name,Last Name,DOB\n${samplePeople[1]?.firstName},${samplePeople[1]?.lastName},${samplePeople[1]?.dateOfBirth}\n`
  const preview = await client.post('/api/patients/import/preview', { csv })
  expect(JSON.stringify(preview.body)).not.toContain('already here')
})
