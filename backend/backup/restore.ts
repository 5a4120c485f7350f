import type { ClientBase, Pool } from 'pg'
import { schemaSql as eventStoreSchema } from '#eventstore/postgres/schema.ts'
import { withConnection, withTransaction } from '#database/pool.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { type Migration, createMigrationTableSql } from '#database/migrations.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { verifyBackupFile, readBackupFile } from './backup-file.ts'
import { type Header, countLines, readSections } from './sections.ts'
import { processManagerSection, type ProcessManagerProgress } from './process-managers.ts'
import { restoreRows, eventTable, restoreSequences, tableExists, quoteTableName, listBackupTables } from './tables.ts'
import { restoreJobs, pendingJobSection, createQueues, queueSection, parseJsonRows } from './pending-jobs.ts'

/** A backup that was read completely and is intact. */
export type VerifiedBackup = {
  file: string
  header: Header
  rows: Readonly<Record<string, number>>
  queues: readonly object[]
  /** The process managers and their progress. */
  processManagers: readonly ProcessManagerProgress[]
}

/** The migrations and event versions that this version can restore. */
export type SupportedVersions = { migrations: readonly Migration[]; events: readonly string[] }

type ProgressOptions = { signal: AbortSignal; onProgress: (share: number) => void }

/** Reads a backup completely without writing anything. Throws OperationRefused if it is damaged, incomplete, or from a newer version. */
export async function verifyBackup(
  file: string,
  known: SupportedVersions,
  { signal, onProgress }: ProgressOptions,
): Promise<VerifiedBackup> {
  await verifyBackupFile(file, signal, onProgress)
  let header: Header | undefined
  let queues: readonly object[] = []
  let processManagers: readonly ProcessManagerProgress[] = []
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
        processManagers = (await parseJsonRows(section)) as ProcessManagerProgress[]
      else for await (const _ of section.rows) signal.throwIfAborted()
    },
  )
  return { file, header: header as Header, rows, queues, processManagers }
}

function requireSupportedVersion(
  file: string,
  { version, migrations, events }: Header,
  known: SupportedVersions,
): void {
  const steps = known.migrations.map(({ id }) => id)
  const unsupported =
    migrations.find((id) => !steps.includes(id)) ?? events.find((event) => !known.events.includes(event))
  if (unsupported === undefined) return
  throw new OperationRefused(
    `${file} was created by a newer version of Everchart (${version}): this one does not support ${unsupported}`,
  )
}

/** Tables with rows in a new installation; rows in any other table mean that the installation is in use. */
const tablesFilledAtInstall = ['app.migrations', 'app.installation']

/** Throws OperationRefused if a restore would overwrite data or another client is connected. */
export async function requireEmptyInstallation(pool: Pool): Promise<void> {
  await withConnection(pool, async (client) => {
    const { rows } = await client.query<{ others: string }>(
      `select count(*) as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    if (rows[0]?.others !== '0')
      throw new OperationRefused(
        'Another client is connected to the database: stop Everchart and everything else that uses it, then restore',
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
 * Writes the complete content of a verified backup in one transaction. Tables are created as of the backup; later migrations run
 * at the next start. Throws OperationRefused.
 */
export async function restoreBackup(
  pool: Pool,
  backup: VerifiedBackup,
  known: SupportedVersions,
  { signal, onProgress }: ProgressOptions,
): Promise<void> {
  const { file, header, queues } = backup
  const total = Object.values(backup.rows).reduce((sum, rows) => sum + rows, 0)
  if (queues.length > 0) await createQueues(pool.options.connectionString ?? '', queues)
  await withTransaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrations])
    await requireEmptyTables(client)
    await client.query('drop schema if exists app, es, read cascade')
    await client.query(eventStoreSchema)
    await client.query(`create schema app; ${createMigrationTableSql}`)
    for (const { id, sql } of known.migrations) if (header.migrations.includes(id)) await client.query(sql)
    let done = 0
    const rows = await readSections(
      readBackupFile(file),
      () => undefined,
      async (section) => {
        signal.throwIfAborted()
        const monitored = { ...section, rows: monitor(section.rows) }
        if ([queueSection, processManagerSection].includes(section.section)) await parseJsonRows(section)
        else if (section.section === pendingJobSection) await restoreJobs(client, await parseJsonRows(section))
        else await restoreRows(client, monitored).then(() => restoreSequences(client, section))
      },
    )
    async function* monitor(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        signal.throwIfAborted()
        onProgress(Math.min((done += countLines(chunk)) / total, 1))
        yield chunk
      }
    }
    if (JSON.stringify(rows) !== JSON.stringify(backup.rows))
      throw new OperationRefused(`${file} was changed during the restore`)
  })
}
