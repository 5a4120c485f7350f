import type { Pool } from 'pg'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { SubscriptionStatus } from '#contracts/values/plans.ts'
import { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'
import { prepared } from '#database/prepared.ts'
import { createRateLimiter } from '#http/rate-limiter.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { sqlText } from '#database/sql-text.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { accountSettings } from './settings.ts'
import { isAddressProved, type RegisteredUser, userDecider } from './decider.ts'
import { createMemberAccounts as createAccounts, type MemberAccounts } from './member-accounts.ts'
import * as changes from './email-change/change-email.ts'
import * as queries from './queries.ts'
import { createPasswordStore } from './passwords/password-store.ts'
import { createPasswordCheck, type RequirePassword } from './passwords/require-password.ts'
import { loadFactors, resetSecondFactor, type SecondFactors } from './two-factor/reset.ts'
import { signInUnavailable } from './unavailable.ts'

const EmailRow = z.object({ email: z.string() })
const StatusRow = z.object({ status: SubscriptionStatus })
const NewsletterOptInRow = z.object({ newsletterOptIn: z.boolean() })
const UserIdAndNameRow = z.object({ userId: z.string(), name: z.string() })
const AtRow = z.object({ at: z.string() })
const TotalAndWithTwoFactorRow = z.object({ total: z.number(), withTwoFactor: z.number() })
const PracticeIdRow = z.object({ practiceId: z.string().nullable() })

const hasFactor = sqlText(queries.hasSecondFactorSql)
const hasOpenAccess = sqlText(queries.hasOpenAccessSql('clock.now'))

/** Loads the registration of a user from the event store itself; null when it was not finished. */
export async function loadRegistration({ bus }: { bus: CommandBus }, userId: UserId): Promise<RegisteredUser | null> {
  const { state } = await bus.load(userDecider, userId)
  return state.status === 'registered' ? state.user : null
}

/** Notes that the user of an account has opened a link that was mailed to an address, if this is the account's. Can be repeated. */
export async function proveEmailByLink(
  { bus }: { bus: CommandBus },
  userId: UserId,
  { email, proofId }: { email: string; proofId: string },
  context: CommandContext,
): Promise<void> {
  const { state } = await bus.load(userDecider, userId)
  if (state.status !== 'registered' || isAddressProved(state)) return
  if (normalizeEmail(state.user.email) !== normalizeEmail(email)) return
  await bus.execute(userDecider, userId, { type: 'ProveEmailByLink', proofId }, context)
}

/** Returns the addresses between which a request changed (`from`, `to`), from the event store itself; null when it did not. */
export const loadEmailChange = changes.loadEmailChange

/** Returns the second factors that are in force for a user, from the event store itself. */
export const loadSecondFactors = loadFactors

/** Returns whether a user has one of them. */
export const hasSecondFactor = ({ factorId, passkeyIds }: SecondFactors): boolean =>
  factorId !== null || passkeyIds.length > 0

/** Turns off the second factors of a user who lost them, and ends the user's sessions; can be repeated. */
export const resetTwoFactor = resetSecondFactor

/** Returns whether anyone can sign in. Reads the passwords, which, unlike the read models, are complete at every start. */
export async function hasAccounts(db: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>('select exists (select from app.credentials)')
  return rows[0]?.exists ?? false
}

/** Returns a user's e-mail address; null when the user does not exist (yet). */
export async function findUserEmail(db: CommonQueryMethods, userId: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(EmailRow)`select email from read.users where user_id = ${userId}`)
  return row?.email ?? null
}

/** Returns the subscription status with which a user registered; null when the user does not exist (yet). */
export async function findSubscriptionStatus(
  db: CommonQueryMethods,
  userId: string,
): Promise<SubscriptionStatus | null> {
  const row = await db.maybeOne(
    sql.type(StatusRow)`
      select subscription_status as status from read.users where user_id = ${userId}`,
  )
  return row?.status ?? null
}

/** Returns whether a user wants the newsletter; false when the user does not exist (yet). */
export async function findNewsletterOptIn(db: CommonQueryMethods, userId: string): Promise<boolean> {
  const row = await db.maybeOne(
    sql.type(NewsletterOptInRow)`
      select newsletter_opt_in as "newsletterOptIn" from read.users where user_id = ${userId}`,
  )
  return row?.newsletterOptIn ?? false
}

