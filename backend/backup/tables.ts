import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Recorded } from '#eventstore/event.ts'
import { escapeCopyText } from '#projections/rebuild/copy-rows.ts'
import { quoteIdentifier } from '#projections/table-names.ts'
import type { Section } from './sections.ts'

/**
 * Sessions are not backed up: after a restore, all users sign in again. Damaged pages are those of this database alone. The
 * files of data exports are copies that must be gone after a day.
 */
const excludedTables = ['app.sessions', 'app.damaged_pages', 'app.data_export_chunks']

/** The event table, in the database and in a backup. */
export const eventTable = 'es.events'

/** The columns of events from a store that is not a table. */
const eventColumns = ['position', 'stream', 'revision', 'event_id', 'type', 'data', 'metadata', 'recorded_at'] as const

/** Quotes a table name given as `schema.name`. */
export const quoteTableName = (table: string): string => table.split('.').map(quoteIdentifier).join('.')

/** Lists the tables that are not derived from events. */
export async function listBackupTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'app' and c.relkind = 'r' order by 1`,
  )
  return rows.map(({ name }) => name).filter((name) => !excludedTables.includes(name))
}

/** Returns whether a table exists. */
export async function tableExists(client: ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table])
  return rows[0]?.found === true
}

/** Reads a table, in the snapshot of the transaction. */
export async function readTableSection(client: ClientBase, table: string, orderBy = ''): Promise<Section> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const columns = rows.map(({ name }) => name)
  const select = `select ${columns.map(quoteIdentifier).join(', ')} from ${quoteTableName(table)} ${orderBy}`
  return { section: table, columns, rows: copyRows(client, select) }
}

/** Yields the rows of a query in COPY format. The connection is busy from the first to the last. */
export async function* copyRows(client: ClientBase, select: string): AsyncGenerator<Buffer> {
  yield* client.query(copyTo(`copy (${select}) to stdout`)) as AsyncIterable<Buffer>
}

/** Writes rows into a table. */
export async function restoreRows(client: ClientBase, { section, columns, rows }: Section): Promise<void> {
  const target = `copy ${quoteTableName(section)} (${columns.map(quoteIdentifier).join(', ')}) from stdin`
  await pipeline(rows, client.query(copyFrom(target)))
}

/** Sets the sequences of a table after its restored values. */
export async function restoreSequences(client: ClientBase, { section, columns }: Section): Promise<void> {
  for (const column of columns) {
    const { rows } = await client.query<{ sequence: string | null }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [quoteTableName(section), column],
    )
    const sequence = rows[0]?.sequence
    if (!sequence) continue
    const next = `select coalesce(max(${quoteIdentifier(column)}), 0) + 1 from ${quoteTableName(section)}`
    await client.query(`select setval($1, (${next}), false)`, [sequence])
  }
}

/** Returns the events of an external store as a section of the event table. */
export const toEventSection = (events: AsyncIterable<readonly Recorded[]>): Section => ({
  section: eventTable,
  columns: eventColumns,
  rows: encodeEventRows(events),
})

async function* encodeEventRows(pages: AsyncIterable<readonly Recorded[]>): AsyncGenerator<Buffer> {
  let position = 0
  for await (const page of pages) {
    const lines = page.map(({ stream, revision, id, type, data, metadata, recordedAt }) =>
      [++position, stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata), recordedAt]
        .map((field) => escapeCopyText(String(field)))
        .join('\t'),
    )
    yield Buffer.from(`${lines.join('\n')}\n`)
  }
}
