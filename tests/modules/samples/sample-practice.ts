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

/** Everything that happened in a practice, oldest first. */
export const factsOf = async (app: TestApp, practiceId: string): Promise<Recorded[]> =>
  (await readAllEvents(app.services.store)).filter(({ metadata }) => metadata.practiceId === practiceId)

/** The sample as the settings show it. */
export const sampleOf = async (client: Client): Promise<SampleData> => (await client.get('/api/sample-data')).body

export const patientsOf = async (client: Client): Promise<Patient[]> =>
  (await client.get('/api/patients?limit=500')).body

/** Every appointment of the practice's sample weeks, and far beyond. */
export async function appointmentsOf(client: Client): Promise<Appointment[]> {
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

/** Every read model of the app holds what the record says. */
export async function expectTrueReadModels({ services }: TestApp): Promise<void> {
  const head = await services.store.head()
  // Tests write into that of the users themselves: who has subscribed, who is a colleague.
  const all = modules.flatMap(({ projections = [] }) => projections).filter(({ name }) => name !== 'users')
  if (head !== null) await services.waitUntilCaughtUp(['PatientRemoved', 'AppointmentRemoved', 'PracticeSetUp'], head)
  // Read once for all of them.
  const events = await readAllEvents(services.store, 5_000)
  const record = { ...services.store, readAll: async (after: string | null) => pageOf(after === null ? events : []) }
  for (const projection of all)
    expect([projection.name, await readTableRows(services.pool, projection)]).toEqual([
      projection.name,
      await foldRows(record, projection),
    ])
}

const pageOf = (events: Recorded[]) => ({ events, next: events.at(-1)?.position ?? null, scanned: events.length })
