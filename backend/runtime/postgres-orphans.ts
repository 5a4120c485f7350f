import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartError } from './start-error.ts'

const run = promisify(execFile)

/**
 * Stops database processes that still use this cluster and removes a stale `postmaster.pid`: both can remain after `kill -9`
 * of the application. The caller holds the lock on the data folder, so no running application uses the cluster. Throws
 * StartError if a process cannot be stopped.
 */
export async function stopOrphanedPostgres(cluster: string, log: (line: string) => void): Promise<void> {
  let left = await findClusterProcesses(cluster)
  if (left.length > 0) log('A database left running by an earlier start is being stopped')
  // Fast shutdown, then immediate shutdown, then kill; PostgreSQL recovers from each through its write-ahead log.
  for (const [signal, milliseconds] of [
    ['SIGINT', 6000],
    ['SIGQUIT', 3000],
    ['SIGKILL', 3000],
  ] as const) {
    for (const pid of left) sendSignal(pid, signal)
    const deadline = Date.now() + milliseconds
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(50)
      left = await findClusterProcesses(cluster)
    }
  }
  if (left.length > 0)
    throw new StartError(`A database process (${left.join(', ')}) still holds ${cluster} and cannot be stopped.`)
  // A process id that another process reuses would make PostgreSQL refuse to start.
  await rm(path.join(cluster, 'postmaster.pid'), { force: true })
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/** Finds processes by their working folder, the cluster, which distinguishes them from a reused process id. */
async function findClusterProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return await findPostmasterByCommand(cluster)
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid) || pid === process.pid) continue
    try {
      const [folder, name] = await Promise.all([readlink(`/proc/${pid}/cwd`), readFile(`/proc/${pid}/comm`, 'utf8')])
      if (folder === cluster && name.trim() === 'postgres') found.push(pid)
    } catch {
      // A process of another user, or one that has just ended.
    }
  }
  return found
}

async function findPostmasterByCommand(cluster: string): Promise<number[]> {
  try {
    const pid = Number((await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
    const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)])
    return stdout.includes('postgres') && stdout.includes(cluster) ? [pid] : []
  } catch {
    return []
  }
}
