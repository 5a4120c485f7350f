import { setTimeout as sleep } from 'node:timers/promises'
import type { Health } from '#contracts/health.ts'
import { listProjections } from '#projections/status.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { cacheMs } from '#runtime/health.ts'
import { createClient } from '#tests/support/client.ts'
import { signIn, type SimulatedUser } from './simulated-users.ts'
import type { RequestLog } from './request-log.ts'
import { type LogPrefix, readFromEventStoreDb, readFromPostgres } from './event-log.ts'
import { checkEventLog, type EventLogState } from './event-log-checks.ts'
import { checkApi } from './api-checks.ts'
import { type Place, projections, subscribers, withEngineAt } from './situations.ts'

type CheckOptions = {
  place: Place
  url: string
  users: readonly SimulatedUser[]
  requestLog: RequestLog
  /** The state of the event log at the previous check. */
  before: LogPrefix
  /** Waits for running imports to end. */
  isLast: boolean
}

/** A job of a killed worker is requeued fifteen seconds after its last heartbeat. */
const importTimeoutMs = 90_000

/** Checks the event log, the read models and the API after a kill. */
export async function checkAfterKill({
  place,
  url,
  users,
  requestLog,
  before,
  isLast,
}: CheckOptions): Promise<EventLogState> {
  const problems: string[] = []
  const lagProblem = await waitForReadModels({ place, url, users, requestLog })
  if (lagProblem !== undefined) problems.push(lagProblem)
  let runningImports = await findRunningImports(users)
  for (
    const end = Date.now() + importTimeoutMs;
    isLast && runningImports?.size !== 0;
    runningImports = await findRunningImports(users)
  ) {
    if (Date.now() > end) problems.push('an import does not finish')
    if (Date.now() > end || runningImports === null) break
    await sleep(100)
  }
  return await withEngineAt(place, async (engine) => {
    const { eventStoreUrl } = place
    const events = eventStoreUrl ? await readFromEventStoreDb(eventStoreUrl) : await readFromPostgres(engine.pool)
    const eventLog = checkEventLog(events, requestLog, before)
    for (const projection of projections) {
      const onDifference = (difference: unknown) => problems.push(`${projection.name}: ${JSON.stringify(difference)}`)
      await verifyProjection(engine, projection, { onDifference })
    }
    const screens = await checkApi(users, eventLog, runningImports)
    return { ...eventLog, problems: [...problems, ...eventLog.problems, ...screens] }
  })
}

/** Returns the ids of unfinished imports; null when a practice has no signed-in user to ask. */
async function findRunningImports(users: readonly SimulatedUser[]): Promise<Set<string> | null> {
  const runningImports = new Set<string>()
  for (const practice of new Set(users.map((user) => user.practice))) {
    const user = users.find((one) => one.practice === practice && one.signedIn === true)
    if (!user) return null
    const { status, body } = await user.client.get('/api/patients/import')
    if (status !== 200) throw new Error(`the list of imports replied ${status}`)
    for (const { importId, state } of body as { importId: string; state: string }[])
      if (state !== 'done' && state !== 'undone') runningImports.add(importId)
  }
  return runningImports
}

/** Milliseconds after which a health reply is fresh: the application caches it. */
export const healthRefreshMs = cacheMs + 10

/** Waits until every read model has caught up. Returns the problem that prevents it, or undefined. */
async function waitForReadModels({
  place,
  url,
  users: [first],
  requestLog,
}: Pick<CheckOptions, 'place' | 'url' | 'users' | 'requestLog'>): Promise<string | undefined> {
  if (!first) throw new Error('there is no user')
  // Only administrators see more than the status.
  const owner = { practice: first.practice, client: createClient(url), signedIn: false, endedCookies: [] }
  // Sign-ins that kills cut off count as failed attempts: five in a row lock the account for a minute.
  for (const end = Date.now() + 100_000; !(await signIn(owner, requestLog)); await sleep(1_000))
    if (Date.now() > end) return 'the owner cannot sign in'
  await sleep(healthRefreshMs)
  return await withEngineAt(place, async (engine) => {
    for (const end = Date.now() + 100_000; ; await sleep(20)) {
      const { status, projections: states = [] } = (await owner.client.get('/api/health')).body as Health
      const failed = states.find(({ state }) => state === 'failed')
      if (failed) return `the read model ${failed.name} has failed`
      const behind = (await listProjections(engine, subscribers)).filter(({ lag }) => lag > 0)
      if (status === 'ok' && states.length > 0 && behind.length === 0) return undefined
      if (Date.now() > end) return `read models are behind: ${status} ${JSON.stringify(behind)}`
    }
  })
}
