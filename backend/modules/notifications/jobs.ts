import { z } from 'zod'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { UserId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { findMemberships } from '#modules/accounts/public.ts'
import { deliverMail, mailRetry } from '#modules/kit/deliver-mail.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findPracticeProfile, findTimeZone } from '#modules/practices/public.ts'
import { createDigest } from './create-digest.ts'
import { createDigestMessage } from './digest-message.ts'
import { findDigestReaders } from './queries.ts'
import { notificationSettings } from './settings.ts'

/** The names of the jobs. */
const jobNames = { requestDigests: 'request-notification-digests', sendDigest: 'send-notification-digest' } as const

/** The local times between which the daily message is requested. It is late when no instance was running at seven. */
const morning = { from: '07:00', until: '12:00' } as const
const pageSize = 500

/** Returns the local date in a time zone if it is morning there; otherwise null. */
export function findMorning(now: Date, zone: string): string | null {
  const { date, time } = toLocalDateTime(now, zone)
  return time >= morning.from && time < morning.until ? date : null
}

/** Requests the daily message of each person whose practice has its morning; one per person and local date. */
export const requestDigests = defineJob({
  name: jobNames.requestDigests,
  data: z.strictObject({}),
  schedule: '7 * * * *',
  run: (services, _, { signal }) => requestAllDigests(services, signal),
})

/** Requests the daily messages that are due, page by page. Throws when `signal` is aborted. */
export async function requestAllDigests(services: Services, signal: AbortSignal): Promise<void> {
  const { db, clock, jobs } = services
  const now = clock()
  const dates = new Map<string, string | null>()
  for (let after: UserId | null = null; ;) {
    signal.throwIfAborted()
    const userIds: readonly UserId[] = await findDigestReaders(db, after, pageSize)
    const memberships = await findMemberships(db, userIds, now)
    for (const userId of userIds) {
      const practiceId = memberships.get(userId)?.practiceId ?? null
      if (practiceId === null) continue
      if (!dates.has(practiceId)) dates.set(practiceId, findMorning(now, await findTimeZone(db, practiceId)))
      const date = dates.get(practiceId) ?? null
      if (date === null) continue
      // With the same id, it is enqueued once, however often this job runs in a morning.
      await jobs.send(jobNames.sendDigest, { userId, date }, { id: deriveId(`notification digest ${userId} ${date}`) })
    }
    after = userIds.at(-1) ?? null
    if (userIds.length < pageSize) return
  }
}

/** Sends the daily message of a person, unless there is nothing to report or the day is over. */
export const sendDigest = defineJob({
  name: jobNames.sendDigest,
  data: z.strictObject({ userId: UserId, date: z.iso.date() }),
  // Until the day is over, as mail servers do.
  retry: mailRetry,
  async run(services, { userId, date }, { id, signal }) {
    const digest = await createDigest(services, userId)
    if (!digest) return
    const { email, practiceId, lines } = digest
    const practice = await findPracticeProfile(services.db, practiceId)
    const now = services.clock()
    if (!practice || toLocalDateTime(now, practice.timezone).date !== date) return
    const { address } = notificationSettings.read(services)
    const practiceName = practice.name
    const message = createDigestMessage({ key: id, to: email, practiceName, address, lines, date: now })
    await deliverMail(services, message, signal)
  },
  onDeadLetter: ({ mail }, _, { id }) => mail.release(id),
})
