import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { changeOwner, resolvePostgresAccount } from './postgres-account.ts'
import { ensureCluster, findPostgresPrograms } from './postgres-cluster.ts'
import { stopOrphanedPostgres } from './postgres-leftovers.ts'
import { stopPostgres, launchPostgres, type PostgresRun } from './postgres-process.ts'
import { createRestartLimiter } from './restart-limit.ts'
import { StartError } from './start-error.ts'

/** A running database of our own. */
export type EmbeddedPostgres = {
  /** Connection address of the database `everchart`, password included: never log it. */
  url: string
  port: number
  /** Process id of the postmaster at this moment. */
  pid(): number
  /** Ends connections and shuts down with a checkpoint; forces after 6 s. May be called twice. */
  stop(): Promise<void>
  /** Ends it at once, without a checkpoint, for a process that has no more time. Nothing is lost; the next start recovers. */
  kill(): void
}

type Options = {
  /** Folder of everything the application keeps; the cluster goes to `postgres` in it. */
  dataDir: string
  /** One line for the reader a step. */
  log: (line: string) => void
  /** Further settings as `name=value`, such as `fsync=off` for a test run. */
  extraFlags?: readonly string[]
  /** Ends a start that is under way. */
  signal?: AbortSignal
  /** Called when the database has ended without having been asked to and does not come back. */
  onLost?: (reason: string) => void
}

/**
 * Starts PostgreSQL 18 from npm on 127.0.0.1, on the port of last time when it is still free. Makes the cluster at the
 * first start, clears away what a killed one left, and starts the database again on the same port when it is killed
 * while we run. The caller holds the lock on `dataDir`. Throws StartError.
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
  const kept = supervisePostgres(run, child, options)
  const address = (name: string) => `postgres://everchart:${password}@127.0.0.1:${run.port}/${name}`
  try {
    await ensureDatabase(address('postgres'))
  } catch (error) {
    await kept.stop()
    throw new StartError(`The embedded database does not let us in: ${(error as Error).message}`)
  }
  return { url: address('everchart'), port: run.port, ...kept }
}

/** Creates the folder when missing and answers its real path, without symbolic links. Throws StartError. */
export async function ensureDataDir(dataDir: string): Promise<string> {
  const full = path.resolve(dataDir)
  try {
    if (!existsSync(full)) {
      await mkdir(full, { recursive: true })
      // As root, the database's own user must be able to walk through; every secret in it has mode 0600.
      await chmod(full, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    return await realpath(full)
  } catch (error) {
    throw new StartError(`DATA_DIR ${full} cannot be created: ${(error as Error).message}`)
  }
}

async function launchOnFreePort(base: Omit<PostgresRun, 'port'>, portFile: string) {
  let wanted = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  for (let attempt = 1; ; attempt += 1) {
    const run = { ...base, port: await findFreePort(wanted) }
    const { child, reason } = await launchPostgres(run)
    if (child) {
      await writeFile(portFile, String(run.port), { mode: 0o600 })
      return { run, child }
    }
    // Somebody may take the port between our look and the database's.
    if (attempt >= 5 || !/could not bind|Address already in use|could not create any TCP/.test(reason)) {
      throw new StartError(`The embedded database does not start: ${reason} (more in ${base.logFile})`)
    }
    wanted = 0
  }
}

const maxRestarts = 20
/** In milliseconds: what ends more often than once in three seconds will not be mended by starting it once more. */
const restartWindowMs = 60_000
/** Tries to start it after one end, within six seconds and a half, before it counts as lost. */
const maxStartAttempts = 5

function supervisePostgres(run: PostgresRun, first: ChildProcess, { log, onLost }: Options) {
  let child = first
  const ending = new AbortController()
  const mayRestart = createRestartLimiter(maxRestarts, restartWindowMs)
  let restarting: Promise<void> = Promise.resolve()

  async function restart(): Promise<void> {
    log('The database ended unexpectedly and is started again')
    // One try may meet what passes: no process to be had on a busy machine, memory of the former one still in use.
    for (let tries = 1; ; tries += 1) {
      if (!mayRestart()) return onLost?.('it keeps ending')
      const reason = await startAgain()
      if (reason === undefined || ending.signal.aborted) return
      if (tries === maxStartAttempts) return onLost?.(reason)
      log(`The database does not start (${reason}) and is tried again`)
      await sleep(200 * 2 ** tries, undefined, { signal: ending.signal }).catch(() => undefined)
      if (ending.signal.aborted) return
    }
  }

  /** Answers why not, where it does not start. */
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
    // It may have ended in the moment in which it began to answer.
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
