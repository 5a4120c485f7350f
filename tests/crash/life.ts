import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#contracts/health.ts'
import {
  type EverchartProcess,
  killAllProcesses,
  startEverchart,
  createTemporaryDataDir,
} from '#tests/support/everchart-process.ts'
import { checkAfterKill, healthRefreshMs } from './check.ts'
import { reconnectUsers, openPractices, work } from './clerks.ts'
import { createRequestLog } from './ledger.ts'
import { type Kill, createPlan, type Round, doesAppSurvive } from './plan.ts'
import { waitUntilGone, performKill } from './processes.ts'
import { createRandom } from './random.ts'
import { waitForKillMoment, prepareSituation } from './situations.ts'

/** A kill that was carried out, and how many milliseconds later all was ready again; null when the next one came first. */
export type KillResult = Pick<Kill, 'mode' | 'situation'> & { recoveryMs: number | null }

/** What a life of the application came to. `problems` is empty when every promise was kept. */
export type CrashRun = {
  kills: KillResult[]
  problems: string[]
  done: number
  refused: number
  unknown: number
  eventCount: number
  /** Where everything is kept, when there are problems; else it is gone. */
  folder: string
}

type Options = {
  seed: number
  kills: number
  /** Milliseconds after which it is a problem that it is not ready. */
  recoveryTimeoutMs: number
  onKill?: (killed: KillResult) => void
  signal?: AbortSignal
  /** Settings of the application that come on top. */
  settings?: Record<string, string>
}

/** Time-outs that end a hang: of a request after everything is ready again, and of a stop. */
const requestTimeoutMs = 100_000
const stopTimeoutMs = 100_000

/**
 * One data folder from its first start on: people at work, a kill, a start, a look at everything, and again. Ends at the
 * first broken promise, and then leaves the folder as it is.
 */
export async function runCrashes(options: Options): Promise<CrashRun> {
  const { seed, recoveryTimeoutMs: patience, onKill, signal, settings } = options
  const data = await createTemporaryDataDir()
  const chance = createRandom(seed)
  const plan = createPlan(chance, options.kills)
  const ledger = createRequestLog()
  const kills: KillResult[] = []
  const problems: string[] = []
  let story = { eventCount: 0, fingerprint: 'd41d8cd98f00b204e9800998ecf8427e' }
  let usualStart = 2_000
  let app = start()

  function start(): EverchartProcess {
    return startEverchart(data.folder, { TRUST_PROXY: 'true', LOG_LEVEL: 'warn', ...settings })
  }
  const told = (one: Kill, readyAgain: number | null) => {
    const killed = { mode: one.mode, situation: one.situation, recoveryMs: readyAgain }
    kills.push(killed)
    onKill?.(killed)
  }

  /** Milliseconds since `began` until it is ready, and has looked since then. What does not come back ends this life. */
  async function ready(began: number): Promise<number> {
    await sleep(healthRefreshMs)
    const late = sleep(patience).then(() => Promise.reject(new Error(`not ready within ${patience} ms`)))
    late.catch(() => undefined)
    await Promise.race([app.ready, late])
    while ((await fetchHealth(app))?.status !== 'ok') {
      if (Date.now() - began > patience) await late
      await sleep(10)
    }
    return Date.now() - began
  }

  async function isStopped(how: Kill['mode']): Promise<void> {
    if (doesAppSurvive(how)) return
    const end = await Promise.race([app.ended, sleep(stopTimeoutMs)])
    // So early in its start that it has not said a word, it cannot have listened either.
    const deaf = end?.signal === 'SIGTERM' && app.output() === ''
    if (end && (how !== 'told to stop' || end.code === 0 || deaf)) return
    problems.push(`told to stop, it ended with ${end ? end.code : 'nothing'}: ${app.output().slice(-500)}`)
  }

  async function play([first, ...others]: Round, clerks: Awaited<ReturnType<typeof openPractices>>): Promise<void> {
    const scene = { dataDir: data.folder, clerks, ledger, chance }
    await prepareSituation(scene, first.situation)
    const stop = new AbortController()
    const atWork = Promise.all(clerks.map((clerk) => work(clerk, ledger, chance, stop.signal)))
    await waitForKillMoment(scene, first)
    let began = Date.now()
    let last = first
    const killed = await performKill(app, data.folder, first.mode, chance)
    if (!doesAppSurvive(first.mode)) stop.abort()
    await isStopped(first.mode)
    for (const next of others) {
      told(last, null)
      // One that came through the kill of its database is still at its start.
      if (!doesAppSurvive(last.mode) || (await hasEnded(app))) app = start()
      last = next
      began = Date.now()
      await sleep(next.fraction * usualStart)
      await performKill(app, data.folder, next.mode, chance)
      await isStopped(next.mode)
    }
    if (doesAppSurvive(last.mode) && last === first) {
      if (!(await waitUntilGone(data.folder, killed, patience))) problems.push('the killed database does not go')
    } else if (!doesAppSurvive(last.mode) || (await endsBeforeReady(app))) {
      // A start whose database was killed under it may end; whoever started it starts it again.
      app = start()
      began = Date.now()
    }
    const milliseconds = await ready(began)
    if (!doesAppSurvive(last.mode)) usualStart = Math.min(milliseconds, 5_000)
    told(last, milliseconds)
    stop.abort()
    const hangs = sleep(requestTimeoutMs, 'hangs' as const, { ref: false })
    if ((await Promise.race([atWork, hangs])) === 'hangs') problems.push('a request hangs')
  }

  try {
    await ready(Date.now())
    const clerks = await openPractices(app.url(), ledger)
    for (const [index, round] of plan.entries()) {
      if (signal?.aborted) break
      await play(round, clerks)
      reconnectUsers(app.url(), clerks)
      const isLast = index === plan.length - 1
      const checked = await checkAfterKill({
        dataDir: data.folder,
        url: app.url(),
        clerks,
        ledger,
        before: story,
        isLast,
      })
      problems.push(...checked.problems)
      story = checked
      if (problems.length > 0) break
    }
  } catch (error) {
    problems.push((error as Error).stack ?? String(error), app.output().slice(-20_000))
  } finally {
    app.kill('SIGKILL')
    await killAllProcesses(data.folder)
    if (problems.length === 0) await data.remove()
  }
  const [done, refused, unknown] = (['done', 'refused', 'unknown'] as const).map(ledger.count) as [
    number,
    number,
    number,
  ]
  return { kills, problems, done, refused, unknown, eventCount: story.eventCount, folder: data.folder }
}

async function fetchHealth(app: EverchartProcess): Promise<Health | null> {
  return await fetch(`${app.url()}/api/health`)
    .then((answer) => answer.json() as Promise<Health>)
    .catch(() => null)
}

/** Returns whether the process ends by itself within two seconds; one that ends later is restarted after the last kill. */
const hasEnded = (app: EverchartProcess) => Promise.race([app.ended.then(() => true), sleep(2_000, false)])

/** Waits until the process either ends or is ready; returns whether it ended. */
const endsBeforeReady = (app: EverchartProcess) =>
  Promise.race([
    app.ended.then(() => true),
    app.ready.then(
      () => false,
      () => true,
    ),
  ])
