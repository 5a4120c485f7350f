import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { modules } from '#main/modules.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { NewEvent } from '#eventstore/event.ts'
import { type PostgresStore, openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { handlesEvent } from '#projections/projection.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import type { Client } from '#tests/support/client.ts'
import { newEvent } from '#tests/support/events.ts'
import { startBulkAppends } from './bulk.ts'
import { writeHistory } from './history.ts'
import { generatePatients } from './people.ts'
import { measureInterleaved, type Timing } from './timing.ts'

/** The application over a record of so many events, with its owner signed in. */
export type FilledStore = { events: number; client: Client }

/** `p95Ratio` is the p95 beside that of the smallest record. */
type Row = Timing & { p95Ratio: number }

const eventsPerOwnPatient = 10
const eventsPerAppend = 500

/**
 * Fills the record of an application that stands still up to so many events, as practices leave them behind: a tenth are
 * patients of the practice that is answered later, the rest happened in ten other practices. So its own list is of 100,
 * 10,000 and 100,000 patients. They are copied in, and the read models folded anew by the engine, as after an upgrade.
 */
export async function fillEventStore(databaseUrl: string, practiceId: PracticeId, events: number): Promise<void> {
  const pool = openPool(databaseUrl, 4)
  const store = await openPostgresStore(pool)
  const ownPatients = events / eventsPerOwnPatient
  const bulk = await startBulkAppends(pool)
  let some: NewEvent[] = []
  for (const { type, data } of generatePatients(practiceId, ownPatients)) {
    some.push(newEvent(type, data, { practiceId }))
    if (some.length < eventsPerAppend) continue
    await bulk.append(`bench-${randomUUID()}`, 'no-stream', some)
    some = []
  }
  if (some.length > 0) await bulk.append(`bench-${randomUUID()}`, 'no-stream', some)
  await writeHistory(bulk, events - ownPatients)
  await bulk.end()
  await rebuildAll(pool, store)
  // What PostgreSQL's own housekeeping does within a minute.
  await pool.query('vacuum analyze')
  await store.close()
  await pool.end()
}

/** Those whom the events do not concern are simply told that they have seen them. */
async function rebuildAll(pool: Pool, store: PostgresStore): Promise<void> {
  const { rows } = await pool.query<{ type: string }>('select distinct type from es.events')
  for (const projection of modules.flatMap(({ projections = [] }) => projections)) {
    if (rows.some(({ type }) => handlesEvent(projection, type))) {
      const { status } = await rebuild({ store, pool }, projection)
      if (status !== 'done') throw new Error(`${projection.name}: ${status}`)
    } else {
      const seen = 'update read.checkpoints set position = $2 where name = $1'
      await pool.query(seen, [projection.name, await store.head()])
    }
  }
}

/** A command and a list over records of several sizes, in turn, one client each. */
export async function benchScaling(records: readonly FilledStore[], seconds: number): Promise<Row[]> {
  const add = ({ client }: FilledStore) => client.post('/api/patients', { firstName: 'Bench', lastName: randomUUID() })
  const list = ({ client }: FilledStore) => client.get('/api/patients')
  return [
    ...(await measureRequests('create patient', records, add, 201, seconds)),
    ...(await measureRequests('first page of patients', records, list, 200, seconds)),
  ]
}

async function measureRequests(
  name: string,
  records: readonly FilledStore[],
  ask: (record: FilledStore) => Promise<{ status: number }>,
  wanted: number,
  seconds: number,
): Promise<Row[]> {
  const contenders = records.map((record) => ({
    name: `${name}, ${record.events.toLocaleString('en-US')} events`,
    async call() {
      const { status } = await ask(record)
      if (status !== wanted) throw new Error(`expected ${wanted}, was answered ${status}`)
    },
  }))
  const timings = await measureInterleaved(contenders, 1, seconds * records.length)
  const smallest = timings[0]?.p95 ?? 1
  return timings.map(({ ratio: _, ...timing }) => ({
    ...timing,
    p95Ratio: Math.round((timing.p95 / smallest) * 100) / 100,
  }))
}
