import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, clientOf } from '#tests/support/client.ts'
import { type Everchart, killAllIn, startEverchart } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { kills } from './kills.ts'
import { newLedger } from './ledger.ts'
import { type Random, work } from './morning.ts'
import { brokenPromises } from './promises.ts'

type Options = {
  /** Where the installation lives; everything in it may be killed. */
  dataDir: string
  kills: number
  /** The same seed makes the same plan: which kill, and when. */
  seed: number
  signal?: AbortSignal
  say?: (progress: string) => void
}

/** What came of it. Times in milliseconds: from the start (or the kill, where the application lives on) to health 200. */
export type CrashReport = {
  kills: number
  acknowledged: number
  readyAfter: number[]
  problems: string[]
}

const patience = 60_000

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Kills a real installation under load again and again, and after each kill holds it to what its clients were told. Ends at
 * the first broken promise.
 */
export async function crashAgainAndAgain({ dataDir, seed, signal, say, ...options }: Options): Promise<CrashReport> {
  const random = randomOf(seed)
  const ledger = newLedger()
  const report: CrashReport = { kills: 0, acknowledged: 0, readyAfter: [], problems: [] }
  process.env['DATA_DIR'] = dataDir
  let app = startEverchart(dataDir)
  await app.ready
  const { client, registration } = await newOwner({ visitor: () => clientOf(app.url()) })
  const cookie = client.cookie()

  for (let turn = 0; turn < options.kills && report.problems.length === 0 && !signal?.aborted; turn++) {
    const kill = kills[Math.floor(random() * kills.length)] as (typeof kills)[number]
    const evening = new AbortController()
    const desk = { url: app.url(), cookie, email: registration.email, ledger, random, signal: evening.signal }
    const working = work(desk)
    await sleep(100 + random() * 500)
    await kill.run(app, dataDir, random)
    if (!kill.survives) evening.abort()
    let began = Date.now()
    if (kill.survives) {
      // The others go on working while the database comes back.
      await sleep(300)
      evening.abort()
    } else {
      if (random() < 0.25) await killedWhileStarting(dataDir, random)
      began = Date.now()
      app = startEverchart(dataDir)
      await app.ready
    }
    await working
    await healthy(app, clientOf(app.url()))
    report.readyAfter.push(Date.now() - began)
    report.kills++
    const problems = await brokenPromises(ledger, app.url(), cookie)
    report.problems.push(...problems.map((problem) => `after kill ${report.kills} (${kill.name}): ${problem}`))
    report.acknowledged = ledger.acknowledged
    say?.(`${report.kills} of ${options.kills} kills, ${ledger.acknowledged} acknowledged facts, last: ${kill.name}`)
  }
  app.kill('SIGTERM')
  await Promise.race([app.ended, sleep(patience, undefined, { ref: false })])
  return report
}

/** A recovery can be hit as well as a working day. */
async function killedWhileStarting(dataDir: string, random: Random): Promise<void> {
  const short = startEverchart(dataDir)
  await sleep(random() * 900)
  short.kill('SIGKILL')
  await short.ended
  if (random() < 0.5) await killAllIn(dataDir)
}

async function healthy(app: Everchart, client: Client): Promise<void> {
  for (const began = Date.now(); ;) {
    const answer = await client.get('/api/health').catch(() => null)
    if (answer?.status === 200 && answer.body.status === 'ok') return
    if (Date.now() - began > patience)
      throw new Error(`Not ready again: ${JSON.stringify(answer?.body)}\n${app.output()}`)
    await sleep(20)
  }
}
