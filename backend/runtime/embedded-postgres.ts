import type { ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { changeOwner, resolvePostgresAccount } from './postgres-account.ts'
import { ensureCluster, findPostgresPrograms } from './postgres-cluster.ts'
import { stopOrphanedPostgres } from './postgres-orphans.ts'
import { launchPostgres, type PostgresRun, stopPostgres } from './postgres-process.ts'
import { isForLackOfSpace, releaseReservedSpace } from './reserved-space.ts'
import { createRestartLimiter } from './restart-limit.ts'
import { StartError } from './start-error.ts'

/** A running embedded PostgreSQL. */
export type EmbeddedPostgres = {
  /** Address of the database `everchart` as the superuser, including the password: never log it. */
  url: string
  /** The same with the application's role, which the superuser has to create first. */
  applicationUrl: string
  port: number
  /** Returns the current process id of the postmaster. */
  pid(): number
  /** Closes connections and shuts down with a checkpoint; kills after 6 s. May be called twice. */
  stop(): Promise<void>
  /** Kills it without a checkpoint, for a process that must exit now. Nothing is lost; the next start recovers. */
  kill(): void
}

type Options = {
  /** Data folder of the application; the cluster goes to `postgres` below it. */
  dataDir: string
  /** Receives one line per step. */
  log: (line: string) => void
  /** Additional settings as `name=value`, such as `fsync=off` for a test run. */
  extraFlags?: readonly string[]
  /** Cancels a start in progress. */
  signal?: AbortSignal
  /** Called when the database ended unexpectedly and cannot be restarted. */
  onLost?: (reason: string) => void
}

/**
 * Starts PostgreSQL 18 from npm on 127.0.0.1, on the same port as last time if it is free. Creates the cluster on the first
 * start, cleans up after a killed run, and restarts the database on the same port when it is killed while the application
 * runs. The caller holds the lock on `dataDir`. Throws StartError.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { log, extraFlags = [], signal } = options
  const home = await ensureDataDir(options.dataDir)
  const programs = await findPostgresPrograms()
  const account = await resolvePostgresAccount(home, programs.postgres)
  const { cluster, password } = await ensureCluster(home, account, programs, log)
  await stopOrphanedPostgres(cluster, log)
  await changeOwner(account, cluster)

  const logFile = path.join(home, 'postgres.log')
  const base = { account, program: programs.postgres, cluster, logFile, password, extraFlags, signal }
  const { run, child } = await launchOnFreePort(base, path.join(home, 'postgres-port'))
  const supervised = supervisePostgres(run, child, options)
  const address = (name: string) => `postgres://everchart:${password}@127.0.0.1:${run.port}/${name}`
  try {
    await ensureDatabase(address('postgres'))
  } catch (error) {
    await supervised.stop()
    throw new StartError(`The embedded database refuses the connection: ${(error as Error).message}`)
  }
  const url = address('everchart')
  return { url, applicationUrl: toApplicationUrl(url), port: run.port, ...supervised }
}

/**
 * Returns the address of the embedded database with the application's role. Its password is derived from that of the
 * superuser, so that there is no second one to keep, and does not reveal it.
 */
export function toApplicationUrl(superuserUrl: string): string {
  const url = new URL(superuserUrl)
  url.password = createHmac('sha256', url.password).update('application role').digest('base64url')
  url.username = 'everchart_app'
  return url.href
}

/** Creates the folder if missing and returns its real path, without symbolic links. Throws StartError. */
export async function ensureDataDir(dataDir: string): Promise<string> {
  const full = path.resolve(dataDir)
  try {
    if (!existsSync(full)) {
      await mkdir(full, { recursive: true })
      // As root, the database's user must be able to traverse it; every secret in it has mode 0600.
      await chmod(full, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    return await realpath(full)
  } catch (error) {
    throw new StartError(`DATA_DIR ${full} cannot be created: ${(error as Error).message}`)
  }
}

async function launchOnFreePort(base: Omit<PostgresRun, 'port'>, portFile: string) {
  const saved = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  let wanted = saved
  for (let attempt = 1; ; attempt += 1) {
    const run = { ...base, port: await findFreePort(wanted) }
    const { child, reason } = await launchPostgres(run)
    if (child) {
      if (run.port !== saved) await writeFile(portFile, String(run.port), { mode: 0o600 })
      return { run, child }
    }
    if (isForLackOfSpace(reason) && (await releaseReservedSpace(path.dirname(base.cluster)))) continue
    // Another process may take the port between the check and the start of the database.
    if (attempt >= 5 || !/could not bind|Address already in use|could not create any TCP/.test(reason)) {
      throw new StartError(`The embedded database does not start: ${reason} (more in ${base.logFile})`)
    }
    wanted = 0
  }
}

const maxRestarts = 20
/** Restarting does not help a database that ends more often than once in three seconds on average. */
const restartWindowMs = 60_000
/** Milliseconds between two starts on a full disk: they go on until there is room again. */
const fullDiskDelayMs = 5_000
/** Maximum start attempts after one unexpected end, within 6.5 seconds, before the database counts as lost. */
const maxStartAttempts = 5

function supervisePostgres(run: PostgresRun, first: ChildProcess, { log, onLost }: Options) {
  let child = first
  const ending = new AbortController()
  const mayRestart = createRestartLimiter(maxRestarts, restartWindowMs)
  let restarting: Promise<void> = Promise.resolve()
  /** Time of the last start that failed because the disk was full. */
  let fullAt = -Infinity

  const pause = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined)

  async function restart(): Promise<void> {
    log('The database ended unexpectedly; restarting it')
    let lastReason: string | undefined
    if (performance.now() - fullAt < restartWindowMs) await pause(fullDiskDelayMs)
    // An attempt may fail for a transient reason: no free process, or shared memory of the previous run still in use.
    for (let attempt = 1; ; attempt += 1) {
      if (!mayRestart()) return onLost?.('it ended too often')
      const reason = await startAgain()
      if (reason === undefined || ending.signal.aborted) return
      const isFull = isForLackOfSpace(reason)
      if (isFull) fullAt = performance.now()
      if (isFull && (await releaseReservedSpace(path.dirname(run.cluster)))) {
        log('The disk is full: starting the database in the reserved space')
        continue
      }
      if (attempt >= maxStartAttempts && !isFull) return onLost?.(reason)
      if (reason !== lastReason) log(`The database does not start (${reason}); retrying`)
      lastReason = reason
      await pause(isFull ? fullDiskDelayMs : 200 * 2 ** attempt)
      if (ending.signal.aborted) return
    }
  }

  /** Returns the reason if the database does not start. */
  async function startAgain(): Promise<string | undefined> {
    try {
      await stopOrphanedPostgres(run.cluster, () => undefined)
      const again = await launchPostgres(run)
      if (!again.child) return again.reason
      child = again.child
      watch()
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  function watch(): void {
    const ended = () => {
      if (!ending.signal.aborted) restarting = restart()
    }
    // It may have ended just as it began to accept connections.
    if (child.exitCode !== null || child.signalCode !== null) ended()
    else child.once('exit', ended)
  }

  watch()
  return {
    pid: () => child.pid ?? 0,
    async stop() {
      ending.abort()
      await restarting
      await stopPostgres(child)
    },
    kill() {
      ending.abort()
      child.kill('SIGQUIT')
    },
  }
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rowCount } = await client.query(`select 1 from pg_database where datname = 'everchart'`)
    if (rowCount === 0) await client.query('create database everchart')
  } finally {
    await client.end()
  }
}

async function findFreePort(wanted: number): Promise<number> {
  if (Number.isInteger(wanted) && wanted > 0 && wanted < 65_536 && (await tryBind(wanted)) !== undefined) return wanted
  const any = await tryBind(0)
  if (any === undefined) throw new StartError('There is no free port on 127.0.0.1 for the embedded database.')
  return any
}

async function tryBind(port: number): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const bound = (server.address() as AddressInfo).port
      server.close(() => resolve(bound))
    })
  })
}
