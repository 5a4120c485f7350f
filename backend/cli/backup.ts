import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { openPool } from '#database/pool.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { prepareTables } from '#projections/tables.ts'
import { formatCount, UsageError, createProgressDisplay, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { copyHistory, CopyError } from '#eventstore/copy-history.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { acquireDatabase } from '#runtime/reach-database.ts'
import { StartError } from '#runtime/start-error.ts'
import { createBackup } from '#backup/backup.ts'
import { resumeProcessManagers } from '#backup/reactors.ts'
import {
  verifyBackup,
  type VerifiedBackup,
  type SupportedVersions,
  requireEmptyInstallation,
  restoreBackup,
} from '#backup/restore.ts'
import { eventTable } from '#backup/tables.ts'
import { pendingJobSection } from '#backup/waiting-jobs.ts'
import { runCli, withEngine } from './run-tool.ts'
import { type Config, readConfig } from '#main/config.ts'
import { openExternalEventStore } from '#main/open-event-store.ts'
import { createModuleEventVersions } from '#main/event-versions.ts'
import { collectMigrations } from '#main/migrations.ts'
import { modules } from '#main/modules.ts'

const help = `npm run backup -- <file>   writes everything that cannot be made anew into one file, as it is at this moment
npm run restore -- <file>  brings it back into an empty installation, whole or not at all, and makes the rest anew

In it: every event, passwords (hashed), keys (sealed), files that wait, jobs that wait, and whatever else does not follow from
the events. Not in it: sessions, read models (restore makes them), and the secrets in DATA_DIR or the environment. Keep the
master key in another place than the backups: without it nobody can read what is in them.

  backup works beside a running Everchart and without one, and never writes over a file.
  restore needs Everchart stopped. A file that is damaged, cut off, or of a newer Everchart is refused before anything is
  written. EVENTSTORE_URL says where the events are taken from, and where they go.

  --help  prints this

Exit codes: 0 done, 1 not done, 2 misused, 130 ended by Ctrl-C.
`

const exitCodeCancelled = 130
const helpHint = (name: string) => `npm run ${name} -- --help tells more`

const projections = modules.flatMap((module) => module.projections ?? [])
const events = createModuleEventVersions(modules).listReadable()
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const supported: SupportedVersions = { migrations: collectMigrations(modules), events }

type ParsedArguments = 'help' | { does: 'backup' | 'restore'; file: string }

function readArguments([name = '', ...words]: readonly string[]): ParsedArguments {
  const does = name === 'restore' ? 'restore' : 'backup'
  let parsed
  try {
    parsed = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h', default: false } },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\.? To specify|\n/)[0]}: ${helpHint(does)}`)
  }
  if (parsed.values.help) return 'help'
  const [file, ...more] = parsed.positionals
  if (!file?.trim() || more.length > 0) throw new UsageError(`${does} takes the name of one file: ${helpHint(does)}`)
  return { does, file: path.resolve(file) }
}

/** Lends the database of this installation. */
async function withDatabase<Result>(config: Config, terminal: Terminal, run: (url: string) => Promise<Result>) {
  const database = await acquireDatabase(config, terminal.err)
  try {
    return await run(database.url)
  } finally {
    await database.release()
  }
}

async function withPool<Result>(url: string, run: (pool: Pool) => Promise<Result>) {
  const pool = openPool(url, 2)
  try {
    await pool.query('select 1').catch((error: Error) => {
      throw new StartError(`The database does not answer: ${error.message}`)
    })
    return await run(pool)
  } finally {
    await pool.end()
  }
}

async function runBackup(file: string, terminal: Terminal): Promise<number> {
  const config = readConfig(process.env)
  const bar = createProgressDisplay(terminal, 'backup')
  const store = config.eventStoreUrl === undefined ? null : openExternalEventStore(config.eventStoreUrl)
  try {
    const { rows, bytes } = await withDatabase(config, terminal, (url) =>
      withPool(url, (pool) =>
        createBackup(file, {
          pool,
          externalStore: store,
          metadata: { version, events },
          signal: terminal.signal,
          onEvents: (done, total) => bar.show('writing', { events: done, share: total === 0 ? 0 : done / total }),
        }),
      ),
    )
    bar.end()
    terminal.out(`${file}: ${describeContents(rows)}, ${(bytes / 1_048_576).toFixed(1)} MiB`)
    terminal.out('The master key is not in it: keep it in another place. Who has both can read everything.')
    return 0
  } finally {
    bar.end()
    await store?.close()
  }
}

/** What is in a backup, in words. */
function describeContents(rows: VerifiedBackup['rows']): string {
  const { [eventTable]: facts = 0, [pendingJobSection]: jobs = 0, ...others } = rows
  const tables = Object.entries(others).filter(([name]) => name.startsWith('app.'))
  const inTables = tables.reduce((sum, [, count]) => sum + count, 0)
  return `${formatCount(facts, 'event')}, ${formatCount(inTables, 'row')} of ${formatCount(tables.length, 'table')}, ${formatCount(jobs, 'waiting job')}`
}

async function runRestore(file: string, terminal: Terminal): Promise<number> {
  const { signal, out } = terminal
  const config = readConfig(process.env)
  const bar = createProgressDisplay(terminal, 'restore')
  const at = (step: string) => (share: number) => bar.show(step, { share })
  const checked = await verifyBackup(file, supported, { signal, onProgress: at('checking') }).finally(bar.end)
  return await withDatabase(config, terminal, async (url) => {
    await withPool(url, async (pool) => {
      await requireEmptyInstallation(pool)
      await requireEmptyEventStore(config)
      await restoreBackup(pool, checked, supported, { signal, onProgress: at('writing') }).finally(bar.end)
      await resumeAfterRestore(config, pool, checked, terminal)
    })
    out(`${file}: ${describeContents(checked.rows)}, as of ${checked.header.createdAt}`)
    return await rebuildAll(terminal)
  })
}

async function requireEmptyEventStore({ eventStoreUrl }: Config): Promise<void> {
  if (eventStoreUrl === undefined) return
  const store = openExternalEventStore(eventStoreUrl)
  try {
    if ((await store.head()) !== null)
      throw new OperationRefused('The event store holds events already: restore into an empty one')
  } finally {
    await store.close()
  }
}

/** What follows the record goes on in the store in which it is from now on. */
async function resumeAfterRestore(
  { eventStoreUrl }: Config,
  pool: Pool,
  { processManagers: reactors }: VerifiedBackup,
  terminal: Terminal,
): Promise<void> {
  if (eventStoreUrl !== undefined) await moveEventsTo(eventStoreUrl, pool, terminal)
  const store = eventStoreUrl === undefined ? await openPostgresStore(pool) : openExternalEventStore(eventStoreUrl)
  await resumeProcessManagers(pool, store, reactors).finally(() => store.close())
}

/** The events came back into the database; they belong into an event store of their own. */
async function moveEventsTo(address: string, pool: Pool, terminal: Terminal): Promise<void> {
  const bar = createProgressDisplay(terminal, 'restore')
  const [from, to] = [await openPostgresStore(pool), openExternalEventStore(address)]
  try {
    await copyHistory(from, to, {
      signal: terminal.signal,
      progress: ({ step, done, total }) => bar.show(step, { events: done, share: total === 0 ? 1 : done / total }),
    })
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]
    const next = 'go on with npm run events -- copy --from postgres --to <its address>'
    throw new OperationRefused(`Everything is back in the database, but not in the event store (${why}): ${next}`)
  } finally {
    bar.end()
    await from.close()
    await to.close()
  }
  await pool.query('drop schema es cascade')
}

