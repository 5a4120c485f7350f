import type { Pool, PoolClient } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { pack } from './file.ts'
import { type Header, linesIn, type Section, written } from './sections.ts'
import { eventsOf, eventTable, isThere, sectionOf, tablesToKeep } from './tables.ts'
import { counting, linesOf, reactorSection, reactorsIn, seenInPostgres } from './reactors.ts'
import { waitingJobs } from './waiting-jobs.ts'

/** What came of it: how many rows of each table, and how large the file is, in bytes. */
export type BackedUp = { rows: Readonly<Record<string, number>>; bytes: number }

type Parts = {
  pool: Pool
  /** Where the events are when they are not in the database; as they are stored, nothing opened or upcast. */
  elsewhere: EventStore | null
  about: Pick<Header, 'version' | 'events'>
  signal: AbortSignal
  onEvents: (done: number, total: number) => void
}

const page = 1_000

/**
 * Writes everything that cannot be made anew into a file: events, and all tables that do not follow from them, as they were
 * at one moment, whoever writes meanwhile. Throws OperationRefused, and what `signal` was aborted with; then there is no file.
 */
export async function backUp(file: string, { pool, elsewhere, about, signal, onEvents }: Parts): Promise<BackedUp> {
  const client = await pool.connect()
  const ignore = () => undefined
  client.on('error', ignore)
  let isDone = false
  try {
    if (!(await isThere(client, 'app.migrations')))
      throw new OperationRefused('There is nothing to back up: Everchart was never started here')
    // First the end of the record, then the tables: no event may be there without the key it was sealed with.
    const head = elsewhere && (await elsewhere.head())
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ id: string }>('select id from app.migrations order by applied_at, id')
    const header: Header = {
      ...about,
      createdAt: new Date().toISOString(),
      store: elsewhere ? 'eventstoredb' : 'postgres',
      migrations: rows.map(({ id }) => id),
    }
    const counts: Record<string, number> = {}
    const reactors = await reactorsIn(client)
    const passed = counting(reactors)
    const events = elsewhere ? eventsOf(passing(upTo(elsewhere, head), passed.pass)) : await recordOf(client)
    const total = elsewhere ? 0 : await countOf(client)
    async function* sections() {
      for (const table of await tablesToKeep(client)) yield counted(await sectionOf(client, table), counts)
      for await (const section of waitingJobs(client)) yield counted(section, counts)
      yield counted(events, counts, (done) => onEvents(done, total))
      const seen = () => (elsewhere ? passed.seen() : seenInPostgres(reactors))
      yield counted({ section: reactorSection, columns: ['json'], rows: late(() => linesOf(seen())) }, counts)
    }
    const bytes = await pack(file, written(header, sections()), signal)
    await client.query('commit')
    isDone = true
    return { rows: counts, bytes }
  } finally {
    client.off('error', ignore)
    // One that was broken off may be in the middle of a table; it has written nothing that would have to be undone.
    client.release(!isDone)
  }
}

async function recordOf(client: PoolClient): Promise<Section> {
  if (await isThere(client, eventTable)) return await sectionOf(client, eventTable, 'order by position')
  throw new OperationRefused('There is no record to back up in the database')
}

async function countOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${eventTable}`)
  return Number(rows[0]?.count)
}

function counted(section: Section, counts: Record<string, number>, onRows: (done: number) => void = () => undefined) {
  async function* rows() {
    counts[section.section] = 0
    for await (const chunk of section.rows) {
      counts[section.section] = (counts[section.section] ?? 0) + linesIn(chunk)
      onRows(counts[section.section] ?? 0)
      yield chunk
    }
  }
  return { ...section, rows: rows() }
}

async function* upTo(store: EventStore, head: Position | null): AsyncGenerator<readonly Recorded[]> {
  for (let after: Position | null = null; head !== null;) {
    const { events, next } = await store.readAll(after, page)
    const due = events.filter(({ position }) => position <= head)
    if (due.length > 0) yield due
    if (due.length < events.length || events.length === 0) return
    after = next
  }
}

async function* passing(pages: AsyncIterable<readonly Recorded[]>, seen: (event: Recorded) => void) {
  for await (const events of pages) {
    events.forEach(seen)
    yield events
  }
}

/** Made when it is its turn. */
async function* late(make: () => Buffer): AsyncGenerator<Buffer> {
  yield make()
}
