import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#contracts/health.ts'
import { type Everchart, killAllIn, startEverchart, temporaryDataDir } from '#tests/support/everchart-process.ts'
import { check, untilLooked } from './check.ts'
import { moveTo, openPractices, work } from './clerks.ts'
import { newLedger } from './ledger.ts'
import { type Kill, planOf, type Round, survives } from './plan.ts'
import { gone, kill } from './processes.ts'
import { randomFrom } from './random.ts'
import { momentOf, prepare } from './situations.ts'

/** A kill that was carried out, and how many milliseconds later all was ready again; null when the next one came first. */
export type Killed = Pick<Kill, 'how' | 'when'> & { readyAgain: number | null }

/** What a life of the application came to. `problems` is empty when every promise was kept. */
export type Life = {
  kills: Killed[]
  problems: string[]
  done: number
  refused: number
  unknown: number
  facts: number
  /** Where everything is kept, when there are problems; else it is gone. */
  folder: string
}

type Options = {
  seed: number
  kills: number
  /** Milliseconds after which it is a problem that it is not ready. */
  patience: number
  onKill?: (killed: Killed) => void
  signal?: AbortSignal
  /** Settings of the application that come on top. */
  settings?: Record<string, string>
}

/** Ends a hang: a request without an answer after everything is ready again, and a stop without an end. */
const longestRequest = 100_000
const longestStop = 100_000

/**
 * One data folder from its first start on: people at work, a kill, a start, a look at everything, and again. Ends at the
 * first broken promise, and then leaves the folder as it is.
 */
export async function live(options: Options): Promise<Life> {
  const { seed, patience, onKill, signal, settings } = options
  const data = await temporaryDataDir()
  const chance = randomFrom(seed)
  const plan = planOf(chance, options.kills)
  const ledger = newLedger()
  const kills: Killed[] = []
  const problems: string[] = []
  let story = { facts: 0, fingerprint: 'd41d8cd98f00b204e9800998ecf8427e' }
  let usualStart = 2_000
  let app = start()

  function start(): Everchart {
    return startEverchart(data.folder, { TRUST_PROXY: 'true', LOG_LEVEL: 'warn', ...settings })
  }
  const told = (one: Kill, readyAgain: number | null) => {
    const killed = { how: one.how, when: one.when, readyAgain }
    kills.push(killed)
    onKill?.(killed)
  }

  /** Milliseconds since `began` until it is ready, and has looked since then. What does not come back ends this life. */
  async function ready(began: number): Promise<number> {
    await sleep(untilLooked)
    const late = sleep(patience).then(() => Promise.reject(new Error(`not ready within ${patience} ms`)))
    late.catch(() => undefined)
    await Promise.race([app.ready, late])
    while ((await healthOf(app))?.status !== 'ok') {
      if (Date.now() - began > patience) await late
      await sleep(10)
    }
    return Date.now() - began
  }

  async function isStopped(how: Kill['how']): Promise<void> {
    if (survives(how)) return
    const end = await Promise.race([app.ended, sleep(longestStop)])
    // So early in its start that it has not said a word, it cannot have listened either.
    const deaf = end?.signal === 'SIGTERM' && app.output() === ''
    if (end && (how !== 'told to stop' || end.code === 0 || deaf)) return
    problems.push(`told to stop, it ended with ${end ? end.code : 'nothing'}: ${app.output().slice(-500)}`)
  }

  async function play([first, ...others]: Round, clerks: Awaited<ReturnType<typeof openPractices>>): Promise<void> {
    const scene = { dataDir: data.folder, clerks, ledger, chance }
    await prepare(scene, first.when)
    const stop = new AbortController()
    const atWork = Promise.all(clerks.map((clerk) => work(clerk, ledger, chance, stop.signal)))
    await momentOf(scene, first)
    let began = Date.now()
    let last = first
    const killed = await kill(app, data.folder, first.how, chance)
    if (!survives(first.how)) stop.abort()
    await isStopped(first.how)
    for (const next of others) {
      told(last, null)
      // One that came through the kill of its database is still at its start.
      if (!survives(last.how) || (await hasEnded(app))) app = start()
      last = next
      began = Date.now()
      await sleep(next.moment * usualStart)
      await kill(app, data.folder, next.how, chance)
      await isStopped(next.how)
    }
    if (survives(last.how) && last === first) {
      if (!(await gone(data.folder, killed, patience))) problems.push('the killed database does not go')
    } else if (!survives(last.how) || (await endsInsteadOfGettingReady(app))) {
      // A start whose database was killed under it may end; whoever started it starts it again.
      app = start()
      began = Date.now()
    }
    const milliseconds = await ready(began)
    if (!survives(last.how)) usualStart = Math.min(milliseconds, 5_000)
    told(last, milliseconds)
    stop.abort()
    const hangs = sleep(longestRequest, 'hangs' as const, { ref: false })
    if ((await Promise.race([atWork, hangs])) === 'hangs') problems.push('a request hangs')
  }

  try {
    await ready(Date.now())
    const clerks = await openPractices(app.url(), ledger)
    for (const [index, round] of plan.entries()) {
      if (signal?.aborted) break
      await play(round, clerks)
      moveTo(app.url(), clerks)
      const isLast = index === plan.length - 1
      const checked = await check({ dataDir: data.folder, url: app.url(), clerks, ledger, before: story, isLast })
      problems.push(...checked.problems)
      story = checked
      if (problems.length > 0) break
    }
  } catch (error) {
    problems.push((error as Error).stack ?? String(error), app.output().slice(-20_000))
  } finally {
    app.kill('SIGKILL')
    await killAllIn(data.folder)
    if (problems.length === 0) await data.remove()
  }
  const [done, refused, unknown] = (['done', 'refused', 'unknown'] as const).map(ledger.count) as [
    number,
    number,
    number,
  ]
  return { kills, problems, done, refused, unknown, facts: story.facts, folder: data.folder }
}

async function healthOf(app: Everchart): Promise<Health | null> {
  return await fetch(`${app.url()}/api/health`)
    .then((answer) => answer.json() as Promise<Health>)
    .catch(() => null)
}

/** Whether it has ended by itself two seconds later; one that ends later is started again after the last kill. */
const hasEnded = (app: Everchart) => Promise.race([app.ended.then(() => true), sleep(2_000, false)])

/** Waits until one of both has happened. */
const endsInsteadOfGettingReady = (app: Everchart) =>
  Promise.race([
    app.ended.then(() => true),
    app.ready.then(
      () => false,
      () => true,
    ),
  ])
