import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#contracts/health.ts'
import {
  type EverchartProcess,
  killAllProcesses,
  startEverchart,
  createTemporaryDataDir,
  wasStopped,
} from '#tests/support/everchart-process.ts'
import { checkAfterKill, healthRefreshMs } from './check-after-kill.ts'
import { describeLog } from './event-log.ts'
import type { KillableEventStore } from './event-store.ts'
import { reconnectUsers, openPractices, work } from './simulated-users.ts'
import { createRequestLog } from './request-log.ts'
import { type Kill, createPlan, type Round, doesAppSurvive, killsEventStore } from './plan.ts'
import { waitUntilGone, performKill } from './processes.ts'
import { createRandom } from './random.ts'
import { waitForKillMoment, prepareSituation } from './situations.ts'

/** A performed kill and its recovery time in milliseconds; null when the next kill came first. */
export type KillResult = Pick<Kill, 'mode' | 'situation'> & { recoveryMs: number | null }

/** The result of one run of kills and restarts on one data folder. */
export type CrashRun = {
  kills: KillResult[]
  problems: string[]
  done: number
  refused: number
  unknown: number
  eventCount: number
  /** The data folder, which is kept only when there are problems. */
  folder: string
}

type Options = {
  seed: number
  kills: number
  /** The limit of a recovery in milliseconds. */
  recoveryTimeoutMs: number
  onKill?: (result: KillResult) => void
  signal?: AbortSignal
  /** The store of the events, instead of the database; it is killed, too. */
  eventStore?: KillableEventStore
}

/** Limits that end a hang of a request or a stop, in milliseconds. */
const requestTimeoutMs = 100_000
const stopTimeoutMs = 100_000

/**
 * Runs rounds of work, kill, restart and check on one data folder. Stops at the first problem and then keeps the folder
 * as it is.
 */
