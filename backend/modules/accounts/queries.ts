import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CurrentUser } from '#contracts/accounts.ts'
import { hasPermission, Permission } from '#contracts/values/roles.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import type { Caller, FindSession } from '#http/session.ts'
import type { UserRow } from './projection.ts'

type SessionRow = {
  session_id: string
  last_seen_at: Date
  user_id: Caller['userId']
  role: Caller['role']
  practice_id: Caller['practiceId']
  is_owner: boolean
  subscription_status: Caller['subscriptionStatus']
  subscription_tier: Caller['subscriptionTier']
  has_lapsed: boolean
}

/**
 * Finds a session, and the rights its user and their practice have at this moment: one query over three primary keys. What a
 * practice was promised holds by the payment provider's clock, should ours be behind.
 */
export const createFindSession =
  (pool: Pool): FindSession =>
  async (keyHash, idleSince, now) => {
    const { rows } = await queryWithTimeout<SessionRow>(pool, {
      name: 'find-session',
      text: `select o.session_id, o.last_seen_at, u.user_id, u.role, u.practice_id, u.is_owner,
               coalesce(s.access_kind, u.subscription_status) as subscription_status,
               coalesce(s.access_plan, u.subscription_tier) as subscription_tier,
               s.practice_id is null and exists (select from read.subscriptions b
                 where b.practice_id = u.practice_id and b.access_kind is not null) as has_lapsed
             from app.sessions o join read.users u using (user_id)
             left join read.subscriptions s on s.practice_id = u.practice_id
               and (s.access_until is null or s.access_until > greatest($3, s.last_update_at))
             where o.key_hash = $1 and o.last_seen_at > $2`,
      values: [keyHash, idleSince, now],
    })
    const [row] = rows
    if (!row) return null
    const caller = {
      userId: row.user_id,
      role: row.role,
      practiceId: row.practice_id,
      isOwner: row.is_owner,
      sessionId: row.session_id,
      subscriptionStatus: row.subscription_status,
      subscriptionTier: row.subscription_tier,
      hasLapsed: row.has_lapsed,
    }
    return { caller, lastSeenAt: row.last_seen_at }
  }

const Row = CurrentUser.pick({
  id: true,
  username: true,
  email: true,
  firstName: true,
  lastName: true,
  role: true,
  practiceId: true,
  isOwner: true,
  subscriptionStatus: true,
  subscriptionTier: true,
  hasLapsed: true,
  pastDueUntil: true,
  newsletterOptIn: true,
})

/**
 * An account as its owner sees it; null when it is not there (yet). Everybody in a practice may use what it pays for, for as
 * long as that lasts: no clock of ours runs behind the payment provider's.
 */
export async function findUser(db: CommonQueryMethods, userId: string, now: Date): Promise<CurrentUser | null> {
  const row = await db.maybeOne(sql.type(Row)`
    select user_id as id, username, email, first_name as "firstName", last_name as "lastName", role,
      u.practice_id as "practiceId", is_owner as "isOwner",
      coalesce(s.access_kind, subscription_status) as "subscriptionStatus",
      coalesce(s.access_plan, subscription_tier) as "subscriptionTier",
      s.practice_id is null and exists (select from read.subscriptions b
        where b.practice_id = u.practice_id and b.access_kind is not null) as "hasLapsed",
      case when s.status = 'past_due' then s.access_until end as "pastDueUntil", newsletter_opt_in as "newsletterOptIn"
    from read.users u left join read.subscriptions s on s.practice_id = u.practice_id
      and (s.access_until is null or s.access_until > greatest(${now.toISOString()}::timestamptz, s.last_update_at))
    where user_id = ${userId}`)
  return row && addPermissions(row)
}

/** The same from a row that is not in the table yet. */
export const toCurrentUser = (row: UserRow): CurrentUser =>
  addPermissions(
    Row.parse({
      id: row.user_id,
      username: row.username,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      role: row.role,
      practiceId: row.practice_id,
      isOwner: row.is_owner,
      subscriptionStatus: row.subscription_status,
      subscriptionTier: row.subscription_tier,
      hasLapsed: false,
      pastDueUntil: null,
      newsletterOptIn: row.newsletter_opt_in,
    }),
  )

/** Adds what follows from the rest: rights, and where the user stands with us. A trial counts as subscribed. */
function addPermissions(row: z.infer<typeof Row>): CurrentUser {
  const isDemo = row.subscriptionStatus === 'demo'
  return {
    ...row,
    permissions: Permission.options.filter((permission) => hasPermission(row, permission)),
    isDemoUser: isDemo,
    isDemo,
    isActiveSubscriber: !isDemo,
    isAuthenticated: true,
  }
}
