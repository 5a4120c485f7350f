import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CurrentUser } from '#contracts/accounts.ts'
import { hasPermission, Permission } from '#contracts/values/roles.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { groupCalls } from '#database/group-calls.ts'
import { prepared } from '#database/prepared.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'
import { sqlText } from '#database/sql-text.ts'
import type { Caller, FindSession, FoundSession } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { hasSampleRecords } from '#modules/samples/public.ts'
import { joinStanding, requiresTwoFactorSql, sessionTimeoutSql } from './practice-standing/sql.ts'
import type { UserRow } from './projection.ts'

type SessionRow = {
  key_hash: string
  session_id: string
  last_seen_at: Date
  user_id: Caller['userId']
  role: Caller['role']
  practice_id: Caller['practiceId']
  is_owner: boolean
  timezone: string
  practice_phone: string | null
  last_plan: Caller['lastPlan']
  subscription_status: Caller['subscriptionStatus']
  subscription_tier: Caller['subscriptionTier']
  has_lapsed: boolean
  must_set_up_two_factor: boolean
  must_prove_email: boolean
}

/** Returns a condition on a row of users: an authenticator app or a passkey is set up. */
export const hasSecondFactorSql = '(u.two_factor or u.passkeys > 0)'

/** A condition on a row of users and its practice: this requires two-factor sign-in, and the user has not set it up. */
const mustSetUpTwoFactorSql = `(not ${hasSecondFactorSql} and ${requiresTwoFactorSql})`

/** Returns a condition on a row of users: neither suspended nor past the end of the membership. `now` is an SQL expression. */
export const hasOpenAccessSql = (now: string): string =>
  `(u.suspended_at is null and (u.ends_at is null or u.ends_at > ${now}))`

const MemberAccess = z.enum(['open', 'suspended', 'ended'])
export type MemberAccess = z.infer<typeof MemberAccess>

const SignInAccess = z.object({
  access: MemberAccess,
  /** The practice requires a second factor. */
  requiresTwoFactor: z.boolean(),
  /** True when it does and passkeys are the only one: the password alone is not enough. */
  needsPasskey: z.boolean(),
  practiceId: z.string().nullable(),
})
export type SignInAccess = z.infer<typeof SignInAccess>
const requiresTwoFactor = sqlText(requiresTwoFactorSql)

/** Returns whether a user may sign in, and how; a user who is not in the read model (yet) may, with the password. */
export async function findAccess(db: CommonQueryMethods, userId: string, now: Date): Promise<SignInAccess> {
  const row = await db.maybeOne(
    sql.type(SignInAccess)`
      select case when suspended_at is not null then 'suspended' when ends_at <= ${now.toISOString()} then 'ended'
        else 'open' end as access, ${requiresTwoFactor} as "requiresTwoFactor",
        u.passkeys > 0 and not u.two_factor and ${requiresTwoFactor} as "needsPasskey",
        u.practice_id as "practiceId"
      from read.users u left join read.practice_standing p on p.practice_id = u.practice_id
      where u.user_id = ${userId}`,
  )
  return row ?? { access: 'open', requiresTwoFactor: false, needsPasskey: false, practiceId: null }
}

/**
 * Returns whether an account is limited until its address is confirmed: not where no mail server could send the link.
 */
const isProofAsked = (mustProve: boolean, mail: Pick<Services['mail'], 'kind'>) => mustProve && mail.kind === 'smtp'

/**
 * Finds sessions with the current permissions of their users and the access of their practices, in one query by primary keys. A
 * member who was suspended, or whose membership is over, has none. The sessions of requests that arrive together are looked up
 * together, each after its request has arrived: what was revoked before is refused.
 */
