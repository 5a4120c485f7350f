import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

/** Returns whether a patient was asked about satisfaction since an instant (ISO), or wants no such questions. */
export const isLeftInPeace = (
  db: CommonQueryMethods,
  { practiceId, patientId, since }: { practiceId: string; patientId: string; since: string },
): Promise<boolean> =>
  db.oneFirst(sql.type(z.object({ exists: z.boolean() }))`
    select exists (
      select from read.surveys
      where practice_id = ${practiceId} and patient_id = ${patientId} and not withdrawn
        and (declined or due_at >= ${since}::timestamptz))`)
