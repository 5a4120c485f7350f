import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { prepared } from '#database/prepared.ts'

const PracticeProfile = z.object({ name: z.string(), ownerId: z.string(), timezone: z.string() })

/** Returns a practice's name, owner and time zone (IANA); null when the practice does not exist (yet). */
export const findPracticeProfile = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<z.infer<typeof PracticeProfile> | null> =>
  db.maybeOne(sql.type(PracticeProfile)`
    select name, owner_id as "ownerId", timezone from read.practices where practice_id = ${practiceId}`)

/** Finds the IANA time zone of a practice; UTC when the practice is unknown, or not yet in the read model. */
export async function findTimeZone(db: CommonQueryMethods, practiceId: string): Promise<string> {
  const practice = await db.maybeOne(
    prepared(sql.type(z.object({ timezone: z.string() }))`
      select timezone from read.practices where practice_id = ${practiceId}`),
  )
  return practice?.timezone ?? 'UTC'
}
