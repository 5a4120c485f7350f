import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Practice } from '#contracts/practices.ts'

/** One practice; null when there is none. Whether the caller may see it is the caller's to check. */
export const findPractice = (db: CommonQueryMethods, practiceId: string): Promise<Practice | null> =>
  db.maybeOne(sql.type(Practice)`
    select practice_id as id, name, address, phone, email, website, specialties, npi, tax_id as "taxId", timezone,
      newsletter_opt_in as "newsletterOptIn", selected_plan as "selectedPlan", setup_complete as "setupComplete",
      revision, created_at as "createdAt", updated_at as "updatedAt"
    from read.practices where practice_id = ${practiceId}`)

/** What people are called, by their ids. */
export async function findUserNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ userId: z.string(), name: z.string() }))`
      select user_id as "userId", first_name || ' ' || last_name as name
      from read.users where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map(({ userId, name }) => [userId, name]))
}
