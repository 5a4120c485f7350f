import { type CommonQueryMethods, sql } from 'slonik'
import { Coverage } from '#contracts/appointments.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'

type Fragment = ReturnType<typeof sql.fragment>

/**
 * Returns SQL for what a verification `c` says about a date, an SQL expression: `covered` within its dates, `unknown` while it
 * waits for the insurer, otherwise `not-covered`.
 */
const coverageSql = (date: Fragment): Fragment => sql.fragment`case
  when c.status in ('verified', 'expired') and coalesce(c.starts_on <= ${date}, true) and coalesce(c.ends_on >= ${date}, true)
    then 'covered'
  when c.status = 'pending' then 'unknown'
  else 'not-covered' end`

/**
 * Returns SQL for the coverage of a patient on a date, both SQL expressions, as one row with `id`, `status` and `is_other_policy`; no
 * row without a verification. One that covers the date decides, a pending one leaves it open, and either of the policy in the record
 * of the patient comes before that of another one.
 */
export const patientCoverageSql = (scope: RecordScope, patientId: Fragment, date: Fragment): Fragment => sql.fragment`
  select c.verification_id as id, ${coverageSql(date)} as status, c.is_other_policy
  from read.insight_coverages c where c.patient_id = ${patientId} and ${inScope(scope, 'c')}
  order by ${coverageSql(date)} = 'not-covered', c.is_other_policy,
    array_position(array['covered', 'unknown', 'not-covered'], ${coverageSql(date)}), c.added_at desc, c.verification_id
  limit 1`

/** Finds the coverage of a patient on a date, YYYY-MM-DD. `unknown` without a verification. */
export async function findCoverage(
  db: CommonQueryMethods,
  scope: RecordScope,
  patientId: PatientId,
  date: string,
): Promise<Coverage> {
  const found = await db.maybeOne(sql.type(Coverage)`
    select status, id as "verificationId", is_other_policy as "isOtherPolicy"
    from (${patientCoverageSql(scope, sql.fragment`${patientId}::uuid`, sql.fragment`${date}::date`)}) found`)
  return found ?? { status: 'unknown', verificationId: null, isOtherPolicy: false }
}
