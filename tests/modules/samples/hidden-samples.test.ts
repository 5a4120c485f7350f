import ICAL from 'ical.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Appointment, FreeSlot } from '#contracts/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { appointmentDecider } from '#modules/appointments/decider.ts'
import { removeSampleJob } from '#modules/samples/process-manager.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { preview } from '#tests/modules/patients/import/import-fixtures.ts'
import { expectConsistentReadModels, loadAppointments, loadPatients, loadSampleData } from './sample-practice.ts'
import { itLong } from '#tests/support/long.ts'

// Without this process manager, sample records stay until a test removes them, as they do for moments after a payment.
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ hasSamplePractices: true, disabledProcessManagers: ['sample-practice'] })
  // A day that ended during a test would change the figures of today.
  app.stopClock()
})
afterAll(() => app.dispose())

type Sextet<Item> = [Item, Item, Item, Item, Item, Item]

const iso = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Every address that lists records or counts them. */
const paths = [
  '/api/patients?limit=500',
  '/api/patients?limit=500&sort=-updatedAt',
  '/api/patients?limit=500&sort=dateOfBirth',
  '/api/patients?limit=5&sort=-updatedAt',
  `/api/appointments?startDate=${iso(-30)}&endDate=${iso(30)}`,
  '/api/appointments/today',
  '/api/waitlist',
  '/api/dashboard/stats',
  '/api/dashboard/trends?period=7days',
  '/api/dashboard/trends?period=3months',
  `/api/dashboard/appointments?from=${iso(-60).slice(0, 10)}&to=${iso(0).slice(0, 10)}&by=completion&counted=completed`,
  `/api/dashboard/appointments?from=${iso(-60).slice(0, 10)}&to=${iso(30).slice(0, 10)}&by=start&counted=all`,
  `/api/analytics?from=${iso(-60).slice(0, 10)}&to=${iso(30).slice(0, 10)}`,
  `/api/analytics/patient-growth/records?from=${iso(-60).slice(0, 10)}&to=${iso(30).slice(0, 10)}`,
  `/api/analytics/appointment-rate/records?from=${iso(-60).slice(0, 10)}&to=${iso(30).slice(0, 10)}`,
  '/api/ai/insights',
  '/api/subscription/status',
]

