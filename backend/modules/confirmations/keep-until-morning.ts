import type { PracticeId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { findMorning } from './due.ts'
import { confirmationSettings } from './settings.ts'

/**
 * Schedules a job for the morning that would send its message at night, because no worker was free when it was due: patients
 * are not woken after an outage. Returns false, and does nothing, by day and without quiet hours.
 */
export async function isKeptUntilMorning(
  services: Services,
  job: string,
  data: { practiceId: PracticeId },
): Promise<boolean> {
  const { db, clock, jobs } = services
  if (!confirmationSettings.read(services).hasQuietHours) return false
  const now = clock()
  const morning = findMorning(now, await findTimeZone(db, data.practiceId))
  if (morning === null) return false
  const delaySeconds = Math.ceil((Date.parse(morning) - now.getTime()) / 1_000)
  // The same id however often this job runs: it is enqueued once.
  await jobs.send(job, data, { id: deriveId(`${job} ${JSON.stringify(data)} ${morning}`), delaySeconds })
  return true
}
