import os from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { Pool } from 'pg'
import { type Config, readConfig } from '#main/config.ts'
import { decorateEventStore } from '#main/decorate-event-store.ts'
import { createModuleEventVersions } from '#main/event-versions.ts'
import { openEventStore } from '#main/open-event-store.ts'
import { type Addresses, prepareDatabase } from '#main/prepare-database.ts'
import { loadKeys, type InstallationKeys } from '#encryption/installation-keys.ts'
import { modules } from '#main/modules.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { spoolHistory } from '#eventstore/spooled-store.ts'
import { openPostgresKeyStore, type PostgresKeyStore } from '#encryption/postgres-key-store.ts'
import { openPool } from '#database/pool.ts'
import { setEventStoreTimeout } from '#database/query-timeout.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import type { Terminal } from './terminal.ts'
import { acquireDatabase } from '#runtime/acquire-database.ts'
import { onInterrupt } from '#runtime/on-interrupt.ts'
import { StartError } from '#runtime/start-error.ts'

/** Runs a command-line tool until it ends or is interrupted, and exits with its exit code. */
export async function runCli(tool: (words: string[], terminal: Terminal) => Promise<number>): Promise<never> {
  const abort = new AbortController()
  onInterrupt(() => abort.abort())
  try {
    process.exit(await tool(process.argv.slice(2), createTerminal(abort.signal)))
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`)
    process.exit(1)
  }
}

/** Creates a progress bar on one line of a terminal; null if the output is not a terminal. */
function createProgressBar(stream: typeof process.stderr): Terminal['bar'] {
  if (!stream.isTTY) return null
  let drawn = false
  return (line) => {
    if (drawn) stream.write('\r\u001b[K')
    drawn = line !== null
    if (line !== null) stream.write(line.slice(0, (stream.columns || 80) - 1))
  }
}

function createTerminal(signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process
  const ask = async (question: string) => {
    const reader = createInterface({ input: stdin, output: stderr })
    try {
      return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `, { signal })).trim())
    } finally {
      reader.close()
    }
  }
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    bar: createProgressBar(stderr),
    ask: stdin.isTTY ? ask : null,
    signal,
    account: os.userInfo().username,
  }
}

/**
 * Milliseconds that a tool waits for one call of the event store, wherever it is. No request waits for a tool, and a rebuild may
 * compete with the application for a slow disk.
 */
export const toolCallTimeoutMs = 30_000

/** The settings and the database of this installation. */
export type Installation = { config: Config; pool: Pool }

/**
 * Runs a function with the database of this installation, whether or not Everchart is running: with the application's role,
 * or with that of the owner of the events, of which a restore needs all connections. Throws StartError.
 */
export async function withDatabase<Result>(
  { err }: Pick<Terminal, 'err'>,
  run: (reached: Installation) => Promise<Result>,
  config = readConfig(process.env),
  role: 'application' | 'owner' = 'application',
): Promise<Result> {
  const { url, ownerUrl, release } = await acquireDatabase(config, err)
  const pool = openPool(role === 'owner' ? ownerUrl : url, 5)
  setEventStoreTimeout(pool, toolCallTimeoutMs)
  try {
    if (role === 'application') await prepareTool({ databaseUrl: url, ownerUrl }, config)
    await orUnreachable(pool.query('select 1'))
    return await run({ config, pool })
  } finally {
    await pool.end()
    await release()
  }
}

/** Creates the application's role if this version has not run yet. An installation with one role needs no preparation. */
export async function prepareTool(
  addresses: Addresses,
  { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>,
): Promise<void> {
  if (addresses.databaseUrl === addresses.ownerUrl) return
  await orUnreachable(prepareDatabase(addresses, { storesEvents: eventStoreUrl === undefined }))
}

const orUnreachable = <Result>(query: Promise<Result>): Promise<Result> =>
  query.catch((error: Error) => {
    throw new StartError(`The database does not respond: ${error.message}`)
  })

/** Data keys are rarely reused within a scan, so a small, short-lived cache suffices. */
const dataKeyCache = { maxKeys: 2_000, ttlMs: 5_000 }

/** The stores of a tool: decrypted and raw events, read models, and the keys. */
export type OpenStores = Required<EngineContext> & {
  rawStore: EventStore
  keyStore: PostgresKeyStore
  keys: InstallationKeys
}

/** The way in which a tool reads the history: `readsOften` when it does so for one read model after the other. */
export type ToolReads = { readsOften?: boolean }

/** Opens the event store of this installation with its keys. Throws StartError if they are the wrong ones. */
export async function withOpenStores<Result>(
  { config, pool }: Installation,
  run: (opened: OpenStores) => Promise<Result>,
  { readsOften = false }: ToolReads = {},
): Promise<Result> {
  const keys = await loadKeys(pool, config)
  const opened = await openEventStore(config.eventStoreUrl, pool, { callTimeoutMs: toolCallTimeoutMs })
  // PostgreSQL returns the events of some types only.
  const spooled = readsOften && config.eventStoreUrl ? await spoolHistory(opened, config.dataDir) : null
  const rawStore = spooled?.store ?? opened
  const keyStore = await openPostgresKeyStore(pool, keys.masterKey, { limits: dataKeyCache })
  try {
    await prepareTables(pool, [])
    const views = decorateEventStore(rawStore, { keyStore, modules, versions: createModuleEventVersions(modules) })
    return await run({ ...views, pool, rawStore, keyStore, keys })
  } finally {
    await keyStore.close()
    await spooled?.close()
    await opened.close()
  }
}

/** Runs a function with the events and read models of this installation, whether or not Everchart is running. Throws StartError. */
export const withEngine = <Result>(
  terminal: Pick<Terminal, 'err'>,
  run: (engine: EngineContext) => Promise<Result>,
  reads?: ToolReads,
): Promise<Result> => withDatabase(terminal, (reached) => withOpenStores(reached, run, reads))
