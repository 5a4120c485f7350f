import { randomUUID } from 'node:crypto'
import type { Assembled } from '#backend/assemble.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import type { NewEvent } from '#eventstore/event.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import { type Client, clientOf } from '#tests/support/client.ts'
import { newEvent } from '#tests/support/events.ts'
import { newOwner } from '#tests/support/practice.ts'
import { writeHistory } from './history.ts'
import { people } from './people.ts'
import { measureInTurn, type Timing } from './timing.ts'

/** The application over a record of so many events, with its owner signed in. */
export type Filled = { events: number; client: Client }

/** `p95Ratio` is the p95 beside that of the smallest record. */
type Row = Timing & { p95Ratio: number }

const ownShare = 10
const anAppend = 500

/**
 * Fills the record of a running application up to so many events, as practices leave them behind: a tenth are patients of
 * the owner who is answered, the rest happened in other practices. Answers when every read model knows them.
 */
export async function fillRecord(url: string, app: Assembled, databaseUrl: string, events: number): Promise<Filled> {
  const { client, practice } = await newOwner({ visitor: () => clientOf(url) })
  const pool = openPool(databaseUrl, 4)
  const store = await postgresStore(pool)
  const practiceId = PracticeId.parse(practice.id)
  const ownPatients = events / ownShare
  let some: NewEvent[] = []
  for (const { type, data } of people(practiceId, ownPatients)) {
    some.push(newEvent(type, data, { practiceId }))
    if (some.length < anAppend) continue
    await store.append(`bench-${randomUUID()}`, 'no-stream', some)
    some = []
  }
  if (some.length > 0) await store.append(`bench-${randomUUID()}`, 'no-stream', some)
  await writeHistory(store, events - ownPatients)
  while ((await app.feed.state()).some(({ lag }) => lag > 0)) await new Promise((resolve) => setTimeout(resolve, 250))
  // What PostgreSQL's own housekeeping does within a minute.
  await pool.query('vacuum analyze')
  await store.close()
  await pool.end()
  return { events, client }
}

/** A command and a list over records of several sizes, in turn, one client each. */
export async function benchSizes(records: readonly Filled[], seconds: number): Promise<Row[]> {
  const add = ({ client }: Filled) => client.post('/api/patients', { firstName: 'Bench', lastName: randomUUID() })
  const list = ({ client }: Filled) => client.get('/api/patients')
  return [
    ...(await inTurn('create patient', records, add, 201, seconds)),
    ...(await inTurn('first page of patients', records, list, 200, seconds)),
  ]
}

async function inTurn(
  name: string,
  records: readonly Filled[],
  ask: (record: Filled) => Promise<{ status: number }>,
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
  const timings = await measureInTurn(contenders, 1, seconds * records.length)
  const smallest = timings[0]?.p95 ?? 1
  return timings.map(({ ratio: _, ...timing }) => ({
    ...timing,
    p95Ratio: Math.round((timing.p95 / smallest) * 100) / 100,
  }))
}
