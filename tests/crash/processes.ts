import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findDatabaseProcesses, readDatabaseUrl, type EverchartProcess } from '#tests/support/everchart-process.ts'
import type { KillableEventStore } from './event-store.ts'
import type { KillMode } from './plan.ts'
import type { Random } from './random.ts'

/** Performs a kill. Returns the processes that must end before the application can be ready again. */
export async function performKill(
  app: EverchartProcess,
  mode: KillMode,
  random: Random,
  eventStore: KillableEventStore | undefined,
): Promise<number[]> {
  const { dataDir } = app
  const database = await findDatabaseProcesses(dataDir)
  const postmaster = await findPostmaster(dataDir)
  switch (mode) {
    case 'application':
      sendSignal([app.pid], 'SIGKILL')
      return []
    case 'postmaster':
      // A database that is about to start has no postmaster yet.
      if (postmaster) sendSignal([postmaster], 'SIGKILL')
      return database
    case 'postmaster, then application':
      if (postmaster) sendSignal([postmaster], 'SIGKILL')
      await sleep(random.integerBelow(300))
      sendSignal([app.pid], 'SIGKILL')
      return database
    case 'one database process': {
      const others = database.filter((pid) => pid !== postmaster)
      for (const left = new Set(others); left.size > 0;) {
        const pid = random.pick([...left])
        left.delete(pid)
        if (await killRunning(pid)) return others
      }
      return []
    }
    case 'everything':
      sendSignal([app.pid, ...database], 'SIGKILL')
      return database
    case 'frozen application':
      sendSignal([app.pid], 'SIGSTOP')
      await sleep(200 + random.integerBelow(600))
      sendSignal([app.pid], 'SIGKILL')
      return []
    case 'frozen everything':
      sendSignal([app.pid, ...database], 'SIGSTOP')
      await sleep(200 + random.integerBelow(600))
      sendSignal([app.pid, ...database], 'SIGKILL')
      return database
    case 'every connection':
      return await endConnections(await readDatabaseUrl(dataDir), random)
    case 'event store':
      eventStore?.kill(random)
      return []
    case 'event store, then application':
      eventStore?.kill(random)
      await sleep(random.integerBelow(300))
      sendSignal([app.pid], 'SIGKILL')
      return []
    case 'SIGTERM':
      sendSignal([app.pid], 'SIGTERM')
      return []
  }
}

/**
 * Kills a process, unless it ends by itself: such a process, as that of a refused connection, takes no other with it. It can still get
 * signals, but does not stop. Returns whether it was killed.
 */
async function killRunning(pid: number): Promise<boolean> {
  for (let sent = sendSignal([pid], 'SIGSTOP'); sent === 1; await sleep(1)) {
    const state = await readState(pid)
    if (state === 'T') return sendSignal([pid], 'SIGKILL') === 1
    if (state === undefined || state === 'Z' || state === 'X') return false
  }
  return false
}

/** Reads the state of a process, such as `S` for sleeping and `T` for stopped; undefined when there is none. */
async function readState(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat?.slice(stat.lastIndexOf(')') + 2).at(0)
}

/** Terminates all other connections one to eight times. Returns the ids of their backends. */
async function endConnections(databaseUrl: string, random: Random): Promise<number[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const ended: number[] = []
  try {
    for (let times = 1 + random.integerBelow(8); times > 0; times--) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      ended.push(...rows.map(({ pid }) => pid))
      await sleep(random.integerBelow(120))
    }
  } finally {
    await client.end()
  }
  return ended
}

/** Returns the process id of the postmaster of a data folder, or undefined. */
async function findPostmaster(dataDir: string): Promise<number | undefined> {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return (await findDatabaseProcesses(dataDir)).find((one) => one === pid)
}

/** Waits until none of these processes uses the data folder. Returns false after the time-out. */
export async function waitUntilGone(dataDir: string, pids: readonly number[], timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(10)) {
    const left = await findDatabaseProcesses(dataDir)
    if (!pids.some((pid) => left.includes(pid))) return true
  }
  return false
}

/** Sends a signal to those of the processes that still run; returns their number. */
function sendSignal(pids: readonly number[], signal: NodeJS.Signals): number {
  let sent = 0
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
      sent++
    } catch {
      // The process has already ended.
    }
  }
  return sent
}
