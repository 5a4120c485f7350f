import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CurrentUser } from '#contracts/accounts.ts'
import { may, Permission } from '#contracts/values/roles.ts'
import { askInTime } from '#eventstore/postgres-deadline.ts'
import type { Caller, FindSession } from '#http/session.ts'
import type { UserRow } from './projection.ts'

type SessionRow = {
  session_id: string
  last_seen_at: Date
  user_id: Caller['userId']
  role: Caller['role']
  practice_id: Caller['practiceId']
  is_owner: boolean
}

/** Finds a session and the rights its user has at this moment: one query over two primary keys. */
export const findSession =
  (pool: Pool): FindSession =>
  async (keyHash, idleSince) => {
    const { rows } = await askInTime<SessionRow>(pool, {
      name: 'find-session',
      text: `select s.session_id, s.last_seen_at, u.user_id, u.role, u.practice_id, u.is_owner
             from app.sessions s join read.users u using (user_id)
             where s.key_hash = $1 and s.last_seen_at > $2`,
      values: [keyHash, idleSince],
    })
    const [row] = rows
    if (!row) return null
    const { user_id: userId, role, practice_id: practiceId, is_owner: isOwner, session_id: sessionId } = row
    return { caller: { userId, role, practiceId, isOwner, sessionId }, lastSeenAt: row.last_seen_at }
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
      coalesce(s.access_as, subscription_status) as "subscriptionStatus",
      coalesce(s.access_plan, subscription_tier) as "subscriptionTier", newsletter_opt_in as "newsletterOptIn"
    from read.users u left join read.subscriptions s on s.practice_id = u.practice_id
      and (s.access_until is null or s.access_until > greatest(${now.toISOString()}::timestamptz, s.heard_at))
    where user_id = ${userId}`)
  return row && withFlags(row)
}

/** The same from a row that is not in the table yet. */
export const userOfRow = (row: UserRow): CurrentUser =>
  withFlags(
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
      newsletterOptIn: row.newsletter_opt_in,
    }),
  )

/** Adds what follows from the rest: rights, and where the user stands with us. A trial counts as subscribed. */
function withFlags(row: z.infer<typeof Row>): CurrentUser {
  const isDemo = row.subscriptionStatus === 'demo'
  return {
    ...row,
    permissions: Permission.options.filter((permission) => may(row, permission)),
    isDemoUser: isDemo,
    isDemo,
    isActiveSubscriber: !isDemo,
    isAuthenticated: true,
  }
}