/** What follows from the events. The data is safe by now: what cannot be done here the next start does. */
async function rebuildAll(terminal: Terminal): Promise<number> {
  const { out, err, signal } = terminal
  try {
    await withEngine(terminal, async (engine) => {
      await prepareTables(engine.pool, projections)
      for (const projection of projections) {
        const bar = createProgressDisplay(terminal, projection.name)
        const onProgress = (progress: { stage: string; events: number; share: number }) =>
          bar.show(progress.stage, progress)
        await rebuild(engine, projection, { signal, onProgress }).finally(bar.end)
      }
    })
  } catch (error) {
    err(`The data is back; the read models are not: ${(error as Error).message.split('\n')[0]}`)
    err('Put that right and start Everchart: it makes them itself.')
    return 1
  }
  if (signal.aborted) {
    err('The data is back; the read models are made by the next start.')
    return exitCodeCancelled
  }
  out(`${formatCount(projections.length, 'read model')} made anew. Start Everchart; everybody signs in again.`)
  return 0
}

await runCli(async (words, terminal) => {
  try {
    const asked = readArguments(words)
    if (asked === 'help') help.trimEnd().split('\n').forEach(terminal.out)
    else return await (asked.does === 'backup' ? runBackup : runRestore)(asked.file, terminal)
    return 0
  } catch (error) {
    if (terminal.signal.aborted && !(error instanceof OperationRefused)) {
      terminal.err('Stopped; nothing was written.')
      return exitCodeCancelled
    }
    const expected = [UsageError, OperationRefused, CopyError, StartError, StoreUnavailable].some(
      (kind) => error instanceof kind,
    )
    if (!expected) throw error
    terminal.err((error as Error).message)
    return error instanceof UsageError ? 2 : 1
  }
})
