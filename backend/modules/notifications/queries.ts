import { subDays } from 'date-fns/subDays'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { NotificationChoices, notificationDays, notificationPageSize } from '#contracts/notifications.ts'
import { NotificationId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { Currency } from '#contracts/values/money.ts'
import { prepared } from '#database/prepared.ts'
import { type Choices, defaultChoices } from './decider.ts'
import { type NotificationKind, notificationKinds } from './kinds.ts'

const UserIdRow = z.object({ userId: UserId })

const Kind = z.enum(Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]])

const Row = z.object({
  id: NotificationId,
  kind: Kind,
  at: z.string(),
  recordId: z.string().nullable(),
  patientId: z.string().nullable(),
  providerId: z.string().nullable(),
  startsAt: z.string().nullable(),
  duration: z.number().nullable(),
  until: z.string().nullable(),
  amount: z.object({ cents: z.number(), currency: Currency }).nullable(),
  isRead: z.boolean(),
})
/** A notification as it is stored, and whether its reader has read it. */
export type StoredNotification = z.infer<typeof Row>

/** The notifications that one person can see. */
export type Visibility = {
  userId: string
  practiceId: string
  /** The time zone (IANA) of the practice. */
  zone: string
  kinds: readonly NotificationKind[]
  /** The instant (ISO) from which they are shown. */
  since: string
  /** The ids of those that are shown as freed slots. */
  freed: readonly string[]
}

/** Returns the instant (ISO) from which notifications are shown to a user who joined the practice at an instant. */
export function findFirstInstant(now: Date, joinedAt: string): string {
  const oldest = subDays(now, notificationDays).toISOString()
  return oldest > joinedAt ? oldest : joinedAt
}

const from = ({ userId, practiceId, zone, kinds, since, freed }: Visibility) => sql.fragment`
  from read.notifications n left join read.notification_reads r on r.user_id = ${userId} and r.notification_id = n.id
  where n.practice_id = ${practiceId} and n.at > ${since} and n.kind = any(${sql.array(kinds, 'text')})
    and n.actor_id is distinct from ${userId}::uuid
    and not exists (select from read.notification_removed_patients p where p.id = n.patient_id)
    and (n.starts_at is null or n.id = any(${sql.array(freed, 'uuid')})
      -- An appointment of the same day that was still to come. An emergency may be booked once it is there.
      or (n.starts_at at time zone ${zone})::date = (n.at at time zone ${zone})::date
        and (n.starts_at > n.at or n.kind = 'emergency-booked'))`

/** The place of a notification in the list: its instant (ISO) and its id. */
type Place = { at: string; id: string }

/** Finds one page of notifications and one more, newest first, after a place in the list. */
export const findPage = (
  db: CommonQueryMethods,
  visible: Visibility,
  before: Place | undefined,
): Promise<readonly StoredNotification[]> =>
  db.any(
    prepared(sql.type(Row)`
    select n.id, n.kind, n.at, n.record_id as "recordId", n.patient_id as "patientId", n.provider_id as "providerId",
      n.starts_at as "startsAt", n.duration, n.until, r.key is not null as "isRead",
      case when n.amount_cents is not null
        then jsonb_build_object('cents', n.amount_cents, 'currency', n.currency) end as amount
    ${from(visible)} and ${before ? sql.fragment`(n.at, n.id) < (${before.at}::timestamptz, ${before.id}::uuid)` : sql.fragment`true`}
    order by n.at desc, n.id desc limit ${notificationPageSize + 1}`),
  )

const Counted = z.object({ kind: Kind, isFreed: z.boolean(), unread: z.number() })

/**
 * Counts what a person has not read, by kind; `isFreed` for those that are shown as freed slots. With `startsAfter`, leaves
 * out appointments that have started by then.
 */
export const countUnread = (
  db: CommonQueryMethods,
  visible: Visibility,
  startsAfter?: Date,
): Promise<readonly z.infer<typeof Counted>[]> => {
  const isToCome = startsAfter
    ? sql.fragment`(n.starts_at is null or n.starts_at > ${startsAfter.toISOString()})`
    : sql.fragment`true`
  return db.any(
    prepared(sql.type(Counted)`
    select n.kind, n.id = any(${sql.array(visible.freed, 'uuid')}) as "isFreed", count(*)::int4 as unread
    ${from(visible)} and r.key is null and ${isToCome} group by 1, 2`),
  )
}

