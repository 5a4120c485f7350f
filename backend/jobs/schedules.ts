import type { PgBoss } from 'pg-boss'
import type { AnyJob } from './job.ts'

/**
 * Synchronizes the stored schedules with the code and removes those that it no longer declares. One that came due while
 * no instance was running is made up for once.
 */
export async function syncSchedules<Services>(boss: PgBoss, jobs: readonly AnyJob<Services>[]): Promise<void> {
  const scheduled = new Map(jobs.flatMap(({ name, schedule }) => (schedule === undefined ? [] : [[name, schedule]])))
  for (const [name, cron] of scheduled) await boss.schedule(name, cron, {}, { tz: 'UTC', missed: 'once' })
  for (const { name, key } of await boss.getSchedules()) if (!scheduled.has(name)) await boss.unschedule(name, key)
}
