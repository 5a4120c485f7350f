import type { Pool } from 'pg'
import { applicationName, openAppendPool, openPool, openRelaxedPool } from '#database/pool.ts'
import type { Timeouts } from '#database/timeouts.ts'
import type { StopSteps } from './stop-steps.ts'

/** The connections of an application, beside those of typed queries. */
export type Pools = {
  pool: Pool
  /** Its commits do not wait for the disk. */
  relaxedPool: Pool
  /** Migrations and rebuilds run without a query time-out. */
  maintenancePool: Pool
  /** Writes the events. */
  appendPool: Pool
}

/** Opens the connections of an application. */
export function openPools(databaseUrl: string, timeouts: Timeouts, stopSteps: StopSteps): Pools {
  const pools = {
    pool: openPool(databaseUrl, 20, applicationName, timeouts, { isPipelined: true }),
    relaxedPool: openRelaxedPool(databaseUrl, 4, applicationName, timeouts),
    maintenancePool: openPool(databaseUrl, 4, applicationName),
    appendPool: openAppendPool(databaseUrl, applicationName, timeouts),
  }
  for (const pool of Object.values(pools)) stopSteps.add(() => pool.end())
  return pools
}
