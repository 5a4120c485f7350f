import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CurrentUser } from '#contracts/accounts.ts'
import { hasPermission, Permission } from '#contracts/values/roles.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { prepared } from '#database/prepared.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import { sqlText } from '#database/sql-text.ts'
import type { Caller, FindSession } from '#http/session.ts'
import { practiceAccessSql } from '#modules/billing/public.ts'
import { hasSampleRecordsSql } from '#modules/samples/public.ts'
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

/** Finds a session with the current permissions of its user and the access of their practice, in one query by primary keys. */
export const createFindSession =
  (pool: Pool): FindSession =>
  async (keyHash, { now, usedAfter, startedAfter }) => {
    const { rows } = await queryWithTimeout<SessionRow>(pool, {
      name: 'find-session',
      text: `select o.session_id, o.last_seen_at, u.user_id, u.role, u.practice_id, u.is_owner,
               coalesce(access.status, u.subscription_status) as subscription_status,
               coalesce(access.plan, u.subscription_tier) as subscription_tier,
               coalesce(access.has_lapsed, false) as has_lapsed
             from app.sessions o join read.users u using (user_id)
             left join lateral (${practiceAccessSql('u.practice_id', '$3')}) as access on true
             where o.key_hash = $1 and o.last_seen_at > $2 and o.created_at > $4`,
      values: [keyHash, usedAfter, now, startedAfter],
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

const practiceAccess = sqlText(practiceAccessSql('u.practice_id', 'clock.now'))
const hasSampleRecords = sqlText(hasSampleRecordsSql('u.practice_id'))

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
  hasOpenInvoice: true,
  newsletterOptIn: true,
  createdAt: true,
  updatedAt: true,
}).extend({ hasSampleRecords: z.boolean() })

/** Returns an account as its user sees it, with the access of their practice; null when it is not in the read model (yet). */
export async function findUser(db: CommonQueryMethods, userId: string, now: Date): Promise<CurrentUser | null> {
  const row = await db.maybeOne(
    prepared(sql.type(Row)`
    select user_id as id, username, email, first_name as "firstName", last_name as "lastName", role,
      u.practice_id as "practiceId", is_owner as "isOwner",
      coalesce(access.status, subscription_status) as "subscriptionStatus",
      coalesce(access.plan, subscription_tier) as "subscriptionTier",
      coalesce(access.has_lapsed, false) as "hasLapsed",
      access.past_due_until as "pastDueUntil", coalesce(access.has_open_invoice, false) as "hasOpenInvoice",
      ${hasSampleRecords} as "hasSampleRecords", newsletter_opt_in as "newsletterOptIn",
      created_at as "createdAt", updated_at as "updatedAt"
    from read.users u cross join (select ${now.toISOString()}::timestamptz as now) as clock
    left join lateral (${practiceAccess}) as access on true
    where user_id = ${userId}`),
  )
  return row && addPermissions(row)
}

/** Returns the account of a row that is not in the read model yet. */
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
      hasOpenInvoice: false,
      hasSampleRecords: false,
      newsletterOptIn: row.newsletter_opt_in,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }),
  )

/** Adds the permissions and the subscription flags. A trial counts as subscribed. */
function addPermissions({ hasSampleRecords: hasSamples, ...row }: z.infer<typeof Row>): CurrentUser {
  const isDemo = row.subscriptionStatus === 'demo'
  return {
    ...row,
    isRemovingSamples: hasSamples && !showsSampleData(row),
    permissions: Permission.options.filter((permission) => hasPermission(row, permission)),
    isDemoUser: isDemo,
    isDemo,
    isActiveSubscriber: !isDemo,
    isAuthenticated: true,
  }
}
