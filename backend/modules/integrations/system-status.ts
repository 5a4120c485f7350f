import type { SystemStatus } from '#contracts/system-status.ts'
import type { Services } from '#modules/module.ts'
import { findVendorStates } from './integration-state.ts'
import { computeUptime, uptimePeriodMs } from './uptime.ts'

/** Returns the state of the services and the uptime. The database and the queue are asked at once; of vendors the last calls count. */
export async function findSystemStatus(services: Services): Promise<SystemStatus> {
  const now = services.clock()
  const [{ database, eventStore, jobs }, vendors, { since, hours }] = await Promise.all([
    services.checkServices(),
    findVendorStates(services),
    services.uptime.read(new Date(now.getTime() - uptimePeriodMs)),
  ])
  const toStatus = (works: boolean) => (works ? 'operational' : 'error')
  return {
    services: [
      // Records are read from the one, and saved in the other.
      { name: 'database', status: toStatus(database && eventStore) },
      ...vendors.map(({ name, status }) => ({ name, status })),
      { name: 'jobs', status: toStatus(jobs) },
    ],
    uptime: computeUptime(hours, since, now),
  }
}
