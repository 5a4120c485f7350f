import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

const Beginner = z.object({ timezone: z.string(), isDemo: z.boolean() })

/** Where a practice is, and whether its owner has no subscription; null while that is not known. */
export const findBeginner = (db: CommonQueryMethods, practiceId: string): Promise<z.infer<typeof Beginner> | null> =>
  db.maybeOne(sql.type(Beginner)`
    select p.timezone, u.subscription_status = 'demo' as "isDemo"
    from read.practices p join read.users u on u.user_id = p.owner_id where p.practice_id = ${practiceId}`)
