import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

/** Finds the full names of users, by user id. Unknown users are missing. */
export async function findUserNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ userId: z.string(), name: z.string() }))`
      select user_id as "userId", first_name || ' ' || last_name as name from read.users
      where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map(({ userId, name }) => [userId, name]))
}
