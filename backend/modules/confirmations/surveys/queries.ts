import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../cursor.ts'

const ExistsRow = z.object({ exists: z.boolean() })

/** Returns whether a patient was asked about satisfaction since an instant (ISO), or wants no such questions. */
export const isLeftInPeace = (
  db: CommonQueryMethods,
  { practiceId, patientId, since }: { practiceId: string; patientId: string; since: string },
): Promise<boolean> =>
  db.oneFirst(sql.type(ExistsRow)`
    select exists (
      select from read.surveys
      where practice_id = ${practiceId} and patient_id = ${patientId} and not withdrawn
        and (declined or due_at >= ${since}::timestamptz))`)

const ListedSurvey = z.object({
  id: z.string(),
  patientId: z.string(),
  appointmentId: z.string(),
  channel: z.string(),
  status: z.string(),
  dueAt: z.string(),
  sentAt: z.string().nullable(),
  score: z.number().nullable(),
  answeredAt: z.string().nullable(),
})

/** Finds a page of the questions of a practice about satisfaction, latest first. Those to removed patients are left out. */
export async function findSurveys(
  db: CommonQueryMethods,
  { practiceId, limit, cursor }: { practiceId: string; limit: number; cursor?: string | undefined },
): Promise<{ surveys: z.infer<typeof ListedSurvey>[]; next: string | null }> {
  const place = cursor === undefined ? null : decodeCursor(cursor)
  const after = place
    ? sql.fragment`and (s.due_at, s.id) < (${place.at}::timestamptz, ${place.id}::uuid)`
    : sql.fragment``
  const found = await db.any(sql.type(ListedSurvey)`
    select s.id, s.patient_id as "patientId", s.appointment_id as "appointmentId", s.channel, s.status,
      s.due_at as "dueAt", s.sent_at as "sentAt", s.score, s.answered_at as "answeredAt"
    from read.surveys s join read.confirmation_patients p on p.id = s.patient_id
    where s.practice_id = ${practiceId} and not p.removed ${after}
    order by s.due_at desc, s.id desc limit ${limit + 1}`)
  const surveys = found.slice(0, limit)
  const last = found.length > limit ? surveys.at(-1) : undefined
  return { surveys, next: last ? encodeCursor(last.dueAt, last.id) : null }
}