export async function runCrashes(options: Options): Promise<CrashRun> {
  const { seed, recoveryTimeoutMs, onKill, signal, eventStore } = options
  const data = await createTemporaryDataDir()
  const random = createRandom(seed)
  const place = { dataDir: data.folder, eventStoreUrl: eventStore?.url }
  const settings: Record<string, string> = eventStore ? { EVENTSTORE_URL: eventStore.url } : {}
  const plan = createPlan(random, options.kills, eventStore !== undefined)
  const requestLog = createRequestLog()
  const kills: KillResult[] = []
  const problems: string[] = []
  let eventLog = describeLog([])
  let usualStartMs = 2_000
  let app = start()

  function start(): EverchartProcess {
    return startEverchart(data.folder, { TRUST_PROXY: 'true', LOG_LEVEL: 'warn', ...settings })
  }
  const recordKill = ({ mode, situation }: Kill, recoveryMs: number | null) => {
    const result = { mode, situation, recoveryMs }
    kills.push(result)
    onKill?.(result)
  }

  /** Waits until the application is ready with a fresh health reply. Returns the milliseconds since `startedAt`. */
  async function waitUntilReady(startedAt: number): Promise<number> {
    await sleep(healthRefreshMs)
    const timeout = sleep(recoveryTimeoutMs).then(() =>
      Promise.reject(new Error(`not ready within ${recoveryTimeoutMs} ms`)),
    )
    timeout.catch(() => undefined)
    await Promise.race([app.ready, timeout])
    while ((await fetchHealth(app))?.status !== 'ok') {
      if (Date.now() - startedAt > recoveryTimeoutMs) await timeout
      await sleep(10)
    }
    return Date.now() - startedAt
  }

  async function expectStopped(mode: Kill['mode']): Promise<void> {
    if (doesAppSurvive(mode)) return
    const end = await Promise.race([app.ended, sleep(stopTimeoutMs)])
    // A process that has printed nothing yet has no signal handler either.
    const hasNoHandler = end?.signal === 'SIGTERM' && app.output() === ''
    if (end && (mode !== 'SIGTERM' || wasStopped(app, end.code) || hasNoHandler)) return
    problems.push(`after SIGTERM it ended with ${end ? end.code : 'nothing'}: ${app.output().slice(-500)}`)
  }

  async function runRound([first, ...others]: Round, users: Awaited<ReturnType<typeof openPractices>>): Promise<void> {
    const scene = { place, users, requestLog, random }
    await prepareSituation(scene, first.situation)
    const stop = new AbortController()
    const working = Promise.all(users.map((user) => work(user, requestLog, random, stop.signal)))
    await waitForKillMoment(scene, first)
    let startedAt = Date.now()
    let last = first
    const killedPids = await performKill(app, first.mode, random, eventStore)
    if (!doesAppSurvive(first.mode)) stop.abort()
    await expectStopped(first.mode)
    for (const next of others) {
      recordKill(last, null)
      // An application that survived the kill of its database is still starting.
      if (!doesAppSurvive(last.mode) || (await hasEnded(app))) app = start()
      last = next
      startedAt = Date.now()
      await sleep(next.fraction * usualStartMs)
      await performKill(app, next.mode, random, eventStore)
      await expectStopped(next.mode)
    }
    if (doesAppSurvive(last.mode) && last === first) {
      if (!(await waitUntilGone(data.folder, killedPids, recoveryTimeoutMs)))
        problems.push('the killed database processes do not end')
    } else if (!doesAppSurvive(last.mode) || (await endsBeforeReady(app))) {
      // A start may fail when its database is killed; it is then restarted.
      app = start()
      startedAt = Date.now()
    }
    if (killsEventStore(last.mode)) {
      await eventStore?.waitUntilBack()
      startedAt = Date.now()
    }
    const milliseconds = await waitUntilReady(startedAt)
    if (!doesAppSurvive(last.mode)) usualStartMs = Math.min(milliseconds, 5_000)
    recordKill(last, milliseconds)
    stop.abort()
    const hangs = sleep(requestTimeoutMs, 'hangs' as const, { ref: false })
    if ((await Promise.race([working, hangs])) === 'hangs') problems.push('a request hangs')
  }

  try {
    await waitUntilReady(Date.now())
    const users = await openPractices(app.url(), requestLog)
    for (const [index, round] of plan.entries()) {
      if (signal?.aborted) break
      await runRound(round, users)
      reconnectUsers(app.url(), users)
      const isLast = index === plan.length - 1
      const checked = await checkAfterKill({
        place,
        url: app.url(),
        users,
        requestLog,
        before: eventLog,
        isLast,
      })
      problems.push(...checked.problems)
      eventLog = checked
      if (problems.length > 0) break
    }
  } catch (error) {
    problems.push((error as Error).stack ?? String(error), app.output().slice(-20_000))
  } finally {
    app.kill('SIGKILL')
    await killAllProcesses(data.folder)
    if (problems.length === 0) await data.remove()
  }
  const [done, refused, unknown] = (['done', 'refused', 'unknown'] as const).map(requestLog.count) as [
    number,
    number,
    number,
  ]
  return { kills, problems, done, refused, unknown, eventCount: eventLog.eventCount, folder: data.folder }
}

async function fetchHealth(app: EverchartProcess): Promise<Health | null> {
  return await fetch(`${app.url()}/api/health`)
    .then((answer) => answer.json() as Promise<Health>)
    .catch(() => null)
}

/** Returns whether the application ends within two seconds; one that ends later is restarted after the last kill. */
const hasEnded = (app: EverchartProcess) => Promise.race([app.ended.then(() => true), sleep(2_000, false)])

/** Waits until the application is ready or ends, and returns whether it ended. */
const endsBeforeReady = (app: EverchartProcess) =>
  Promise.race([
    app.ended.then(() => true),
    app.ready.then(
      () => false,
      () => true,
    ),
  ])
