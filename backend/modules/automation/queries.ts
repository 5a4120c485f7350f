import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { AutomationEstimates } from '#contracts/automation.ts'
import { AutomationKind, AutomationOutcome, defaultEstimates, type Estimates } from '#contracts/values/automation.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { fieldError } from '#http/problems.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'

/** The number of actions by kind; `failed` are those of all kinds that needed a person. */
const ActionCounts = z.object({
  actions: z.number(),
  failed: z.number(),
  messages: z.number(),
  answers: z.number(),
  analyses: z.number(),
  expiries: z.number(),
})

/** Counts the actions of a scope since an instant. Messages and analyses that failed count as actions only. */
export const countActions = (
  db: CommonQueryMethods,
  scope: RecordScope,
  since: string,
): Promise<z.infer<typeof ActionCounts>> =>
  db.one(sql.type(ActionCounts)`
    select count(*)::int4 as actions,
      count(*) filter (where a.outcome = 'failed')::int4 as failed,
      count(*) filter (where a.kind in ('message', 'offer') and a.outcome = 'sent')::int4 as messages,
      count(*) filter (where a.kind in ('answer', 'offer') and a.outcome in ('confirmed', 'declined'))::int4 as answers,
      count(*) filter (where a.kind = 'analysis' and a.outcome = 'completed')::int4 as analyses,
      count(*) filter (where a.kind = 'expiry')::int4 as expiries
    from read.automation_actions a where ${inScope(scope, 'a')} and a.at >= ${since}`)

const StoredAction = z.object({
  id: z.string(),
  at: z.string(),
  kind: AutomationKind,
  outcome: AutomationOutcome,
  recordId: z.string(),
  patientId: PatientId,
})
export type StoredAction = z.infer<typeof StoredAction>

const Cursor = z.strictObject({ at: z.iso.datetime({ offset: true }), id: z.uuid() })

/** Throws 422 for a text that is no cursor. */
function decodeCursor(text: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw fieldError('cursor', 'This page cannot be found. Start again from the first.')
  }
}

/** Finds a page of the actions of a scope, newest first. */
export async function findActions(
  db: CommonQueryMethods,
  scope: RecordScope,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ actions: readonly StoredAction[]; next: string | null }> {
  const place = cursor === undefined ? null : decodeCursor(cursor)
  const after = place ? sql.fragment`and (a.at, a.id) < (${place.at}::timestamptz, ${place.id}::uuid)` : sql.fragment``
  const found = await db.any(sql.type(StoredAction)`
    select a.id, a.at, a.kind, a.outcome, a.record_id as "recordId", a.patient_id as "patientId"
    from read.automation_actions a where ${inScope(scope, 'a')} ${after}
    order by a.at desc, a.id desc limit ${limit + 1}`)
  const actions = found.slice(0, limit)
  const last = found.length > limit ? actions.at(-1) : undefined
  const next = last ? Buffer.from(JSON.stringify({ at: last.at, id: last.id })).toString('base64url') : null
  return { actions, next }
}

/** Returns the estimates of a practice; the defaults when it has stated none. */
export async function findEstimates(db: CommonQueryMethods, practiceId: string): Promise<Estimates> {
  const row = await db.maybeOne(sql.type(AutomationEstimates)`
    select minutes_per_message as "minutesPerMessage", minutes_per_form as "minutesPerForm",
      hourly_rate_cents as "hourlyRateCents"
    from read.automation_estimates where practice_id = ${practiceId}`)
  return row ?? defaultEstimates
}
