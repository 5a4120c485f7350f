import { randomUUID } from 'node:crypto'
import { PracticeId } from '#contracts/values/ids.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import type { Position } from '#eventstore/event.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { openPool } from '#database/pool.ts'
import { newEvent } from '#tests/support/events.ts'
import { writeHistory } from './history.ts'
import { generatePatients } from './generated-patients.ts'
import { measure, measureInterleaved, type Timing } from './timing.ts'

const page = 2_000
const pages = 20
const lengths = [10, 100, 1_000]

/**
 * Measures reading all events page by page, as a rebuild does, and loading a patient of 10, 100 and 1,000 events, as a
 * command does: it shows whether long streams would need snapshots.
 */
export async function benchReads(databaseUrl: string, seconds: number): Promise<Timing[]> {
  const pool = openPool(databaseUrl, 8)
  const store = await openPostgresStore(pool)
  await writeHistory(store, page * pages)
  let after: Position | null = null
  const readPage = async () => {
    const { events, next } = await store.readAll(after, { limit: page })
    after = events.length < page ? null : next
  }
  const reading = await measure(`read ${page.toLocaleString('en-US')} events`, 1, seconds, readPage)

  const bus = createCommandBus({ store, clock: () => new Date(), waitUntilCaughtUp: async () => undefined })
  const loads = []
  for (const length of lengths) {
    const id = await writePatient(length)
    loads.push({ name: `load a patient of ${length} events`, call: () => bus.load(patientDecider, id) })
  }
  const loading = await measureInterleaved(loads, 1, seconds)

  /** Writes a patient with this number of events. Returns the id. */
  async function writePatient(length: number): Promise<string> {
    const [registered] = generatePatients(PracticeId.parse(randomUUID()), 1)
    if (!registered) throw new Error('no patient was generated')
    const { patientId } = registered.data
    const notes = (n: number) => newEvent('PatientNotesChanged', { patientId, notes: `Called on day ${n}` })
    const changes = Array.from({ length: length - 1 }, (_, n) => notes(n))
    await store.append(`patient-${patientId}`, 'no-stream', [newEvent(registered.type, registered.data), ...changes])
    return patientId
  }

  await store.close()
  await pool.end()
  return [reading, ...loading.map(({ ratio: _, ...timing }) => timing)]
}
