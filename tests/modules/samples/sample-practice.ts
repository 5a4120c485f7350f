import { expect } from 'vitest'
import { modules } from '#main/modules.ts'
import type { Appointment } from '#contracts/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import type { SampleData } from '#contracts/sample-data.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { Client } from '#tests/support/client.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import type { TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

/** Returns all events of a practice, oldest first. */
export const readPracticeEvents = async (app: TestApp, practiceId: string): Promise<Recorded[]> =>
  (await readAllEvents(app.services.store)).filter(({ metadata }) => metadata.practiceId === practiceId)

/** Returns the sample data as the settings show it. */
export const loadSampleData = async (client: Client): Promise<SampleData> => (await client.get('/api/sample-data')).body

/** Removes the sample data; asks again while the read models of a busy machine are behind. Returns the last reply. */
export const removeSampleData = (client: Client, edited?: 'keep' | 'remove') =>
  waitUntil(
    () => client.delete(`/api/sample-data${edited === undefined ? '' : `?edited=${edited}`}`),
    // On a slow machine, seeding is not finished within a request either.
    ({ body }) => !['seeding', 'removing'].includes((body as SampleData).state),
  )

export const loadPatients = async (client: Client): Promise<Patient[]> =>
  (await client.get('/api/patients?limit=500')).body

/** Returns every appointment from ten weeks ago to seven weeks ahead. */
export async function loadAppointments(client: Client): Promise<Appointment[]> {
  const all: Appointment[] = []
  const start = Date.now() - 70 * 86_400_000
  for (const [from, to] of [
    [0, 60],
    [60, 120],
  ]) {
    const day = (days = 0) => new Date(start + days * 86_400_000).toISOString()
    all.push(...(await client.get(`/api/appointments?startDate=${day(from)}&endDate=${day(to)}`)).body)
  }
  return [...new Map(all.map((appointment) => [appointment.id, appointment])).values()]
}

/** Expects every read model to equal a fold of all events. */
export async function expectConsistentReadModels({ services }: TestApp): Promise<void> {
  const head = await services.store.head()
  // Tests write to the users' table directly.
  const all = modules.flatMap(({ projections = [] }) => projections).filter(({ name }) => name !== 'users')
  if (head !== null) await services.waitUntilCaughtUp(['PatientRemoved', 'AppointmentRemoved', 'PracticeSetUp'], head)
  const events = await readAllEvents(services.store, 5_000)
  const cachedStore = {
    ...services.store,
    readAll: async (after: string | null) => toPage(after === null ? events : []),
  }
  for (const projection of all)
    expect([projection.name, await readTableRows(services.pool, projection)]).toEqual([
      projection.name,
      await foldRows(cachedStore, projection, services.keyStore),
    ])
}

const toPage = (events: Recorded[]) => ({ events, next: events.at(-1)?.position ?? null, scanned: events.length })
