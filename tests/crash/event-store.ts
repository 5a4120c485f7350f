import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BACKWARDS, END } from '@eventstore/db-client'
import { connect } from '#eventstore/kurrentdb/client.ts'
import { startWireServer } from '#tests/support/wire/server.ts'
import type { Random } from './random.ts'

/** An EventStoreDB that a crash run kills and brings back. */
export type KillableEventStore = {
  /** Connection string, as in EVENTSTORE_URL. */
  url: string
  /** Ends it at once. It comes back by itself after at most two seconds and the time that it needs to start. */
  kill(random: Random): void
  /** Resolves when it is back after the last kill. */
  waitUntilBack(): Promise<void>
  /** Ends it, and deletes its data. */
  stop(): Promise<void>
}

type Controls = {
  url: string
  end(): Promise<void>
  begin(): void | Promise<void>
  clear(): Promise<void>
  /** Throws when it has ended by itself. */
  check(): void
}

const maxPauseMs = 2_000

function createKillable({ url, end, begin, clear, check }: Controls): KillableEventStore {
  let restart = Promise.resolve()
  return {
    url,
    kill(random) {
      const pauseMs = random.integerBelow(maxPauseMs)
      restart = restart
        .then(end)
        .then(() => sleep(pauseMs))
        .then(begin)
    },
    async waitUntilBack() {
      await restart
      for (; !(await responds(url)); await sleep(20)) check()
    },
    async stop() {
      await restart
      await end()
      await clear()
    },
  }
}

/** Returns whether a server responds. */
async function responds(url: string): Promise<boolean> {
  const { client, credentials } = connect(url)
  const reading = client.readAll({ credentials, direction: BACKWARDS, fromPosition: END, maxCount: 1 })
  try {
    for await (const _ of reading) return true
    return true
  } catch {
    return false
  } finally {
    await client.dispose()
  }
}

/** Starts our test server. A kill resets its connections and refuses new ones: what it has written stays. */
export async function startTestEventStore(): Promise<KillableEventStore> {
  const { url, proxy, stop } = await startWireServer()
  return createKillable({
    url,
    end: proxy.stopListening,
    begin: proxy.resumeListening,
    clear: stop,
    check: () => undefined,
  })
}

/**
 * Starts a real server by a shell command, which must run in the foreground, listen at `url` and keep its data in the folder it
 * is started in: a new, empty one. Rejects when the server ends.
 */
export async function startRealEventStore(url: string, command: string): Promise<KillableEventStore> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-event-store-'))
  // An EventStoreDB takes variables of this prefix for its own options, and refuses unknown ones.
  const { EVENTSTORE_URL: _, ...env } = process.env
  let server: ChildProcess | undefined
  const hasEnded = () => server === undefined || server.exitCode !== null || server.signalCode !== null
  const begin = () => {
    server = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env, stdio: 'ignore', detached: true })
  }
  const end = async () => {
    if (!server?.pid || hasEnded()) return
    const ended = once(server, 'exit')
    process.kill(-server.pid, 'SIGKILL')
    await ended
  }
  const check = () => {
    if (hasEnded()) throw new Error(`The event store has ended: ${command}`)
  }
  begin()
  const clear = () => rm(folder, { recursive: true, force: true })
  const store = createKillable({ url, end, begin, clear, check })
  await store.waitUntilBack()
  return store
}
