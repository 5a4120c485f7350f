import type { PgBoss } from 'pg-boss'
import type { AnyJob } from './job.ts'

/**
 * Makes the schedules what the code says: one row each, whoever starts how many copies, and none that the code no longer has.
 * One that came due while nothing ran is made up for once.
 */
export async function syncSchedules<Services>(boss: PgBoss, kinds: readonly AnyJob<Services>[]): Promise<void> {
  const scheduled = new Map(kinds.flatMap(({ name, schedule }) => (schedule === undefined ? [] : [[name, schedule]])))
  for (const [name, cron] of scheduled) await boss.schedule(name, cron, {}, { tz: 'UTC', missed: 'once' })
  for (const { name, key } of await boss.getSchedules()) if (!scheduled.has(name)) await boss.unschedule(name, key)
}
