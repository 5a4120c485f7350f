import path from 'node:path'
import type { Pool } from 'pg'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import { createCommandLine } from './command-line.ts'
import { formatCount, UsageError, createProgressDisplay, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { copyHistory } from '#eventstore/copy-history.ts'
import { CopyError } from '#eventstore/history-writer.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { StartError } from '#runtime/start-error.ts'
import { createBackup } from '#backup/backup.ts'
import { resumeProcessManagers } from '#backup/process-managers.ts'
import {
  verifyBackup,
  type VerifiedBackup,
  type SupportedVersions,
  requireEmptyInstallation,
  restoreBackup,
} from '#backup/restore.ts'
import { eventTable } from '#backup/tables.ts'
import { pendingJobSection } from '#backup/pending-jobs.ts'
import { type Installation, runCli, toolCallTimeoutMs, withDatabase, withOpenStores } from './run-tool.ts'
import { appVersion } from '#main/app-version.ts'
import { type Config, readConfig } from '#main/config.ts'
import { openEventStore, openExternalEventStore } from '#main/open-event-store.ts'
import { createModuleEventVersions } from '#main/event-versions.ts'
import { collectMigrations } from '#main/migrations.ts'
import { modules } from '#main/modules.ts'

const contents = `
Included: every event, password hashes, encrypted keys, pending files and jobs, and all other data that is not derived from
events. Not included: sessions, read models (restore rebuilds them), and the secrets in DATA_DIR or the environment. Store the
master key separately from the backups: they are unreadable without it.

Exit codes: 0 success, 1 failure, 2 invalid usage, 130 cancelled by Ctrl-C.`

const aboutRestore = `
Everchart must be stopped. A file that is damaged, incomplete, or from a newer version is refused before anything is written.
EVENTSTORE_URL selects the event store that receives the events.
${contents}`

const aboutBackup = `
Works while Everchart is running or stopped, and never overwrites a file. EVENTSTORE_URL selects the event store to read from.
${contents}`

const exitCancelled = 130

const projections = modules.flatMap((module) => module.projections ?? [])
const events = createModuleEventVersions(modules).listReadable()
const supported: SupportedVersions = { migrations: collectMigrations(modules), events }

const openStoreElsewhere = (address: string) => openExternalEventStore(address, { callTimeoutMs: toolCallTimeoutMs })

async function runBackup(file: string, terminal: Terminal): Promise<number> {
  const config = readConfig(process.env)
  const bar = createProgressDisplay(terminal, 'backup')
  const store = config.eventStoreUrl === undefined ? null : await openStoreElsewhere(config.eventStoreUrl)
  try {
    const write = ({ pool }: Installation) =>
      createBackup(file, {
        pool,
        externalStore: store,
        metadata: { version: appVersion, events },
        signal: terminal.signal,
        onEvents: (done, total) => bar.show('writing', { events: done, share: total === 0 ? 0 : done / total }),
      })
    const { rows, bytes } = await withDatabase(terminal, write, config)
    bar.end()
    terminal.out(`${file}: ${describeContents(rows)}, ${(bytes / 1_048_576).toFixed(1)} MiB`)
    terminal.out('It does not contain the master key: store the key separately. Together they decrypt everything.')
    return 0
  } finally {
    bar.end()
    await store?.close()
  }
}

/** Returns a summary of the contents of a backup. */
function describeContents(rows: VerifiedBackup['rows']): string {
  const { [eventTable]: events = 0, [pendingJobSection]: jobs = 0, ...others } = rows
  const tables = Object.entries(others).filter(([name]) => name.startsWith('app.'))
  const rowCount = tables.reduce((sum, [, count]) => sum + count, 0)
  return `${formatCount(events, 'event')}, ${formatCount(rowCount, 'row')} of ${formatCount(tables.length, 'table')}, ${formatCount(jobs, 'pending job')}`
}

async function runRestore(file: string, terminal: Terminal): Promise<number> {
  const { signal, out } = terminal
  const config = readConfig(process.env)
  const bar = createProgressDisplay(terminal, 'restore')
  const at = (step: string) => (share: number) => bar.show(step, { share })
  const checked = await verifyBackup(file, supported, { signal, onProgress: at('checking') }).finally(bar.end)
  const restore = async (installation: Installation) => {
    const { pool } = installation
    await requireEmptyInstallation(pool)
    await requireEmptyEventStore(config)
    await restoreBackup(pool, checked, supported, { signal, onProgress: at('writing') }).finally(bar.end)
    await resumeAfterRestore(installation, checked, terminal)
    out(`${file}: ${describeContents(checked.rows)}, as of ${checked.header.createdAt}`)
    return await rebuildAll(installation, terminal)
  }
  return await withDatabase(terminal, restore, config, 'owner')
}

async function requireEmptyEventStore({ eventStoreUrl }: Config): Promise<void> {
  if (eventStoreUrl === undefined) return
  const store = await openStoreElsewhere(eventStoreUrl)
  try {
    if ((await store.head()) !== null)
      throw new OperationRefused('The event store holds events already: restore into an empty one')
  } finally {
    await store.close()
  }
}

/** Positions the process managers in the event store that is used from now on. */
async function resumeAfterRestore(
  { config: { eventStoreUrl }, pool }: Installation,
  { processManagers }: VerifiedBackup,
  terminal: Terminal,
): Promise<void> {
  if (eventStoreUrl !== undefined) await moveEventsTo(eventStoreUrl, pool, terminal)
  const store = await openEventStore(eventStoreUrl, pool, { callTimeoutMs: toolCallTimeoutMs })
  await resumeProcessManagers(pool, store, processManagers).finally(() => store.close())
}

/** Moves restored events from the database to the external event store. */
async function moveEventsTo(address: string, pool: Pool, terminal: Terminal): Promise<void> {
  const bar = createProgressDisplay(terminal, 'restore')
  const [from, to] = [await openPostgresStore(pool), await openStoreElsewhere(address)]
  try {
    await copyHistory(from, to, {
      signal: terminal.signal,
      progress: ({ step, done, total }) => bar.show(step, { events: done, share: total === 0 ? 1 : done / total }),
    })
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0]
    const next = 'continue with npm run events -- copy --from postgres --to <its address>'
    throw new OperationRefused(
      `Everything is restored to the database, but not to the event store (${reason}): ${next}`,
    )
  } finally {
    bar.end()
    await from.close()
    await to.close()
  }
  await pool.query('drop schema es cascade')
}