/** Finds the full names of users, by user id. Unknown users are missing. */
export async function findUserNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(UserIdAndNameRow)`
      select user_id as "userId", first_name || ' ' || last_name as name from read.users
      where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map(({ userId, name }) => [userId, name]))
}

const Membership = z.object({
  userId: z.string(),
  practiceId: z.string().nullable(),
  role: Role,
  isOwner: z.boolean(),
})
/** The place of a user: the practice, and what determines the permissions in it. */
export type Membership = z.infer<typeof Membership>

/** Finds the current places of users, by user id. Unknown users are missing; one who was suspended has no practice. */
export async function findMemberships(
  db: CommonQueryMethods,
  userIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Membership>> {
  const rows = await db.any(
    sql.type(Membership)`
      select user_id as "userId", case when ${hasOpenAccess} then practice_id end as "practiceId", role,
        is_owner as "isOwner"
      from read.users u cross join (select ${now.toISOString()}::timestamptz as now) as clock
      where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map((row) => [row.userId, row]))
}

/** Returns an account with its permissions and the access of its practice at an instant; null when it is unknown. */
export const findAccount = queries.findUser

/** Returns the instant (ISO) at which a user joined the practice, or registered; null when the user does not exist (yet). */
export async function findJoinedAt(db: CommonQueryMethods, userId: string): Promise<string | null> {
  const row = await db.maybeOne(
    prepared(sql.type(AtRow)`
      select coalesce(joined_at, created_at) as at from read.users where user_id = ${userId}`),
  )
  return row?.at ?? null
}
const MemberRow = z.object({
  userId: UserId,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: Role,
  isOwner: z.boolean(),
  isSuspended: z.boolean(),
  hasTwoFactor: z.boolean(),
  /** The last day of a reviewer, YYYY-MM-DD, and the instant at which the membership is over. */
  lastDay: z.string().nullable(),
  endsAt: z.string().nullable(),
  joinedAt: z.string(),
})
/** A member of a practice, suspended or not. */
export type MemberRow = z.infer<typeof MemberRow>

/** Finds the members of a practice: the owner first, then in the order in which they joined. */
export const findMembers = (db: CommonQueryMethods, practiceId: string): Promise<readonly MemberRow[]> =>
  db.any(
    sql.type(MemberRow)`
      select user_id as "userId", first_name as "firstName", last_name as "lastName", email, role, is_owner as "isOwner",
        suspended_at is not null as "isSuspended", ${hasFactor} as "hasTwoFactor", last_day as "lastDay", ends_at as "endsAt",
        coalesce(joined_at, created_at) as "joinedAt"
      from read.users u where practice_id = ${practiceId} order by is_owner desc, joined_at, user_id`,
  )

/** Counts the members of a practice who can sign in, and those of them with an authenticator app or a passkey. */
export const countMembers = (
  db: CommonQueryMethods,
  practiceId: string,
  now: Date,
): Promise<{ total: number; withTwoFactor: number }> =>
  db.one(
    sql.type(TotalAndWithTwoFactorRow)`
      select count(*)::int4 as total, count(*) filter (where ${hasFactor})::int4 as "withTwoFactor"
      from read.users u cross join (select ${now.toISOString()}::timestamptz as now) as clock
      where practice_id = ${practiceId} and ${hasOpenAccess}`,
  )

/**
 * Returns the account of an e-mail address, and the practice that it belongs to; null when the address has none. The account is
 * read from the event store itself, the practice once the read model has caught up. Throws ReadModelsBehind.
 */
export async function findAccountOfEmail(
  services: Pick<Services, 'bus' | 'db' | 'keyedHash' | 'store' | 'waitUntilCaughtUp'>,
  email: string,
): Promise<{ user: RegisteredUser; practiceId: string | null } | null> {
  const user = await changes.findAccountByEmail(services, email, UserId.parse(deriveId('unknown user')))
  if (!user) return null
  await waitForReadModels(services, ['UserRegistered', 'PracticeSetUp', 'MemberJoined'])
  const row = await services.db.maybeOne(
    sql.type(PracticeIdRow)`
      select practice_id as "practiceId" from read.users where user_id = ${user.userId}`,
  )
  return { user, practiceId: row?.practiceId ?? null }
}

/** Creates the accounts of people who accept an invitation. */
export const createMemberAccounts = (services: Services): MemberAccounts => createAccounts(services)

/** Creates the check of the password that a signed-in user gives again before something important. */
export function createRequirePassword(services: Services): RequirePassword {
  const { pool, relaxedPool, clock, keyedHash, timeouts } = services
  const passwords = createPasswordStore(pool, {
    maxWaitMs: timeouts.passwordMs,
    cost: accountSettings.read(services).passwordCost,
  })
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable: signInUnavailable })
  return createPasswordCheck({ ...services, passwords, rateLimiter })
}
