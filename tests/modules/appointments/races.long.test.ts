import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { scheduleDecider } from '#modules/schedule/decider.ts'
import { cases, itLong } from '#tests/support/long.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from './scheduling-practice.ts'

const races = cases(12, 10_000)
const perDay = 48

let app: TestApp
let second: TestApp
beforeAll(async () => {
  app = await startTestApp()
  second = await startTestApp({ databaseUrl: app.databaseUrl })
})
afterAll(async () => {
  await second.stopInstance()
  await app.dispose()
})

it(
  `gives each of ${races} slots to exactly one of two concurrent requests to two instances`,
  async () => {
    const { practice, patientId, client, provider } = await newSchedulingPractice(app, { timezone: 'UTC' })
    const nurse = await joinPractice(app, practice.id, 'nurse')
    const elsewhere = second.newClient()
    elsewhere.setCookie(nurse.cookie())
    const first = Date.UTC(2031, 0, 6)
    const winners = { here: 0, elsewhere: 0 }
    for (let race = 0; race < races; race++) {
      const appointmentDate = new Date(first + race * 1_800_000).toISOString()
      const body = { patientId, appointmentDate, type: 'check-up', confirmed: BookingConcern.options }
      const [one, other] = await Promise.all([
        client.post('/api/appointments', body),
        elsewhere.post('/api/appointments', body),
      ])
      expect([one.status, other.status].toSorted()).toEqual([201, 409])
      expect((one.status === 409 ? one : other).problem).toMatchObject({
        code: 'slot-taken',
        conflict: { patientName: 'Grace Liu' },
      })
      if (one.status === 201) winners.here++
      else winners.elsewhere++
    }
    expect(winners.here + winners.elsewhere).toBe(races)
    for (let day = 0; day * perDay < races; day++) {
      const date = new Date(first + day * 86_400_000).toISOString().slice(0, 10)
      const { state } = await app.services.bus.load(scheduleDecider, `${provider.id}-${date}`)
      expect(state.reservations).toHaveLength(Math.min(perDay, races - day * perDay))
    }
  },
  Math.max(120_000, races * 500),
)

itLong('refuses none of forty concurrent moves of one appointment as busy, and releases the other slots', async () => {
  const { client, book, tryBooking } = await newSchedulingPractice(app, { timezone: 'UTC' })
  const appointment = await book('2031-02-03T09:00')
  const others = await Promise.all(['09:30', '10:00', '10:30'].map((time) => book(`2031-02-03T${time}`)))
  const first = Date.UTC(2031, 1, 4)
  const starts = Array.from({ length: 40 }, (_, nth) => new Date(first + nth * 1_800_000).toISOString())
  const moves = starts.map((appointmentDate) =>
    client.patch(`/api/appointments/${appointment.id}`, { appointmentDate }),
  )
  const cancelled = others.map(({ id }) => client.delete(`/api/appointments/${id}`))
  for (const { status } of await Promise.all(cancelled)) expect(status).toBe(204)
  const answers = await Promise.all(moves)
  const codes = answers.map(({ status, problem }) => (status === 200 ? 'moved' : problem.code))
  expect(new Set(codes)).toEqual(new Set(['moved', 'changed-meanwhile']))
  const { appointmentDate } = (await client.get(`/api/appointments/${appointment.id}`)).body as Appointment
  const freeStarts = [...starts.filter((start) => start !== appointmentDate), '2031-02-03T09:00', '2031-02-03T09:30']
  const booked = await Promise.all(freeStarts.map((start) => tryBooking(start)))
  expect(booked.map(({ status }) => status)).toEqual(freeStarts.map(() => 201))
})
