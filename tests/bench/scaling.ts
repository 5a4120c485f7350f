import { randomUUID } from 'node:crypto'
import { modules } from '#main/modules.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { NewEvent } from '#eventstore/event.ts'
import type { Key } from '#encryption/cipher.ts'
import { openPostgresKeyStore } from '#encryption/postgres-key-store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { openPool } from '#database/pool.ts'
import { handlesEvent } from '#projections/projection.ts'
import { type EngineContext, rebuild } from '#projections/rebuild/rebuild.ts'
import type { Client } from '#tests/support/client.ts'
import { newEvent } from '#tests/support/events.ts'
import { startBulkAppends } from './bulk.ts'
import { writeHistory } from './history.ts'
import { generatePatients } from './generated-patients.ts'
import { measureInterleaved, type Timing } from './timing.ts'

/** An application with a number of stored events, and a client signed in as its owner. */
export type FilledStore = { events: number; client: Client }

/** `p95Ratio` is the p95 relative to that of the smallest event store. */
type Row = Timing & { p95Ratio: number }

const eventsPerOwnPatient = 10
const eventsPerAppend = 500

/**
 * Fills the event store of a stopped application: a tenth of the events are patients of the measured practice, the rest
 * belong to ten other practices, so that its list has 100, 10,000 and 100,000 patients. The events are copied in and the
 * read models rebuilt, as after an upgrade.
 */
export async function fillEventStore(
  databaseUrl: string,
  masterKey: Key,
  practiceId: PracticeId,
  events: number,
): Promise<void> {
  const pool = openPool(databaseUrl, 4)
  const store = await openPostgresStore(pool)
  const ownPatients = events / eventsPerOwnPatient
  const bulk = await startBulkAppends(pool)
  let batch: NewEvent[] = []
  for (const { type, data } of generatePatients(practiceId, ownPatients)) {
    batch.push(newEvent(type, data, { practiceId }))
    if (batch.length < eventsPerAppend) continue
    await bulk.append(`bench-${randomUUID()}`, 'no-stream', batch)
    batch = []
  }
  if (batch.length > 0) await bulk.append(`bench-${randomUUID()}`, 'no-stream', batch)
  await writeHistory(bulk, events - ownPatients)
  await bulk.end()
  const keyStore = await openPostgresKeyStore(pool, masterKey)
  await rebuildAll({ pool, store, keyStore })
  await keyStore.close()
  // As autovacuum would do within a minute.
  await pool.query('vacuum analyze')
  await store.close()
  await pool.end()
}

/** Rebuilds every read model; one that handles none of the event types only gets its checkpoint moved. */
async function rebuildAll(engine: EngineContext): Promise<void> {
  const { pool, store } = engine
  const { rows } = await pool.query<{ type: string }>('select distinct type from es.events')
  for (const projection of modules.flatMap(({ projections = [] }) => projections)) {
    if (rows.some(({ type }) => handlesEvent(projection, type))) {
      const { status } = await rebuild(engine, projection)
      if (status !== 'done') throw new Error(`${projection.name}: ${status}`)
    } else {
      const updateSql = 'update read.checkpoints set position = $2 where name = $1'
      await pool.query(updateSql, [projection.name, await store.head()])
    }
  }
}

/** Measures a command and a list on event stores of several sizes, interleaved, with one client each. */
export async function benchScaling(stores: readonly FilledStore[], seconds: number): Promise<Row[]> {
  const add = ({ client }: FilledStore) => client.post('/api/patients', { firstName: 'Bench', lastName: randomUUID() })
  const list = ({ client }: FilledStore) => client.get('/api/patients')
  return [
    ...(await measureRequests('create patient', stores, add, 201, seconds)),
    ...(await measureRequests('first page of patients', stores, list, 200, seconds)),
  ]
}

async function measureRequests(
  name: string,
  stores: readonly FilledStore[],
  send: (store: FilledStore) => Promise<{ status: number }>,
  expectedStatus: number,
  seconds: number,
): Promise<Row[]> {
  const candidates = stores.map((store) => ({
    name: `${name}, ${store.events.toLocaleString('en-US')} events`,
    async call() {
      const { status } = await send(store)
      if (status !== expectedStatus) throw new Error(`expected ${expectedStatus}, got ${status}`)
    },
  }))
  const timings = await measureInterleaved(candidates, 1, seconds * stores.length)
  const smallest = timings[0]?.p95 ?? 1
  return timings.map(({ ratio: _, ...timing }) => ({
    ...timing,
    p95Ratio: Math.round((timing.p95 / smallest) * 100) / 100,
  }))
}
