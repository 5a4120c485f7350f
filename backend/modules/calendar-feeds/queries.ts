import { addDays } from 'date-fns/addDays'
import { subDays } from 'date-fns/subDays'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CalendarFeed, calendarFeedDays } from '#contracts/calendar-feeds.ts'
import { CalendarFeedId, PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { hasHadPlan } from '#modules/billing/public.ts'

const Row = z.object({
  id: CalendarFeedId,
  providerId: ProviderId,
  label: z.string(),
  createdAt: z.string(),
  createdBy: UserId,
  ended: CalendarFeed.shape.ended,
})

const OpenFeed = z.object({ id: CalendarFeedId, practiceId: PracticeId, createdBy: UserId })
/** A feed that has not ended, and the user on whose permission it depends. */
export type OpenFeed = z.infer<typeof OpenFeed>

/** Returns when a feed that was created at an instant expires. */
export const computeExpiry = (createdAt: string): string => addDays(createdAt, calendarFeedDays).toISOString()

const expiredBefore = (now: Date) => subDays(now, calendarFeedDays).toISOString()

const openFeeds = (now: Date) => sql.fragment`
  select id, practice_id as "practiceId", created_by as "createdBy" from read.calendar_feeds
  where ended_at is null and created_at > ${expiredBefore(now)}`

/** Finds the feeds of a practice that have neither ended nor expired. */
export const findOpenFeeds = (db: CommonQueryMethods, now: Date, practiceId: string): Promise<readonly OpenFeed[]> =>
  db.any(sql.type(OpenFeed)`${openFeeds(now)} and practice_id = ${practiceId}`)

/** Finds the first `limit` feeds of all practices, in the order of their ids after one, that have neither ended nor expired. */
export const findOpenFeedsAfter = (
  db: CommonQueryMethods,
  now: Date,
  after: CalendarFeedId | null,
  limit: number,
): Promise<readonly OpenFeed[]> => {
  const isAfter = after === null ? sql.fragment`` : sql.fragment`and id > ${after}`
  return db.any(sql.type(OpenFeed)`${openFeeds(now)} ${isAfter} order by id limit ${limit}`)
}

/** Finds the calendar feeds of a practice that have not expired, oldest first. */
export async function findCalendarFeeds(
  db: CommonQueryMethods,
  practiceId: string,
  now: Date,
): Promise<CalendarFeed[]> {
  const rows = await db.any(sql.type(Row)`
    select id, provider_id as "providerId", label, created_at as "createdAt", created_by as "createdBy",
      case when ended_at is not null then jsonb_build_object('at', ended_at, 'reason', end_reason) end as ended
    from read.calendar_feeds where practice_id = ${practiceId} and created_at > ${expiredBefore(now)}
    order by created_at, id`)
  const names = await findUserNames(db, [...new Set(rows.map(({ createdBy }) => createdBy))])
  return rows.map((row) => ({
    ...row,
    expiresAt: computeExpiry(row.createdAt),
    createdBy: names.get(row.createdBy) ?? null,
  }))
}

const FoundFeed = OpenFeed.extend({ providerId: z.string() })
type OpenedFeed = z.infer<typeof FoundFeed> & { includeSamples: boolean }

/** Finds the feed of a secret, with the records that the practice's plan shows; null when it has ended, expired or never was. */
export async function findFeedBySecret(
  db: CommonQueryMethods,
  secretHash: string,
  now: Date,
): Promise<OpenedFeed | null> {
  const feed = await db.maybeOne(sql.type(FoundFeed)`
    select id, provider_id as "providerId", practice_id as "practiceId", created_by as "createdBy"
    from read.calendar_feeds f
    where secret_hash = ${secretHash} and ended_at is null and created_at > ${expiredBefore(now)}`)
  return feed && { ...feed, includeSamples: !(await hasHadPlan(db, feed.practiceId)) }
}
