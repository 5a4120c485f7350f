import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseProcesses, type Everchart, killAllIn } from '#tests/support/everchart-process.ts'
import type { Random } from './morning.ts'

/** One way in which everything can go wrong at once. */
export type Kill = {
  name: string
  /** Whether the application is meant to live through it. */
  survives?: boolean
  run(app: Everchart, dataDir: string, random: Random): Promise<void>
}

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch {
    // It had ended already.
  }
}

const postmasterOf = async (dataDir: string) =>
  Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '0')).split('\n')[0])

/** Everything a machine, an operator or the kernel's memory killer can do to the two. */
export const kills: readonly Kill[] = [
  { name: 'everything at once', run: (_, dataDir) => killAllIn(dataDir) },
  {
    name: 'the application alone',
    async run(app) {
      app.kill('SIGKILL')
      await app.ended
    },
  },
  {
    name: 'the database, and the application a moment later',
    async run(app, dataDir, random) {
      send(await postmasterOf(dataDir), 'SIGKILL')
      await sleep(random() * 300)
      app.kill('SIGKILL')
      await app.ended
    },
  },
  {
    name: 'one process of the database',
    survives: true,
    async run(_app, dataDir, random) {
      const postmaster = await postmasterOf(dataDir)
      const others = (await databaseProcesses(dataDir)).filter((pid) => pid !== postmaster)
      send(others[Math.floor(random() * others.length)] ?? 0, 'SIGKILL')
    },
  },
  {
    name: 'a polite end in the middle of the work',
    async run(app) {
      app.kill('SIGTERM')
      const { code } = await app.ended
      if (code !== 0) throw new Error(`SIGTERM ended it with ${code}`)
    },
  },
  {
    name: 'the application, frozen first',
    async run(app, _dataDir, random) {
      app.kill('SIGSTOP')
      await sleep(random() * 250)
      app.kill('SIGKILL')
      await app.ended
    },
  },
]
