import type { HealthReport } from '#contracts/health.ts'
import { createDiskMonitor, type DiskMonitor } from '#runtime/disk-space.ts'
import { createHealthCheck } from '#runtime/health.ts'
import type { TestApp } from './test-app.ts'

/** Checks the health of an application as the real endpoint does, without its cache of a tenth of a second. */
export const checkHealth = (app: TestApp, disk: DiskMonitor = createDiskMonitor({})): Promise<HealthReport> =>
  createHealthCheck(
    () => ({
      checkServices: app.checkServices,
      readModels: app.projectionRunner.getStates,
      countDeadLetters: app.countDeadLetters,
      listDamagedTables: app.listDamagedTables,
      countMismatches: app.countMismatches,
      getDiskSpace: disk.getSpace,
    }),
    'test',
  )()