itLong(
  'a subscriber sees no sample record from the first moment, in no figure and no list, also while they still exist',
  async () => {
    const { client } = await newOwner(app)
    const get = async (path: string) => {
      const answer = await client.get(path)
      expect([path, answer.status]).toEqual([path, 200])
      return answer
    }
    const samples = { patients: await loadPatients(client), appointments: await loadAppointments(client) }
    expect(samples.patients).toHaveLength(40)
    expect(samples.appointments.length).toBeGreaterThan(100)
    const [{ id: providerId }] = (await get('/api/providers')).body
    const hopper = { firstName: 'Grace', lastName: 'Hopper', phone: '(617) 555-0142' }
    const own = (await client.post('/api/patients', hopper)).body as Patient
    const booking = { patientId: own.id, providerId, appointmentDate: '2031-03-03T09:00', type: 'check-up' }
    const booked = (await client.post('/api/appointments', booking)).body as Appointment
    const feed = (await client.post('/api/calendar-feeds', { providerId, label: 'Phone' })).body as { path: string }
    const eventsInFeed = async () => {
      const calendar = new ICAL.Component(ICAL.parse((await app.newClient().get(feed.path)).body as string) as never)
      return calendar.getAllSubcomponents('vevent').length
    }
    expect(await eventsInFeed()).toBeGreaterThan(0)
    expect((await get('/api/user')).body).toMatchObject({ isRemovingSamples: false })
    const window = await openEventStream(client, '/api/changes')

    await subscribe(client, 'professional')
    expect(await waitForUserSubscription(client, 'trial')).toMatchObject({ isRemovingSamples: true })
    // Screens that are open already fetch their figures and lists again.
    await window.waitUntil(() =>
      window.messages('change').some((hint) => (hint as { kind: string }).kind === 'appointments'),
    )
    window.close()
    const expectOnlyOwn = async () => {
      const bodies = new Map<string, string>()
      for (const path of paths) bodies.set(path, JSON.stringify((await get(path)).body))
      for (const { id } of [...samples.patients, ...samples.appointments])
        expect([...bodies].find(([, body]) => body.includes(id))?.[0]).toBe(undefined)
      expect(await loadPatients(client)).toMatchObject([{ id: own.id }])
      expect((await get('/api/patients')).headers.get('x-total-count')).toBe('1')
      for (const { lastName } of samples.patients.slice(0, 10)) {
        const found = await get(`/api/patients?search=${encodeURIComponent(lastName)}`)
        expect([found.body, found.headers.get('x-total-count')]).toEqual([[], '0'])
      }
      const stats = (await get('/api/dashboard/stats')).body
      expect(stats).toMatchObject({
        todaysAppointments: 0,
        totalPatients: 1,
        compared: { yesterdaysAppointments: 0, newPatientsThisWeek: 1 },
        histories: {
          appointments: [0, 0, 0, 0, 0, 0, 0],
          patients: [0, 0, 0, 0, 0, 0, 1],
          revenue: [0, 0, 0, 0, 0, 0, 0],
        },
      })
      expect(JSON.stringify([stats.revenue, stats.compared.lastMonthsRevenue])).not.toMatch(/[1-9]/)
      const trends = (await get('/api/dashboard/trends?period=3months')).body
      for (const { scheduled, completed, cancelled } of [...trends.points, trends.before])
        expect([scheduled, completed, cancelled]).toEqual([0, 0, 0])
      expect((await get('/api/ai/insights')).body).toEqual([])
      expect(await eventsInFeed()).toBe(0)
      expect((await get(`/api/appointments/${booked.id}`)).body).toMatchObject({ sample: false })
    }
    await expectOnlyOwn()
    expect(await loadSampleData(client)).toMatchObject({ patients: 40 })
    expect((await get('/api/subscription/status')).body.patients).toBe(1)

    await client.post('/api/subscription/cancel')
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    expect(await waitForUserSubscription(client, 'demo')).toMatchObject({ hasLapsed: true, isRemovingSamples: true })
    for (const path of ['/api/patients', '/api/appointments/today'])
      expect((await get(path)).body.length).toBeLessThan(2)
    await subscribe(client, 'professional')
    await waitForUserSubscription(client, 'active')

    await app.services.jobs.send(removeSampleJob, { practiceId: own.practiceId })
    await waitUntil(
      () => client.get('/api/user'),
      ({ body }) => !body.isRemovingSamples,
    )
    await expectOnlyOwn()
  },
  120_000,
)

