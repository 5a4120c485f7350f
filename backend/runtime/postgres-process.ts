import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { spawnAs, type PostgresAccount } from './postgres-account.ts'

/** The settings of one run of the postmaster. */
export type PostgresRun = {
  account: PostgresAccount
  /** The program `postgres`. */
  program: string
  cluster: string
  logFile: string
  port: number
  password: string
  /** Settings as `name=value`. */
  extraFlags: readonly string[]
  signal: AbortSignal | undefined
}

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'lc_messages=C',
  'max_connections=100',
  // Statements and row values can contain names and health data, which do not belong in a log.
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_parameter_max_length=0',
  'log_checkpoints=off',
  // Every checkpoint makes all other writes wait for a slow disk, and the first change of a page after it is logged whole.
  // Recovery is bounded by the size of the write-ahead log, one gigabyte by default.
  'checkpoint_timeout=15min',
  // After a crash the postmaster would recover in place, and on a full disk it can wait for ever for a recovery that failed.
  // It ends instead, and the supervisor starts it again with more room.
  'restart_after_crash=off',
]
const maxLogBytes = 10_000_000

/** Starts the postmaster and waits until it accepts connections. Returns PostgreSQL's own reason if it does not. */
export async function launchPostgres(
  run: PostgresRun,
): Promise<{ child: ChildProcess; reason?: never } | { child?: never; reason: string }> {
  const begin = await findLogOffset(run.logFile)
  const file = await open(run.logFile, 'a', 0o600)
  const options = [...settings, ...run.extraFlags].flatMap((setting) => ['-c', setting])
  const args = ['-D', run.cluster, '-p', String(run.port), ...options]
  const child = spawnAs(run.account, run.program, args, ['ignore', file.fd, file.fd])
  const outcome = { ended: '' }
  child.once('error', (error) => (outcome.ended = error.message))
  child.once('exit', (code, signal) => (outcome.ended ||= `it ended with ${signal ?? `code ${code}`}`))
  await file.close()
  child.unref()

  // Recovery after a crash replays the write-ahead log, which takes a while on a busy machine.
  const deadline = Date.now() + 120_000
  while (!outcome.ended && Date.now() < deadline && !run.signal?.aborted) {
    if ((await isAcceptingConnections(run)) && !outcome.ended) return { child }
    await sleep(25)
  }
  if (!outcome.ended) await stopPostgres(child)
  if (run.signal?.aborted) return { reason: 'the start was cancelled' }
  const written = (await readFile(run.logFile)).subarray(begin).toString('utf8')
  return { reason: extractReason(written) || outcome.ended || 'it did not respond within 120 seconds' }
}

/** Reply of PostgreSQL to every client that asks too early or too late (57P03), as this program does while it waits. */
const refusedClient = /the database system is (starting up|shutting down|not yet accepting|in recovery)/

/** Returns the reasons that PostgreSQL logged for its end, each of them once. */
export function extractReason(log: string): string {
  const lines = log
    .split('\n')
    .filter((line) => /(LOG: +could not (bind|create)|FATAL|PANIC|ERROR)/.test(line) && !refusedClient.test(line))
  return [...new Set(lines.map((line) => line.replace(/^.*?(LOG|FATAL|PANIC|ERROR): +/, '')))].join('; ')
}

/** Shuts down with a checkpoint; after 4.5 s without one (the next start recovers); kills after 6 s. */
export async function stopPostgres(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.ref()
  const quitTimer = setTimeout(() => child.kill('SIGQUIT'), 4500)
  const kill = setTimeout(() => child.kill('SIGKILL'), 6000)
  child.kill('SIGINT')
  await exited
  clearTimeout(quitTimer)
  clearTimeout(kill)
}

/** Returns the offset at which the log lines of this run begin. Truncates a log of more than 10 MB. */
async function findLogOffset(logFile: string): Promise<number> {
  if (!existsSync(logFile)) return 0
  const { size } = await stat(logFile)
  if (size <= maxLogBytes) return size
  await truncate(logFile, 0)
  return 0
}

async function isAcceptingConnections({ port, password }: PostgresRun): Promise<boolean> {
  const at = { host: '127.0.0.1', port, user: 'everchart', password, database: 'postgres' }
  const client = new Client({ ...at, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    // A refusal other than "starting up" or "shutting down" comes from a running server; the next query then reports the
    // reason.
    const { code = '' } = error as { code?: string }
    return /^\d[0-9A-Z]{4}$/.test(code) && !code.startsWith('57P')
  }
}