const Found = z.object({ id: NotificationId, at: z.string(), isRead: z.boolean() })
type FoundNotification = z.infer<typeof Found>

/** Finds those of some notifications that a person can see. */
export const findByIds = (
  db: CommonQueryMethods,
  visible: Visibility,
  ids: readonly string[],
): Promise<readonly FoundNotification[]> =>
  db.any(sql.type(Found)`
    select n.id, n.at, r.key is not null as "isRead" ${from(visible)} and n.id = any(${sql.array(ids, 'uuid')})`)

/** The most notifications that `findUnreadUpTo` returns. */
export const maxUnread = 1_000

/**
 * Finds what a person has not read up to a place in the list, newest first, the notification there included; at most
 * `maxUnread`.
 */
export const findUnreadUpTo = (
  db: CommonQueryMethods,
  visible: Visibility,
  { at, id }: Place,
): Promise<readonly FoundNotification[]> =>
  db.any(sql.type(Found)`
    select n.id, n.at, false as "isRead" ${from(visible)} and r.key is null
      and (n.at, n.id) <= (${at}::timestamptz, ${id}::uuid) order by n.at desc, n.id desc limit ${maxUnread}`)

const Freed = z.object({
  id: NotificationId,
  at: z.string(),
  providerId: ProviderId,
  startsAt: z.string(),
  duration: z.number(),
})
/** A slot that its appointment no longer needs. */
export type ReleasedSlot = z.infer<typeof Freed>

/** Days ahead in which freed slots are looked for. */
const freedDays = 30
/** More are not looked at, latest release first: a practice that closes for a week cancels hundreds. */
const maxReleased = 1_000

/**
 * Finds the slots of other days within the next 30 that were released, latest release first, at most 1,000. A slot that was
 * released several times is returned once. Those that the person released last are left out.
 */
export const findReleasedSlots = (
  db: CommonQueryMethods,
  { userId, practiceId, zone, since }: Pick<Visibility, 'userId' | 'practiceId' | 'zone' | 'since'>,
  now: Date,
): Promise<readonly ReleasedSlot[]> =>
  db.any(
    prepared(sql.type(Freed)`
    select id, at, "providerId", "startsAt", duration from (
      select distinct on (provider_id, starts_at)
        id, at, actor_id, provider_id as "providerId", starts_at as "startsAt", duration from read.notifications
      where practice_id = ${practiceId} and kind in ('appointment-cancelled', 'appointment-moved') and at > ${since}
        and starts_at > ${now.toISOString()}
        and starts_at < ${now.toISOString()}::timestamptz + make_interval(days => ${freedDays})
        -- On the same day, the change of the appointment itself is shown.
        and (starts_at at time zone ${zone})::date <> (at at time zone ${zone})::date
      order by provider_id, starts_at, at desc, id desc) as released
    where actor_id is distinct from ${userId}::uuid
    order by at desc, id desc limit ${maxReleased}`),
  )

/** Finds the choices of a person. */
export async function findChoices(db: CommonQueryMethods, userId: string): Promise<Choices> {
  const row = await db.maybeOne(
    prepared(sql.type(NotificationChoices)`
      select appointment_reminders as "appointmentReminders", ai_alerts as "aiAlerts",
        form_submissions as "formSubmissions", insurance_updates as "insuranceUpdates", daily_digest as "dailyDigest"
      from read.notification_preferences where user_id = ${userId}`),
  )
  return row ?? defaultChoices
}

/** Finds the first `limit` persons, in the order of their ids after one, who receive the daily message. */
export const findDigestReaders = (
  db: CommonQueryMethods,
  after: UserId | null,
  limit: number,
): Promise<readonly UserId[]> => {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`user_id > ${after}`
  return db.anyFirst(sql.type(UserIdRow)`
    select user_id as "userId" from read.notification_preferences
    where daily_digest and ${isAfter} order by user_id limit ${limit}`)
}
