import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, realpath, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { giveTo, postgresAccount, spawnAs, type PostgresAccount } from './postgres-account.ts'
import { ensureCluster, postgresPrograms } from './postgres-cluster.ts'
import { clearLeftovers } from './postgres-leftovers.ts'
import { StartError } from './start-error.ts'

/** A running database of our own. */
export type EmbeddedPostgres = {
  /** Connection address of the database `everchart`, password included: never log it. */
  url: string
  port: number
  /** Process id of the postmaster. */
  pid: number
  /** Ends connections and shuts down with a checkpoint; forces after 6 s. May be called twice. */
  stop(): Promise<void>
}

type Options = {
  /** Folder of everything the application keeps; the cluster goes to `postgres` in it. */
  dataDir: string
  /** One line for the reader a step. */
  log: (line: string) => void
  /** Further settings, such as `fsync=off` for a test run. */
  extraFlags?: string[]
  /** Called once when the database ends without having been asked to. */
  onExit?: () => void
}

/**
 * Starts PostgreSQL 18 from npm on 127.0.0.1, on the port of last time when it is still free. Makes the cluster at the
 * first start and clears away what a killed one left. The caller holds the lock on `dataDir`. Throws StartError.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  extraFlags = [],
  onExit,
}: Options): Promise<EmbeddedPostgres> {
  const home = await ensureDataDir(dataDir)
  const programs = await postgresPrograms()
  const account = await postgresAccount(home, programs.postgres)
  const { cluster, password } = await ensureCluster(home, account, programs, log)
  await clearLeftovers(cluster, log)
  await giveTo(account, cluster)

  const portFile = path.join(home, 'postgres-port')
  let wanted = Number(await readFile(portFile, 'utf8').catch(() => '0'))
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(wanted)
    const started = await launch({ account, program: programs.postgres, cluster, home, port, password, extraFlags })
    if (started.child) {
      await writeFile(portFile, String(port), { mode: 0o600 })
      const address = (name: string) => `postgres://everchart:${password}@127.0.0.1:${port}/${name}`
      const { child } = started
      let asked = false
      child.once('exit', () => {
        if (!asked) onExit?.()
      })
      const stop = async () => {
        asked = true
        await end(child)
      }
      try {
        await ensureDatabase(address('postgres'))
      } catch (error) {
        await stop()
        throw new StartError(`The embedded database does not let us in: ${(error as Error).message}`)
      }
      return { url: address('everchart'), port, pid: child.pid ?? 0, stop }
    }
    const portTaken = /could not bind|Address already in use|could not create any TCP/.test(started.reason)
    if (attempt >= 5 || !portTaken) {
      throw new StartError(
        `The embedded database does not start: ${started.reason} (see ${path.join(home, 'postgres.log')})`,
      )
    }
    wanted = 0
  }
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

type Launch = {
  account: PostgresAccount
  program: string
  cluster: string
  home: string
  port: number
  password: string
  extraFlags: string[]
}

async function launch(
  options: Launch,
): Promise<{ child: ChildProcess; reason?: never } | { child?: never; reason: string }> {
  const { account, program, cluster, home, port, password, extraFlags } = options
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    'lc_messages=C',
    'max_connections=100',
    // A statement or a row's values can hold names and health data: neither belongs in a log.
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_parameter_max_length=0',
    'log_checkpoints=off',
    ...extraFlags,
  ]
  const logFile = path.join(home, 'postgres.log')
  const logSize = existsSync(logFile) ? (await stat(logFile)).size : 0
  if (logSize > 10_000_000) await truncate(logFile, 0)
  const begin = logSize > 10_000_000 ? 0 : logSize
  const file = await open(logFile, 'a', 0o600)
  const args = ['-D', cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawnAs(account, program, args, ['ignore', file.fd, file.fd])
  const outcome = { ended: '' }
  child.once('error', (error) => (outcome.ended = error.message))
  child.once('exit', (code, signal) => (outcome.ended ||= `it ended with ${signal ?? `code ${code}`}`))
  await file.close()
  child.unref()

  // Recovery after a crash replays the log, which takes a while on a busy machine.
  const deadline = Date.now() + 120_000
  while (!outcome.ended && Date.now() < deadline) {
    if (await answers(port, password)) return { child }
    await sleep(25)
  }
  if (!outcome.ended) await end(child)
  const written = (await readFile(logFile)).subarray(begin).toString('utf8')
  const lines = written.split('\n').filter((line) => /(LOG: +could not (bind|create)|FATAL|PANIC|ERROR)/.test(line))
  const reason = lines.map((line) => line.replace(/^.*?(LOG|FATAL|PANIC|ERROR): +/, '')).join('; ')
  return { reason: reason || outcome.ended || 'it did not answer within 120 seconds' }
}

async function answers(port: number, password: string): Promise<boolean> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'everchart',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    // Any other refusal than "starting up" comes from a server that is there; ensureDatabase then tells the reason.
    const code = (error as { code?: string }).code ?? ''
    return /^[0-9A-Z]{5}$/.test(code) && code !== '57P03' && !code.startsWith('E')
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

async function freePort(wanted: number): Promise<number> {
  if (Number.isInteger(wanted) && wanted > 0 && wanted < 65_536 && (await bind(wanted)) !== undefined) return wanted
  const any = await bind(0)
  if (any === undefined) throw new StartError('There is no free port on 127.0.0.1 for the embedded database.')
  return any
}

async function bind(port: number): Promise<number | undefined> {
  return await new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const bound = (server.address() as AddressInfo).port
      server.close(() => resolve(bound))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.ref()
  const force = setTimeout(() => child.kill('SIGQUIT'), 4500)
  const kill = setTimeout(() => child.kill('SIGKILL'), 6000)
  child.kill('SIGINT')
  await gone
  clearTimeout(force)
  clearTimeout(kill)
}