/** Rebuilds the read models. The data is safe at this point: the next start repeats a rebuild that fails here. */
async function rebuildAll(installation: Installation, terminal: Terminal): Promise<number> {
  const { out, err, signal } = terminal
  try {
    await withOpenStores(installation, async (engine) => {
      await prepareTables(engine.pool, projections)
      for (const projection of projections) {
        const bar = createProgressDisplay(terminal, projection.name)
        const onProgress = (progress: { stage: string; events: number; share: number }) =>
          bar.show(progress.stage, progress)
        await rebuild(engine, projection, { signal, onProgress }).finally(bar.end)
      }
    })
  } catch (error) {
    err(`The data is restored; the read models are not: ${(error as Error).message.split('\n')[0]}`)
    err('Fix the cause and start Everchart: it rebuilds them.')
    return 1
  }
  if (signal.aborted) {
    err('The data is restored; the next start rebuilds the read models.')
    return exitCancelled
  }
  out(`${formatCount(projections.length, 'read model')} rebuilt. Start Everchart; all users sign in again.`)
  return 0
}

const tools = {
  backup: {
    description: 'Writes everything that cannot be rebuilt into one file, as of this moment.',
    about: aboutBackup,
    run: runBackup,
  },
  restore: {
    description: 'Restores a backup into an empty installation, completely or not at all, and rebuilds the rest.',
    about: aboutRestore,
    run: runRestore,
  },
}

/** Runs `npm run backup` or `npm run restore`, whichever the first word names. Returns the exit code. */
async function runBackupCli([name, ...words]: readonly string[], terminal: Terminal): Promise<number> {
  const toolName = name === 'restore' ? 'restore' : 'backup'
  const tool = tools[toolName]
  const { program, handle, run } = createCommandLine(toolName, terminal, [CopyError, StartError, StoreUnavailable])
  program
    .description(tool.description)
    .argument('<file>')
    .addHelpText('after', tool.about)
    .action(
      handle((file: string) => {
        if (!file.trim()) throw new UsageError(`${toolName} takes the name of one file`)
        return tool.run(path.resolve(file), terminal)
      }),
    )
  try {
    return await run(words)
  } catch (error) {
    if (!terminal.signal.aborted) throw error
    terminal.err('Stopped; nothing was written.')
    return exitCancelled
  }
}

await runCli(runBackupCli)
