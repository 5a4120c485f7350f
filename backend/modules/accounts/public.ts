import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { SubscriptionStatus } from '#contracts/values/plans.ts'
import { Role } from '#contracts/values/roles.ts'

/** Returns a user's e-mail address; null when the user does not exist (yet). */
export async function findUserEmail(db: CommonQueryMethods, userId: string): Promise<string | null> {
  const row = await db.maybeOne(
    sql.type(z.object({ email: z.string() }))`select email from read.users where user_id = ${userId}`,
  )
  return row?.email ?? null
}

/** Returns the subscription status with which a user registered; null when the user does not exist (yet). */
export async function findSubscriptionStatus(
  db: CommonQueryMethods,
  userId: string,
): Promise<SubscriptionStatus | null> {
  const row = await db.maybeOne(
    sql.type(z.object({ status: SubscriptionStatus }))`
      select subscription_status as status from read.users where user_id = ${userId}`,
  )
  return row?.status ?? null
}

/** Returns whether a user wants the newsletter; false when the user does not exist (yet). */
export async function findNewsletterOptIn(db: CommonQueryMethods, userId: string): Promise<boolean> {
  const row = await db.maybeOne(
    sql.type(z.object({ newsletterOptIn: z.boolean() }))`
      select newsletter_opt_in as "newsletterOptIn" from read.users where user_id = ${userId}`,
  )
  return row?.newsletterOptIn ?? false
}

/** Finds the full names of users, by user id. Unknown users are missing. */
export async function findUserNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ userId: z.string(), name: z.string() }))`
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

/** Finds the current places of users, by user id. Unknown users are missing. */
export async function findMemberships(
  db: CommonQueryMethods,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Membership>> {
  const rows = await db.any(
    sql.type(Membership)`
      select user_id as "userId", practice_id as "practiceId", role, is_owner as "isOwner" from read.users
      where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map((row) => [row.userId, row]))
}
