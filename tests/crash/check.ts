import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#contracts/health.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { cacheMs } from '#runtime/health.ts'
import type { SimulatedUser } from './clerks.ts'
import type { RequestLog } from './ledger.ts'
import { checkEventLog, type EventLogState } from './record.ts'
import { checkApi } from './screens.ts'
import { projections, withEngineAt } from './situations.ts'

type CheckOptions = {
  dataDir: string
  url: string
  clerks: readonly SimulatedUser[]
  ledger: RequestLog
  /** What the record was at the last look. */
  before: Pick<EventLogState, 'eventCount' | 'fingerprint'>
  /** Whether whatever is under way has to come to its end. */
  isLast: boolean
}

/** A job whose worker was killed is taken up by another one after fifteen seconds without a sign of life. */
const importTimeoutMs = 90_000

/** Looks at everything after a kill: the record, the read models, and what people see. */
export async function checkAfterKill({
  dataDir,
  url,
  clerks,
  ledger,
  before,
  isLast,
}: CheckOptions): Promise<EventLogState> {
  const problems: string[] = []
  const behind = await waitForReadModels(url)
  if (behind !== undefined) problems.push(behind)
  let underWay = await findRunningImports(clerks)
  for (
    const end = Date.now() + importTimeoutMs;
    isLast && underWay?.size !== 0;
    underWay = await findRunningImports(clerks)
  ) {
    if (Date.now() > end) problems.push('an import does not go on')
    if (Date.now() > end || underWay === null) break
    await sleep(100)
  }
  return await withEngineAt(dataDir, async (engine) => {
    const story = await checkEventLog(engine.pool, ledger, before)
    for (const projection of projections) {
      const onDifference = (difference: unknown) => problems.push(`${projection.name}: ${JSON.stringify(difference)}`)
      await verifyProjection(engine, projection, { onDifference })
    }
    const screens = await checkApi(clerks, story, underWay)
    return { ...story, problems: [...problems, ...story.problems, ...screens] }
  })
}

/** Imports that were not at their end yet when somebody looked; null when nobody could. */
async function findRunningImports(clerks: readonly SimulatedUser[]): Promise<Set<string> | null> {
  const underWay = new Set<string>()
  for (const practice of new Set(clerks.map((clerk) => clerk.practice))) {
    const clerk = clerks.find((one) => one.practice === practice && one.signedIn === true)
    if (!clerk) return null
    const { status, body } = await clerk.client.get('/api/patients/import')
    if (status !== 200) throw new Error(`the list of imports answers ${status}`)
    for (const { importId, state } of body as { importId: string; state: string }[])
      if (state !== 'done' && state !== 'undone') underWay.add(importId)
  }
  return underWay
}

/** What the application tells of its health may be as old as it is told to everybody: milliseconds until it has looked since. */
export const healthRefreshMs = cacheMs + 10

/** What keeps a read model from having taken in everything; undefined when none is behind. */
async function waitForReadModels(url: string): Promise<string | undefined> {
  await sleep(healthRefreshMs)
  for (const end = Date.now() + 100_000; ; await sleep(20)) {
    const health = (await (await fetch(`${url}/api/health`)).json()) as Health
    const failed = health.projections.find(({ state }) => state === 'failed')
    if (failed) return `the read model ${failed.name} stands still`
    if (health.status === 'ok' && health.projections.every(({ lag }) => lag === 0)) return undefined
    if (Date.now() > end) return `read models are behind: ${JSON.stringify(health)}`
  }
}
