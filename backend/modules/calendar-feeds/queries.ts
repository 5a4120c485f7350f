import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CalendarFeed } from '#contracts/calendar-feeds.ts'
import { UserId } from '#contracts/values/ids.ts'
import { findUserNames } from '#modules/accounts/public.ts'

const Row = CalendarFeed.extend({ createdBy: UserId })

/** Finds the open calendar feeds of a practice, oldest first. */
export async function findCalendarFeeds(db: CommonQueryMethods, practiceId: string): Promise<CalendarFeed[]> {
  const rows = await db.any(sql.type(Row)`
    select id, provider_id as "providerId", label, created_at as "createdAt", created_by as "createdBy"
    from read.calendar_feeds where practice_id = ${practiceId} order by created_at, id`)
  const names = await findUserNames(db, [...new Set(rows.map(({ createdBy }) => createdBy))])
  return rows.map((row) => ({ ...row, createdBy: names.get(row.createdBy) ?? null }))
}

/** Finds the provider whose feed a secret opens; null when it opens none. */
export async function findProviderBySecret(db: CommonQueryMethods, secretHash: string): Promise<string | null> {
  const feed = await db.maybeOne(
    sql.type(z.object({ providerId: z.string() }))`
      select provider_id as "providerId" from read.calendar_feeds where secret_hash = ${secretHash}`,
  )
  return feed?.providerId ?? null
}
