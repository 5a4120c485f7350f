import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findDatabaseProcesses, readDatabaseUrl, type EverchartProcess } from '#tests/support/everchart-process.ts'
import type { KillMode } from './plan.ts'
import type { Random } from './random.ts'

/** Does it. Answers the processes that must be gone before anything can be ready again. */
export async function performKill(
  app: EverchartProcess,
  dataDir: string,
  how: KillMode,
  chance: Random,
): Promise<number[]> {
  const database = await findDatabaseProcesses(dataDir)
  const postmaster = await findPostmaster(dataDir)
  switch (how) {
    case 'application':
      sendSignal([app.pid], 'SIGKILL')
      return []
    case 'postmaster':
      // A database that is only about to start has none yet.
      if (postmaster) sendSignal([postmaster], 'SIGKILL')
      return database
    case 'postmaster, then application':
      if (postmaster) sendSignal([postmaster], 'SIGKILL')
      await sleep(chance.integerBelow(300))
      sendSignal([app.pid], 'SIGKILL')
      return database
    case 'one database process': {
      const others = database.filter((pid) => pid !== postmaster)
      if (others.length > 0) sendSignal([chance.pick(others)], 'SIGKILL')
      return others
    }
    case 'everything':
      sendSignal([app.pid, ...database], 'SIGKILL')
      return database
    case 'frozen application':
      sendSignal([app.pid], 'SIGSTOP')
      await sleep(200 + chance.integerBelow(600))
      sendSignal([app.pid], 'SIGKILL')
      return []
    case 'frozen everything':
      sendSignal([app.pid, ...database], 'SIGSTOP')
      await sleep(200 + chance.integerBelow(600))
      sendSignal([app.pid, ...database], 'SIGKILL')
      return database
    case 'every connection':
      return await endConnections(await readDatabaseUrl(dataDir), chance)
    case 'told to stop':
      sendSignal([app.pid], 'SIGTERM')
      return []
  }
}

/** Ends every connection but its own, one to eight times over. Answers the processes that served them. */
async function endConnections(databaseUrl: string, chance: Random): Promise<number[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const ended: number[] = []
  try {
    for (let times = 1 + chance.integerBelow(8); times > 0; times--) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid, pg_terminate_backend(pid) from pg_stat_activity
         where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      ended.push(...rows.map(({ pid }) => pid))
      await sleep(chance.integerBelow(120))
    }
  } finally {
    await client.end()
  }
  return ended
}

/** The postmaster that works in a data folder; undefined when none does. */
async function findPostmaster(dataDir: string): Promise<number | undefined> {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return (await findDatabaseProcesses(dataDir)).find((one) => one === pid)
}

/** Resolves when none of these processes works in the data folder any more, or after the patience. */
export async function waitUntilGone(dataDir: string, pids: readonly number[], patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(10)) {
    const left = await findDatabaseProcesses(dataDir)
    if (!pids.some((pid) => left.includes(pid))) return true
  }
  return false
}

function sendSignal(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It had ended already.
    }
  }
}
