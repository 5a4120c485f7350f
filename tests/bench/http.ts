import { randomUUID } from 'node:crypto'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import type { ComposedApp } from '#main/compose.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { startBareServer } from './bare-server.ts'
import { fillPatients, searchTerms } from './search.ts'
import { measureInterleaved, type Timing, summarizeTimings } from './timing.ts'

const patients = 10_000
const dayMs = 86_400_000
const fullDay = Date.UTC(2030, 0, 7)
/** The query of the day that `fillDay` fills. */
export const day = `startDate=${new Date(fullDay).toISOString()}&endDate=${new Date(fullDay + dayMs - 1).toISOString()}`
const appointments = 100
const durationMinutes = 15
const slotsPerDay = (24 * 60) / durationMinutes
/** Bookings fill the days after this one as slowly as those of a practice. */
const firstFreeDay = Date.UTC(2031, 0, 1)
const stepMinutes = 45
const attending = 100

/**
 * Measures five requests among 10,000 patients beside a bare server (`startBareServer`), in interleaved rounds, and the lag after a
 * write. `ratio` is the speed relative to that server. Bookings are followed by their jobs, which run on the same machine.
 */
export async function benchHttp(
  url: string,
  { services }: ComposedApp,
  databaseUrl: string,
  seconds: number,
): Promise<{ rows: (Timing & { ratio: number })[]; lag: Timing[] }> {
  const { client, practice } = await newSubscriber({ newClient: () => createClient(url) })
  await fillPatients(services, PracticeId.parse(practice.id), patients)
  const patientIds = await addPatients(client)
  await fillDay(client, patientIds)
  const bare = await startBareServer(databaseUrl)
  try {
    const other = createClient(bare.url)
    const next = { slot: 0 }
    const requests = [
      { name: 'read a patient', call: (each: Client) => each.get(`/api/patients/${patientIds[0]}`) },
      {
        name: 'search a family name, 20 hits',
        call: (each: Client) => each.get(`/api/patients?limit=20&search=${searchTerms['very common name']}`),
      },
      { name: 'a day of 100 appointments', call: (each: Client) => each.get(`/api/appointments?${day}`) },
      {
        name: 'create a patient',
        call: (each: Client) => each.post('/api/patients', { firstName: 'Bench', lastName: randomUUID() }),
      },
      {
        name: 'book an appointment',
        call: (each: Client) => {
          const patientId = patientIds[next.slot % attending] as string
          return book(each, patientId, firstFreeDay + next.slot++ * stepMinutes * 60_000)
        },
      },
    ]
    const rows: (Timing & { ratio: number })[] = []
    for (const { name, call } of requests)
      for (const clients of [1, 8, 32]) {
        const candidates = [
          { name: `${name}: bare`, call: () => call(other).then(expectSuccess) },
          { name: `${name}: Everchart`, call: () => call(client).then(expectSuccess) },
        ]
        rows.push(...(await measureInterleaved(candidates, clients, seconds)))
      }
    return { rows, lag: [await lag(client, seconds)] }
  } finally {
    await bare.stop()
  }
}

/** Adds the patients who have appointments, and returns their ids. */
export async function addPatients(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < attending; n++) {
    const response = await client.post('/api/patients', { firstName: 'Bench', lastName: `Patient ${n}` })
    ids.push(expectSuccess(response).body.id as string)
  }
  return ids
}

/** Books a day of appointments. */
export async function fillDay(client: Client, patientIds: readonly string[]): Promise<void> {
  for (let n = 0; n < appointments; n++) {
    const startsAt = fullDay + (n % slotsPerDay) * durationMinutes * 60_000
    expectSuccess(await book(client, patientIds[n % attending] as string, startsAt, { allowOverlap: true }))
  }
}

const book = (client: Client, patientId: string, startsAt: number, more: object = {}) =>
  client.post('/api/appointments', {
    patientId,
    appointmentDate: new Date(startsAt).toISOString(),
    duration: durationMinutes,
    type: 'check-up',
    reason: 'Headache since Monday',
    confirmed: BookingConcern.options,
    ...more,
  })

/** Measures the lag from the reply of a write until a reader sees it, which read-your-writes should keep near zero. */
async function lag(client: Client, seconds: number): Promise<Timing> {
  const endsAt = performance.now() + seconds * 1_000
  const lags: number[] = []
  while (performance.now() < endsAt) {
    const { body } = await client.post('/api/patients', { firstName: 'Lag', lastName: randomUUID() })
    const repliedAt = performance.now()
    let attempts = 0
    while ((await client.get(`/api/patients/${body.id}`)).status !== 200) attempts++
    lags.push(attempts === 0 ? 0 : performance.now() - repliedAt)
  }
  return summarizeTimings('lag after the reply', 1, lags, seconds)
}

function expectSuccess<Response extends { status: number; body: unknown }>(response: Response): Response {
  if (response.status < 300) return response
  throw new Error(`a request was answered ${response.status} ${JSON.stringify(response.body)}`)
}
