import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

const Sums = z.object({ calls: z.number(), tokens: z.number(), cost: z.number() })

/**
 * Sums up the questions of a practice to a model since an instant. Skipped ones are not counted. `cost`: in ten-thousandths of a
 * US dollar.
 */
export const sumInteractions = (
  db: CommonQueryMethods,
  practiceId: string,
  since: string,
): Promise<z.infer<typeof Sums>> =>
  db.one(sql.type(Sums)`
    select count(*) filter (where status <> 'skipped')::int4 as calls,
      coalesce(sum(input_tokens + output_tokens), 0)::float8 as tokens, coalesce(sum(cost), 0)::float8 as cost
    from read.ai_interactions where practice_id = ${practiceId} and created_at >= ${since}`)