export function createFindSession(pool: Pool, mail: Pick<Services['mail'], 'kind'>): FindSession {
  const findTogether = groupCalls(async (requests: readonly Parameters<FindSession>[]) => {
    const [, { now, startedAfter, usedUntil }] = requests.at(-1) as Parameters<FindSession>
    const keyHashes = requests.map(([keyHash]) => keyHash)
    const { rows } = await queryWithTimeout<SessionRow>(pool, {
      name: 'find-sessions',
      text: `select o.key_hash, o.session_id, o.last_seen_at, u.user_id, u.role, u.practice_id, u.is_owner,
               coalesce(p.timezone, 'UTC') as timezone, p.phone as practice_phone, p.access_plan as last_plan,
               coalesce(access.status, u.subscription_status) as subscription_status,
               coalesce(access.plan, u.subscription_tier) as subscription_tier,
               access.has_lapsed,
               ${mustSetUpTwoFactorSql} as must_set_up_two_factor, u.must_prove_email
             from app.sessions o join read.users u using (user_id)
             join app.credentials c on c.user_id = o.user_id and c.version = o.credential_version
             ${joinStanding('$2::timestamptz')}
             where o.key_hash = any((select $1)::text[]) and o.created_at > $3 and o.last_seen_at <= $4 and ${hasOpenAccessSql('$2')}
               and o.last_seen_at > $2::timestamptz - make_interval(mins => ${sessionTimeoutSql})`,
      values: [keyHashes, now, startedAfter, usedUntil],
    })
    const sessions = new Map(rows.map((row) => [row.key_hash, toSession(row, mail)]))
    return keyHashes.map((keyHash) => sessions.get(keyHash) ?? null)
  })
  return (...request) => findTogether(request)
}

const toSession = (row: SessionRow, mail: Pick<Services['mail'], 'kind'>): FoundSession => ({
  caller: {
    userId: row.user_id,
    role: row.role,
    practiceId: row.practice_id,
    timezone: row.timezone,
    practicePhone: row.practice_phone,
    lastPlan: row.last_plan,
    isOwner: row.is_owner,
    sessionId: row.session_id,
    subscriptionStatus: row.subscription_status,
    subscriptionTier: row.subscription_tier,
    hasLapsed: row.has_lapsed,
    mustSetUpTwoFactor: row.must_set_up_two_factor,
    mustProveEmail: isProofAsked(row.must_prove_email, mail),
  },
  lastSeenAt: row.last_seen_at,
})

const standing = sqlText(joinStanding('clock.now'))
const mustSetUpTwoFactor = sqlText(mustSetUpTwoFactorSql)
const sessionTimeout = sqlText(sessionTimeoutSql)

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
  sessionTimeout: true,
  mustSetUpTwoFactor: true,
  hasPasskey: true,
  mustProveEmail: true,
  createdAt: true,
  updatedAt: true,
})

/** Returns an account as its user sees it, with the access of their practice; null when it is not in the read model (yet). */
export async function findUser(
  { db, clock, mail }: Pick<Services, 'db' | 'clock'> & { mail: Pick<Services['mail'], 'kind'> },
  userId: string,
): Promise<CurrentUser | null> {
  const row = await db.maybeOne(
    prepared(sql.type(Row)`
    select user_id as id, username, email, first_name as "firstName", last_name as "lastName", role,
      u.practice_id as "practiceId", is_owner as "isOwner",
      coalesce(access.status, u.subscription_status) as "subscriptionStatus",
      coalesce(access.plan, u.subscription_tier) as "subscriptionTier",
      access.has_lapsed as "hasLapsed", access.past_due_until as "pastDueUntil",
      access.has_open_invoice as "hasOpenInvoice", newsletter_opt_in as "newsletterOptIn",
      ${sessionTimeout} as "sessionTimeout", ${mustSetUpTwoFactor} as "mustSetUpTwoFactor", passkeys > 0 as "hasPasskey",
      must_prove_email as "mustProveEmail", created_at as "createdAt", updated_at as "updatedAt"
    from read.users u cross join (select ${clock().toISOString()}::timestamptz as now) as clock
    ${standing}
    where u.user_id = ${userId}`),
  )
  if (!row) return null
  const hasSamples = row.practiceId !== null && (await hasSampleRecords(db, row.practiceId))
  return addPermissions({ ...row, mustProveEmail: isProofAsked(row.mustProveEmail, mail) }, hasSamples)
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
      newsletterOptIn: row.newsletter_opt_in,
      sessionTimeout: defaultSessionTimeout,
      mustSetUpTwoFactor: false,
      hasPasskey: row.passkeys > 0,
      mustProveEmail: row.must_prove_email,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }),
  )

/** Adds the permissions and the subscription flags. A trial counts as subscribed. */
function addPermissions(row: z.infer<typeof Row>, hasSamples = false): CurrentUser {
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
