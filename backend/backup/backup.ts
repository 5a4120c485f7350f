import type { Pool, PoolClient } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { writeBackupFile } from './file.ts'
import { type Header, countLines, type Section, writeSections } from './sections.ts'
import { toEventSection, eventTable, tableExists, readTableSection, listBackupTables } from './tables.ts'
import {
  createProgressCounter,
  encodeJsonRows,
  processManagerSection,
  readProcessManagerCheckpoints,
  progressFromPositions,
} from './reactors.ts'
import { readPendingJobs } from './waiting-jobs.ts'

/** What came of it: how many rows of each table, and how large the file is, in bytes. */
export type BackupResult = { rows: Readonly<Record<string, number>>; bytes: number }

type Parts = {
  pool: Pool
  /** Where the events are when they are not in the database; as they are stored, nothing opened or upcast. */
  externalStore: EventStore | null
  metadata: Pick<Header, 'version' | 'events'>
  signal: AbortSignal
  onEvents: (done: number, total: number) => void
}

const pageSize = 1_000

/**
 * Writes everything that cannot be made anew into a file: events, and all tables that do not follow from them, as they were
 * at one moment, whoever writes meanwhile. Throws OperationRefused, and what `signal` was aborted with; then there is no file.
 */
export async function createBackup(
  file: string,
  { pool, externalStore: elsewhere, metadata: about, signal, onEvents }: Parts,
): Promise<BackupResult> {
  const client = await pool.connect()
  const ignore = () => undefined
  client.on('error', ignore)
  let isDone = false
  try {
    if (!(await tableExists(client, 'app.migrations')))
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
    const reactors = await readProcessManagerCheckpoints(client)
    const passed = createProgressCounter(reactors)
    const events = elsewhere
      ? toEventSection(tapEvents(readUntil(elsewhere, head), passed.pass))
      : await readEventSection(client)
    const total = elsewhere ? 0 : await countEvents(client)
    async function* sections() {
      for (const table of await listBackupTables(client))
        yield withRowCount(await readTableSection(client, table), counts)
      for await (const section of readPendingJobs(client)) yield withRowCount(section, counts)
      yield withRowCount(events, counts, (done) => onEvents(done, total))
      const seen = () => (elsewhere ? passed.seen() : progressFromPositions(reactors))
      yield withRowCount(
        { section: processManagerSection, columns: ['json'], rows: lazily(() => encodeJsonRows(seen())) },
        counts,
      )
    }
    const bytes = await writeBackupFile(file, writeSections(header, sections()), signal)
    await client.query('commit')
    isDone = true
    return { rows: counts, bytes }
  } finally {
    client.off('error', ignore)
    // One that was broken off may be in the middle of a table; it has written nothing that would have to be undone.
    client.release(!isDone)
  }
}

async function readEventSection(client: PoolClient): Promise<Section> {
  if (await tableExists(client, eventTable)) return await readTableSection(client, eventTable, 'order by position')
  throw new OperationRefused('There is no record to back up in the database')
}

async function countEvents(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${eventTable}`)
  return Number(rows[0]?.count)
}

function withRowCount(
  section: Section,
  counts: Record<string, number>,
  onRows: (done: number) => void = () => undefined,
) {
  async function* rows() {
    counts[section.section] = 0
    for await (const chunk of section.rows) {
      counts[section.section] = (counts[section.section] ?? 0) + countLines(chunk)
      onRows(counts[section.section] ?? 0)
      yield chunk
    }
  }
  return { ...section, rows: rows() }
}

async function* readUntil(store: EventStore, head: Position | null): AsyncGenerator<readonly Recorded[]> {
  for (let after: Position | null = null; head !== null;) {
    const { events, next } = await store.readAll(after, { limit: pageSize })
    const due = events.filter(({ position }) => position <= head)
    if (due.length > 0) yield due
    if (due.length < events.length || events.length === 0) return
    after = next
  }
}

async function* tapEvents(pages: AsyncIterable<readonly Recorded[]>, seen: (event: Recorded) => void) {
  for await (const events of pages) {
    events.forEach(seen)
    yield events
  }
}

/** Made when it is its turn. */
async function* lazily(make: () => Buffer): AsyncGenerator<Buffer> {
  yield make()
}
