import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BookingConcern } from '#contracts/values/appointments.ts'
import type { Client as Browser } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

/** Enough for one without statements of the background, such as the look for due jobs, which only add to a count. */
const attempts = 40

let app: TestApp
let owner: Browser
let patientId: string
let movedId: string
let statements = 0
let people = 0
const query = Client.prototype.query

let appointments = 0

/** Books the next quarter of an hour of a day on which the practice is closed, which users confirm. */
const book = () =>
  owner.post('/api/appointments', {
    patientId,
    appointmentDate: new Date(Date.UTC(2031, 0, 1) + appointments++ * 900_000).toISOString(),
    duration: 15,
    type: 'check-up',
    confirmed: BookingConcern.options,
  })

let moves = 0

/** Moves an appointment to the next quarter of an hour of another year. */
const move = () =>
  owner.patch(`/api/appointments/${movedId}`, {
    appointmentDate: new Date(Date.UTC(2032, 0, 1) + moves++ * 900_000).toISOString(),
    confirmed: BookingConcern.options,
  })

/** Cancels a new appointment; only the cancellation counts. */
async function cancel() {
  const { id } = (await book()).body
  statements = 0
  return await owner.delete(`/api/appointments/${id}`)
}

const addPatient = () => owner.post('/api/patients', { firstName: 'Grace', lastName: `Liu ${++people}` })

beforeAll(async () => {
  app = await startTestApp()
  owner = (await newOwner(app)).client
  patientId = (await addPatient()).body.id
  movedId = (await book()).body.id
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    statements++
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
})
afterAll(async () => {
  Client.prototype.query = query
  await app.dispose()
})

/** The most statements from the request to its reply; of a write, those of the read models are among them. */
const limits: readonly [name: string, most: number, send: () => Promise<{ status: number }>][] = [
  ['one patient', 2, () => owner.get(`/api/patients/${patientId}`)],
  ['a page of patients', 2, () => owner.get('/api/patients')],
  ['a search for a name', 3, () => owner.get('/api/patients?limit=20&search=Liu')],
  ['a search for a name that no patient has', 4, () => owner.get('/api/patients?limit=20&search=Xylophone')],
  ['the appointments of today', 2, () => owner.get('/api/appointments/today')],
  ['how full a month is', 2, () => owner.get('/api/appointments/busy-days?from=2026-11-01&until=2026-12-01')],
  ["the dashboard's figures", 6, () => owner.get('/api/dashboard/stats')],
  ['the trends', 3, () => owner.get('/api/dashboard/trends?period=30days')],
  ['a new patient', 13, addPatient],
  ['an appointment', 14, book],
  ['an appointment that is moved', 18, move],
  ['an appointment that is cancelled', 13, cancel],
]

it.each(limits)('%s needs at most %i statements', async (_, most, send) => {
  const counts: number[] = []
  for (let attempt = 0; attempt < attempts && !(Math.min(...counts) <= most); attempt++) {
    statements = 0
    expect((await send()).status).toBeLessThan(300)
    counts.push(statements)
  }
  expect(Math.min(...counts)).toBeLessThanOrEqual(most)
  // Each request looks its session up.
  expect(Math.min(...counts)).toBeGreaterThan(0)
})

it('requests that arrive together look their sessions up together', async () => {
  const requests = 24
  const counts: number[] = []
  // Each alone needs two. How many arrive in one turn depends on the network.
  for (let attempt = 0; attempt < attempts && !(Math.min(...counts) < 2 * requests); attempt++) {
    statements = 0
    const replies = await Promise.all(Array.from({ length: requests }, () => owner.get(`/api/patients/${patientId}`)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: requests }, () => 200))
    counts.push(statements)
  }
  expect(Math.min(...counts)).toBeLessThan(2 * requests)
})
