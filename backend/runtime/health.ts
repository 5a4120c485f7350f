import type { HealthReport } from '#contracts/health.ts'
import type { DiskSpace } from './disk-space.ts'
import { withTimeout } from './with-timeout.ts'

/** The checks that make up the health report, available once the application is assembled. */
export type HealthChecks = {
  checkServices: () => Promise<{ database: boolean; eventStore: boolean; jobs: boolean }>
  readModels: () => Promise<HealthReport['projections']>
  countDeadLetters: () => Promise<number>
  listDamagedTables: () => Promise<HealthReport['damaged']>
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
      const services = { database: 'starting', eventStore: 'starting', jobs: 'starting' } as const
      const storage = { status: 'ok', freeBytes: null } as const
      return { status: 'starting', version, services, projections: [], deadLetters: 0, damaged: [], storage }
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
  { checkServices, readModels, countDeadLetters, listDamagedTables, getDiskSpace }: HealthChecks,
  version: string,
): Promise<HealthReport> {
  const { database, eventStore, jobs } = await checkServices()
  const projections = database && eventStore ? await withFallback(readModels(), []) : []
  const deadLetters = database ? await withFallback(countDeadLetters(), 0) : 0
  const damaged = database ? await withFallback(listDamagedTables(), []) : []
  const services = { database: toStatus(database), eventStore: toStatus(eventStore), jobs: toStatus(jobs) } as const
  const storage = getDiskSpace()
  const isDegraded =
    !jobs ||
    deadLetters > 0 ||
    damaged.length > 0 ||
    storage.status !== 'ok' ||
    projections.some(({ state }) => state === 'failed')
  const isDown = !database || !eventStore || damaged.some(({ table }) => !table.startsWith('read.'))
  const status = isDown ? 'down' : isDegraded ? 'degraded' : 'ok'
  return { status, version, services, projections, deadLetters, damaged, storage }
}

/** Resolves with the fallback when a check fails or takes too long. */
const withFallback = <Result>(check: Promise<Result>, fallback: Result): Promise<Result> =>
  withTimeout(
    check.catch(() => fallback),
    checkTimeoutMs,
    () => fallback,
  )
