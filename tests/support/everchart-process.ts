import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processEnvironment } from './process-environment.ts'
import { waitUntil } from './wait-until.ts'

/** The application as installed: a separate process with an embedded database in its own data folder. */
export type EverchartProcess = {
  /** Returns its address, once `ready` has resolved. */
  url(): string
  /** Returns all output so far. */
  output(): string
  /** Resolves with its address when it prints that it is ready; rejects when it ends before. */
  ready: Promise<string>
  /** Resolves when it has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; milliseconds: number }>
  pid: number
  dataDir: string
  kill(signal: NodeJS.Signals): void
}

/** Starts what `npm start` starts on a free port, with additional settings, in the checkout; in a copy of it its sources. */
export function startEverchart(
  dataDir: string,
  settings: Record<string, string> = {},
  folder = process.cwd(),
): EverchartProcess {
  const environment = {
    ...processEnvironment,
    NODE_ENV: 'development',
    PORT: '0',
    DATA_DIR: dataDir,
    SAMPLE_PRACTICE: 'off',
    ...settings,
  }
  const began = Date.now()
  const child: ChildProcess = spawn(
    process.execPath,
    [folder === process.cwd() ? 'build/backend/main.js' : 'backend/main/main.ts'],
    {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )
  let output = ''
  let url = ''
  const ready = Promise.withResolvers<string>()
  // A test that expects a refusal never awaits `ready`.
  ready.promise.catch(() => undefined)
  const ended = Promise.withResolvers<{ code: number | null; signal: NodeJS.Signals | null; milliseconds: number }>()
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    const address = /ready: (http:\/\/\S+:\d+)/.exec(output)?.[1]
    if (!address || url) return
    url = address
    ready.resolve(url)
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  child.on('close', (code, signal) => {
    ready.reject(new Error(`It ended with ${signal ?? code}:\n${output}`))
    ended.resolve({ code, signal, milliseconds: Date.now() - began })
  })
  return {
    url: () => url,
    output: () => output,
    ready: ready.promise,
    ended: ended.promise,
    pid: child.pid ?? 0,
    dataDir,
    kill: (signal) => void child.kill(signal),
  }
}

/** Waits until the application reports that everything works: on a busy machine, one check may exceed its time-out. */
export async function waitUntilHealthy(url: string): Promise<void> {
  const getHealth = async () => {
    const answer = await fetch(`${url}/api/health`)
    return { status: answer.status, body: await answer.text() }
  }
  await waitUntil(getHealth, ({ status, body }) => status === 200 && body === '{"status":"ok"}')
}

/**
 * Returns whether an application that has ended was stopped by a signal as intended. On a slow disk, it cuts its stop short after
 * nearly ten seconds: only that explains exit code 1.
 */
export const wasStopped = (app: EverchartProcess, code: number | null): boolean =>
  code === 0 || (code === 1 && app.output().includes('shutdown timed out'))

/** Waits until an application has ended after a signal. Throws unless it was stopped as intended. */
export async function expectStopped(app: EverchartProcess): Promise<void> {
  const { code, signal } = await app.ended
  if (!wasStopped(app, code)) throw new Error(`It ended with ${signal ?? code}:\n${app.output()}`)
  // A database that was killed at the end of the time needs a moment to end.
  if (code === 1) await waitUntil(async () => (await findDatabaseProcesses(app.dataDir)).length === 0)
}

/** Creates a data folder for one test. `remove` kills processes that still use it, then deletes it. */
export async function createTemporaryDataDir(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-process-'))
  // Under root the database runs as another user, which needs access to the parent folders.
  await chmod(folder, 0o711)
  return {
    folder,
    async remove() {
      await killAllProcesses(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the connection URL of the embedded database of a data folder. */
export async function readDatabaseUrl(dataDir: string): Promise<string> {
  const read = async (name: string) => (await readFile(path.join(dataDir, name), 'utf8')).trim()
  return `postgres://everchart:${await read('postgres-password')}@127.0.0.1:${await read('postgres-port')}/everchart`
}

/** Returns the ids of the database processes of a data folder. */
export async function findDatabaseProcesses(dataDir: string): Promise<number[]> {
  const cluster = path.join(dataDir, 'postgres')
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    if ((await readlink(`/proc/${entry}/cwd`).catch(() => '')) === cluster) found.push(Number(entry))
  }
  return found
}

/** Returns the port that a process listens on, even before it logs it; undefined if there is none. Reads Linux's /proc. */
export async function findListeningPort(pid: number): Promise<number | undefined> {
  const handles = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(handles.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')))
  const sockets = await readFile(`/proc/${pid}/net/tcp`, 'utf8').catch(() => '')
  for (const line of sockets.split('\n').slice(1)) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const isListening = state === '0A'
    if (isListening && links.includes(`socket:[${inode}]`)) return Number.parseInt(local.split(':')[1] ?? '', 16)
  }
  return undefined
}

/** Kills the application and the database of a data folder with `kill -9`. */
export async function killAllProcesses(dataDir: string): Promise<void> {
  const owner = Number(await readFile(path.join(dataDir, 'in-use.pid'), 'utf8').catch(() => '0'))
  for (const pid of [owner, ...(await findDatabaseProcesses(dataDir))]) {
    if (pid > 0) killProcess(pid)
  }
  while ((await findDatabaseProcesses(dataDir)).length > 0) await sleep(20)
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
