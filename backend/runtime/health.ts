import type { HealthReport } from '#contracts/health.ts'
import type { DiskSpace } from './disk-space.ts'
import { withTimeout } from './with-timeout.ts'

/** The services as far as this instance can use them. `outbox`: no mail server is configured. */
export type ServiceStates = {
  database: boolean
  eventStore: boolean
  jobs: boolean
  mail: 'ok' | 'down' | 'outbox'
}

type ReadModelState = HealthReport['projections'][number]

/** The checks that make up the health report, available once the application is assembled. */
export type HealthChecks = {
  checkServices: () => Promise<ServiceStates>
  readModels: () => Promise<readonly ReadModelState[]>
  countDeadLetters: () => Promise<number>
  listDamagedTables: () => Promise<HealthReport['damaged']>
  countMismatches: () => number
  getDiskSpace: () => DiskSpace
}

/** Milliseconds for which one result is shared by all callers. */
export const cacheMs = 100
const checkTimeoutMs = 2_000

/**
 * Creates the health check. Reports `starting` until `findChecks` returns the checks. The endpoint is public, so requests at
 * nearly the same time share one result.
 */
export function createHealthCheck(
  findChecks: () => HealthChecks | undefined,
  version: string,
): () => Promise<HealthReport> {
  let shared: Promise<HealthReport> | undefined
  return async () => {
    const checks = findChecks()
    if (!checks) {
      const services = { database: 'starting', eventStore: 'starting', jobs: 'starting', mail: 'starting' } as const
      const storage = { status: 'ok' } as const
      return {
        status: 'starting',
        version,
        services,
        projections: [],
        deadLetters: 0,
        damaged: [],
        mismatches: 0,
        storage,
      }
    }
    if (!shared) {
      shared = checkHealth(checks, version)
      setTimeout(() => (shared = undefined), cacheMs).unref()
    }
    return await shared
  }
}

const toStatus = (ok: boolean) => (ok ? 'ok' : 'down')

async function checkHealth(
  { checkServices, readModels, countDeadLetters, listDamagedTables, countMismatches, getDiskSpace }: HealthChecks,
  version: string,
): Promise<HealthReport> {
  const { database, eventStore, jobs, mail } = await checkServices()
  const states = database && eventStore ? await withFallback(readModels(), []) : []
  const projections = states.map(({ name, kind, version, state }) => ({ name, kind, version, state }))
  const deadLetters = database ? await withFallback(countDeadLetters(), 0) : 0
  const damaged = database ? await withFallback(listDamagedTables(), []) : []
  const mismatches = countMismatches()
  const services = {
    database: toStatus(database),
    eventStore: toStatus(eventStore),
    jobs: toStatus(jobs),
    mail,
  } as const
  const storage = { status: getDiskSpace().status }
  const isDegraded =
    !jobs ||
    mail === 'down' ||
    deadLetters > 0 ||
    damaged.length > 0 ||
    mismatches > 0 ||
    storage.status !== 'ok' ||
    projections.some(({ state }) => state === 'failed')
  const isDown = !database || !eventStore || damaged.some(({ table }) => !table.startsWith('read.'))
  const status = isDown ? 'down' : isDegraded ? 'degraded' : 'ok'
  return { status, version, services, projections, deadLetters, damaged, mismatches, storage }
}

/** Resolves with the fallback when a check fails or takes too long. */
const withFallback = <Result>(check: Promise<Result>, fallback: Result): Promise<Result> =>
  withTimeout(
    check.catch(() => fallback),
    checkTimeoutMs,
    () => fallback,
  )
