import type { ClientBase, Pool } from 'pg'
import { schemaSql as recordSchema } from '#eventstore/postgres/schema.ts'
import { inTransaction, withConnection } from '#database/pool.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { type Migration, createMigrationTableSql } from '#database/migrations.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { verifyBackupFile, readBackupFile } from './file.ts'
import { type Header, countLines, readSections } from './sections.ts'
import { processManagerSection, type ProcessManagerProgress } from './reactors.ts'
import { restoreRows, eventTable, restoreSequences, tableExists, quoteTableName, listBackupTables } from './tables.ts'
import { restoreJobs, pendingJobSection, createQueues, queueSection, parseJsonRows } from './waiting-jobs.ts'

/** A backup that was read from its first byte to its last and found whole. */
export type VerifiedBackup = {
  file: string
  header: Header
  rows: Readonly<Record<string, number>>
  queues: readonly object[]
  /** What followed the record, and how much of it they had seen. */
  processManagers: readonly ProcessManagerProgress[]
}

/** What this Everchart can take back. */
export type SupportedVersions = { migrations: readonly Migration[]; events: readonly string[] }

type ProgressOptions = { signal: AbortSignal; onProgress: (share: number) => void }

/** Reads a backup to its end without writing anything. Throws OperationRefused when it is damaged, cut off, or of a newer Everchart. */
export async function verifyBackup(
  file: string,
  known: SupportedVersions,
  { signal, onProgress: onShare }: ProgressOptions,
): Promise<VerifiedBackup> {
  await verifyBackupFile(file, signal, onShare)
  let header: Header | undefined
  let queues: readonly object[] = []
  let reactors: readonly ProcessManagerProgress[] = []
  const rows = await readSections(
    readBackupFile(file),
    (found) => {
      header = found
      requireSupportedVersion(file, found, known)
    },
    async (section) => {
      signal.throwIfAborted()
      if (section.section === queueSection) queues = await parseJsonRows(section)
      else if (section.section === processManagerSection)
        reactors = (await parseJsonRows(section)) as ProcessManagerProgress[]
      else for await (const _ of section.rows) signal.throwIfAborted()
    },
  )
  return { file, header: header as Header, rows, queues, processManagers: reactors }
}

function requireSupportedVersion(
  file: string,
  { version, migrations, events }: Header,
  known: SupportedVersions,
): void {
  const steps = known.migrations.map(({ id }) => id)
  const strange = migrations.find((id) => !steps.includes(id)) ?? events.find((event) => !known.events.includes(event))
  if (strange === undefined) return
  throw new OperationRefused(`${file} was made by a newer Everchart (${version}): this one does not know ${strange}`)
}

/** Installations begin with these rows; everything else in a table means that somebody works here. */
const tablesFilledAtInstall = ['app.migrations', 'app.installation']

/** Throws OperationRefused when there is anything that a restore would write over, or somebody is connected. */
export async function requireEmptyInstallation(pool: Pool): Promise<void> {
  await withConnection(pool, async (client) => {
    const { rows } = await client.query<{ others: string }>(
      `select count(*) as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    if (rows[0]?.others !== '0')
      throw new OperationRefused(
        'Somebody is connected to the database: stop Everchart and whatever else uses it, then restore',
      )
    await requireEmptyTables(client)
  })
}

async function requireEmptyTables(client: ClientBase): Promise<void> {
  const tables = (await listBackupTables(client)).filter((table) => !tablesFilledAtInstall.includes(table))
  if (await tableExists(client, eventTable)) tables.push(eventTable)
  for (const table of tables) {
    const { rowCount } = await client.query(`select from ${quoteTableName(table)} limit 1`)
    if (rowCount !== 0)
      throw new OperationRefused(`This installation is in use (${table} has rows): restore into an empty one`)
  }
}

/**
 * Writes everything that is in a checked backup, or nothing, in one transaction. The tables are made as they were when it was
 * written; what later versions change about them follows at the next start. Throws OperationRefused.
 */
export async function restoreBackup(
  pool: Pool,
  checked: VerifiedBackup,
  known: SupportedVersions,
  { signal, onProgress: onShare }: ProgressOptions,
): Promise<void> {
  const { file, header, queues } = checked
  const total = Object.values(checked.rows).reduce((sum, rows) => sum + rows, 0)
  if (queues.length > 0) await createQueues(pool.options.connectionString ?? '', queues)
  await withConnection(pool, (client) =>
    inTransaction(client, 'begin', async () => {
      await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrations])
      await requireEmptyTables(client)
      await client.query('drop schema if exists app, es, read cascade')
      await client.query(recordSchema)
      await client.query(`create schema app; ${createMigrationTableSql}`)
      for (const { id, sql } of known.migrations) if (header.migrations.includes(id)) await client.query(sql)
      let done = 0
      const rows = await readSections(
        readBackupFile(file),
        () => undefined,
        async (section) => {
          signal.throwIfAborted()
          const passing = { ...section, rows: watched(section.rows) }
          if ([queueSection, processManagerSection].includes(section.section)) await parseJsonRows(section)
          else if (section.section === pendingJobSection) await restoreJobs(client, await parseJsonRows(section))
          else await restoreRows(client, passing).then(() => restoreSequences(client, section))
        },
      )
      async function* watched(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          signal.throwIfAborted()
          onShare(Math.min((done += countLines(chunk)) / total, 1))
          yield chunk
        }
      }
      if (JSON.stringify(rows) !== JSON.stringify(checked.rows))
        throw new OperationRefused(`${file} was changed meanwhile`)
    }),
  )
}
