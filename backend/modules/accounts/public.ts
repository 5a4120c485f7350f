import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { SubscriptionStatus } from '#contracts/values/plans.ts'

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

/** Finds the full names of users, by user id. Unknown users are missing. */
export async function findUserNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ userId: z.string(), name: z.string() }))`
      select user_id as "userId", first_name || ' ' || last_name as name from read.users
      where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map(({ userId, name }) => [userId, name]))
}