itLong(
  'a subscriber books over sample appointments that are still there, but not over an edited one, nor twice',
  async () => {
    const { client, provider, patientId, tryBooking, book } = await newSchedulingPractice(app)
    const { practiceId } = (await client.get('/api/user')).body as { practiceId: PracticeId }
    const coming = (await loadAppointments(client))
      .filter(({ appointmentDate, status }) => appointmentDate > iso(1) && status !== 'cancelled')
      .toSorted((a, b) => (a.appointmentDate < b.appointmentDate ? -1 : 1))
    const [edited, wanted, contested, target, removed, linked] = coming as Sextet<Appointment>
    await client.patch(`/api/appointments/${edited.id}`, { notes: 'Fasting' })
    const isFree = async ({ appointmentDate, duration }: Appointment) => {
      const query = `from=${appointmentDate}&duration=${duration}&days=1&limit=1`
      const [first] = (await client.get(`/api/appointments/free-slots?${query}`)).body as FreeSlot[]
      return first?.start === appointmentDate
    }
    const bookOver = ({ appointmentDate, duration }: Appointment) => tryBooking(appointmentDate, { duration })
    const takenBy = (appointmentId: string) => ({
      status: 409,
      problem: { code: 'slot-taken', conflict: { appointmentId } },
    })
    const waiting = {
      patientId,
      providerId: null,
      type: 'check-up',
      duration: 5,
      earliest: null,
      latest: null,
      notes: null,
    }
    await client.post('/api/waitlist', {
      ...waiting,
      patientId: linked.patientId,
      appointmentId: linked.id,
    })
    const countCandidates = async () => {
      const start = encodeURIComponent(new Date(Date.parse(linked.appointmentDate) + 60_000).toISOString())
      const path = `/api/waitlist/candidates?providerId=${provider.id}&start=${start}&duration=30`
      return ((await client.get(path)).body as unknown[]).length
    }
    expect(await bookOver(wanted)).toMatchObject(takenBy(wanted.id))
    expect(await isFree(wanted)).toBe(false)
    expect(await countCandidates()).toBe(0)

    await subscribe(client, 'professional')
    expect(await waitForUserSubscription(client, 'trial')).toMatchObject({ isRemovingSamples: true })
    expect(await Promise.all([wanted, edited].map(isFree))).toEqual([true, false])
    expect(await countCandidates()).toBe(1)
    const series = { patientId, appointmentDate: wanted.appointmentDate, duration: 30, resolutions: [] }
    const preview = await client.post('/api/appointments/series/preview', {
      ...series,
      recurrence: { every: 1, unit: 'day', count: 5 },
    })
    const found = (preview.body.appointments as { conflict: { appointmentId: string } | null }[]).map(
      ({ conflict }) => conflict?.appointmentId ?? null,
    )
    expect(found.filter((id) => id !== null && id !== edited.id)).toEqual([])

    // The edited one becomes the practice's own.
    const refused = await bookOver(edited)
    expect(refused).toMatchObject(takenBy(edited.id))
    const booked = await book(wanted.appointmentDate, { duration: wanted.duration })
    expect(booked).toMatchObject({ overlap: false })
    const attempts = await Promise.all(Array.from({ length: 6 }, () => bookOver(contested)))
    const [winner] = attempts.filter(({ status }) => status === 201)
    for (const attempt of attempts.filter((each) => each !== winner))
      expect(attempt).toMatchObject(takenBy(winner?.body.id as string))
    const move = { appointmentDate: target.appointmentDate, duration: target.duration }
    expect(await client.patch(`/api/appointments/${booked.id}`, move)).toMatchObject({
      status: 200,
      body: { overlap: false },
    })
    // Removed by the job, which has not released the slots of its round yet.
    await app.services.bus.execute(
      appointmentDecider,
      removed.id,
      { type: 'RemoveSample', practiceId },
      { practiceId, actor: { kind: 'process', name: 'sample-practice' }, correlationId: removed.id, sample: true },
    )
    expect((await bookOver(removed)).status).toBe(201)

    await app.services.jobs.send(removeSampleJob, { practiceId })
    await waitUntil(
      () => client.get('/api/user'),
      ({ body }) => !body.isRemovingSamples,
    )
    const left = await loadAppointments(client)
    expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining([edited.id, booked.id, winner?.body.id]))
    expect(left.filter(({ sample }) => sample)).toEqual([])
    expect(left).toHaveLength(4)
    await expectConsistentReadModels(app)
  },
  120_000,
)

it('a demo practice sees them all, also after it has chosen a plan without paying', async () => {
  const { client } = await newOwner(app)
  await client.post('/api/create-subscription', { planType: 'professional' })
  expect((await client.get('/api/user')).body).toMatchObject({ isDemoUser: true, isRemovingSamples: false })
  expect(await loadPatients(client)).toHaveLength(40)
  expect((await client.get('/api/dashboard/stats')).body).toMatchObject({ totalPatients: 40, todaysAppointments: 12 })
})

it('make no duplicate of a person in a file, neither by name nor by phone number nor by email', async () => {
  const { client } = await newOwner(app)
  const samples = (await loadPatients(client)).filter(({ dateOfBirth, phone, email }) => dateOfBirth && phone && email)
  expect(samples.length).toBeGreaterThan(3)
  const rows = samples.flatMap(({ firstName, lastName, dateOfBirth, phone, email }) => [
    [firstName, lastName, dateOfBirth, '', ''],
    [firstName, lastName, '', phone, ''],
    [`${firstName}e`, lastName, dateOfBirth, '', email],
  ])
  const csv = ['first,last,birthdate,phone,email', ...rows.map((row) => row.join(','))].join('\n')
  expect(await preview(client, csv)).toMatchObject({ new: rows.length, duplicate: 0, question: 0, invalid: 0 })
})
