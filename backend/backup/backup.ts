import type { Pool, PoolClient } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { writeBackupFile } from './backup-file.ts'
import { type Header, countLines, type Section, writeSections } from './sections.ts'
import { toEventSection, eventTable, tableExists, readTableSection, listBackupTables } from './tables.ts'
import {
  createProgressCounter,
  encodeJsonRows,
  processManagerSection,
  readProcessManagerCheckpoints,
  progressFromPositions,
} from './process-managers.ts'
import { readPendingJobs } from './pending-jobs.ts'

/** The number of rows per table and the size of the file in bytes. */
export type BackupResult = { rows: Readonly<Record<string, number>>; bytes: number }

type Parts = {
  pool: Pool
  /** The event store if events are not in the database: raw, neither decrypted nor upcast. */
  externalStore: EventStore | null
  metadata: Pick<Header, 'version' | 'events'>
  signal: AbortSignal
  onEvents: (done: number, total: number) => void
}

/**
 * Writes everything that cannot be rebuilt into a file: events, and all tables that are not derived from them, as one consistent
 * snapshot. Throws OperationRefused, or the reason of `signal`; then there is no file.
 */
export async function createBackup(
  file: string,
  { pool, externalStore, metadata, signal, onEvents }: Parts,
): Promise<BackupResult> {
  const client = await pool.connect()
  const ignore = () => undefined
  client.on('error', ignore)
  let isDone = false
  try {
    if (!(await tableExists(client, 'app.migrations')))
      throw new OperationRefused('There is nothing to back up: Everchart was never started here')
    // The end of the event store is read before the tables: no event may lack the key it is encrypted with.
    const head = externalStore && (await externalStore.head())
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query<{ id: string }>('select id from app.migrations order by applied_at, id')
    const header: Header = {
      ...metadata,
      createdAt: new Date().toISOString(),
      store: externalStore ? 'eventstoredb' : 'postgres',
      migrations: rows.map(({ id }) => id),
    }
    const counts: Record<string, number> = {}
    const checkpoints = await readProcessManagerCheckpoints(client)
    const counter = createProgressCounter(checkpoints)
    const events = externalStore
      ? toEventSection(tapEvents(readUntil(externalStore, head), counter.count))
      : await readEventSection(client)
    const total = externalStore ? 0 : await countEvents(client)
    async function* sections() {
      for (const table of await listBackupTables(client))
        yield withRowCount(await readTableSection(client, table), counts)
      for await (const section of readPendingJobs(client)) yield withRowCount(section, counts)
      yield withRowCount(events, counts, (done) => onEvents(done, total))
      const getProgress = () => (externalStore ? counter.getProgress() : progressFromPositions(checkpoints))
      yield withRowCount(
        { section: processManagerSection, columns: ['json'], rows: lazily(() => encodeJsonRows(getProgress())) },
        counts,
      )
    }
    const bytes = await writeBackupFile(file, writeSections(header, sections()), signal)
    await client.query('commit')
    isDone = true
    return { rows: counts, bytes }
  } finally {
    client.off('error', ignore)
    // After a failure the connection may be in the middle of a COPY, so it is closed; nothing was written.
    client.release(!isDone)
  }
}

async function readEventSection(client: PoolClient): Promise<Section> {
  if (await tableExists(client, eventTable)) return await readTableSection(client, eventTable, 'order by position')
  throw new OperationRefused('There are no events to back up in the database')
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
  if (head === null) return
  for await (const { events } of readPages(store)) {
    const due = events.filter(({ position }) => position <= head)
    if (due.length > 0) yield due
    if (due.length < events.length) return
  }
}

async function* tapEvents(pages: AsyncIterable<readonly Recorded[]>, onEvent: (event: Recorded) => void) {
  for await (const events of pages) {
    events.forEach(onEvent)
    yield events
  }
}

/** Defers the creation of the rows until they are written. */
async function* lazily(make: () => Buffer): AsyncGenerator<Buffer> {
  yield make()
}
