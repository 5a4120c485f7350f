import type { HealthReport } from '#contracts/health.ts'

/** The health report of an application in which everything works, for tests of the HTTP layer alone. */
export const healthy: HealthReport = {
  status: 'ok',
  version: '1',
  services: { database: 'ok', eventStore: 'ok', jobs: 'ok', mail: 'ok' },
  projections: [],
  deadLetters: 0,
  damaged: [],
  mismatches: 0,
  storage: { status: 'ok' },
}
