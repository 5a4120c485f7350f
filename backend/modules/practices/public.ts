import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

/** Finds the IANA time zone of a practice; UTC when the practice is unknown, or not yet in the read model. */
export async function findTimeZone(db: CommonQueryMethods, practiceId: string): Promise<string> {
  const practice = await db.maybeOne(
    sql.type(z.object({ timezone: z.string() }))`
      select timezone from read.practices where practice_id = ${practiceId}`,
  )
  return practice?.timezone ?? 'UTC'
}
