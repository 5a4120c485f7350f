import { afterAll, beforeAll, expect, it } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

const messages = 2_000
const clients = 8
/** The test application sends 6,000 messages a minute: one every ten milliseconds. */
const distanceMs = 10
/** The places by which a message may be early or late: jobs run several at a time. */
const maxDisplacement = 40
const minuteMs = 60_000
const jobsTimeoutMs = 280_000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('messages that are due at once leave once each, at the pace of the installation, by appointment time', async () => {
  const { client } = await newSubscriber(app, 'enterprise')
  const { body: patient } = await client.post('/api/patients', {
    firstName: 'Grace',
    lastName: 'Liu',
    email: 'grace@example.test',
  })
  await client.post('/api/appointment-confirmations/config', {
    reminderType: 'email',
    reminderTiming: '24h',
    autoReschedule: false,
  })
  const first = Math.ceil(Date.now() / minuteMs) * minuteMs + 3 * 24 * 60 * minuteMs
  // 7 and 2,000 have no common factor: each minute once, in no order.
  const starts = Array.from({ length: messages }, (_, index) => first + ((index * 7) % messages) * minuteMs)
  async function book(): Promise<void> {
    for (let startsAt = starts.shift(); startsAt !== undefined; startsAt = starts.shift()) {
      const booked = await client.post('/api/appointments', {
        patientId: patient.id,
        appointmentDate: new Date(startsAt).toISOString(),
        type: 'consultation',
        allowOverlap: true,
      })
      expect(booked.status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: clients }, book))

  const { pool, store } = app.services
  const countJobs = async (condition: string) => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from jobs.job where name = 'send-confirmation' and ${condition}`,
    )
    return rows[0]?.count ?? 0
  }
  await waitUntil(
    () => countJobs(`state = 'created'`),
    (count) => count === messages,
    jobsTimeoutMs,
  )
  await pool.query(`update jobs.job set start_after = now() where name = 'send-confirmation'`)
  await waitUntil(
    () => countJobs(`state < 'completed'`),
    (count) => count === 0,
    jobsTimeoutMs,
  )

  const events = await readAllEvents(store)
  const planned = new Map(
    events.flatMap(({ type, data }) =>
      type === 'ConfirmationPlanned' ? [[data['confirmationId'], String(data['startsAt'])] as const] : [],
    ),
  )
  const sent = events.filter(({ type }) => type === 'ConfirmationSent')
  const order = sent.map(({ data }) => planned.get(data['confirmationId']) ?? '')
  expect(new Set(order).size).toBe(messages)
  expect(order.length).toBe(messages)
  const times = sent.map(({ metadata }) => Date.parse(metadata.at))
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan((messages - maxDisplacement) * distanceMs)
  const place = new Map(order.toSorted().map((startsAt, index) => [startsAt, index]))
  const displaced = order.map((startsAt, index) => Math.abs((place.get(startsAt) ?? 0) - index))
  expect(Math.max(...displaced)).toBeLessThanOrEqual(maxDisplacement)
}, 600_000)
