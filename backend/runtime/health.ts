import type { Health } from '#contracts/health.ts'
import { withTimeout } from './with-timeout.ts'

/** What is looked at, once it is there. */
export type HealthChecks = {
  checkServices: () => Promise<{ database: boolean; eventStore: boolean; jobs: boolean }>
  readModels: () => Promise<Health['projections']>
  countDeadLetters: () => Promise<number>
}

/** Milliseconds for which one look is told to everybody. */
export const cacheMs = 100
const checkTimeoutMs = 2_000

/**
 * The health of the whole. Until `vitals` answers something, everything is still starting. Anyone may ask, so those who
 * ask at nearly the same moment share one look.
 */
export function createHealthCheck(vitals: () => HealthChecks | undefined, version: string): () => Promise<Health> {
  let shared: Promise<Health> | undefined
  return async () => {
    const up = vitals()
    if (!up) {
      const services = { database: 'starting', eventStore: 'starting', jobs: 'starting' } as const
      return { status: 'starting', version, services, projections: [], deadLetters: 0 }
    }
    if (!shared) {
      shared = checkHealth(up, version)
      setTimeout(() => (shared = undefined), cacheMs).unref()
    }
    return await shared
  }
}

const toStatus = (ok: boolean) => (ok ? 'ok' : 'down')

async function checkHealth(
  { checkServices: alive, readModels, countDeadLetters: count }: HealthChecks,
  version: string,
): Promise<Health> {
  const { database, eventStore, jobs } = await alive()
  const projections = database && eventStore ? await withFallback(readModels(), []) : []
  const deadLetters = database ? await withFallback(count(), 0) : 0
  const services = { database: toStatus(database), eventStore: toStatus(eventStore), jobs: toStatus(jobs) } as const
  const hurt = !jobs || deadLetters > 0 || projections.some(({ state }) => state === 'failed')
  const status = !database || !eventStore ? 'down' : hurt ? 'degraded' : 'ok'
  return { status, version, services, projections, deadLetters }
}

/** Resolves with the fallback when a check fails or takes too long. */
const withFallback = <Result>(check: Promise<Result>, fallback: Result): Promise<Result> =>
  withTimeout(
    check.catch(() => fallback),
    checkTimeoutMs,
    () => fallback,
  )
