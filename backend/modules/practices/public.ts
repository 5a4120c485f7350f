import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

const PracticeProfile = z.object({ name: z.string(), ownerId: z.string(), timezone: z.string() })

/** Returns a practice's name, owner and time zone (IANA); null when the practice does not exist (yet). */
export const findPracticeProfile = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<z.infer<typeof PracticeProfile> | null> =>
  db.maybeOne(sql.type(PracticeProfile)`
    select name, owner_id as "ownerId", timezone from read.practices where practice_id = ${practiceId}`)

/** Returns a practice's time zone (IANA); null when the practice does not exist (yet). */
export const findTimeZone = async (db: CommonQueryMethods, practiceId: string): Promise<string | null> =>
  (await findPracticeProfile(db, practiceId))?.timezone ?? null
