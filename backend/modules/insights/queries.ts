import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { findTimeZone } from '#modules/practices/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import type { InsightCounts } from './rules.ts'

type Fragment = ReturnType<typeof sql.fragment>

/** The counts behind insights as a query returns them. */
export const CountsRow = z.object({ unconfirmed: z.number(), missedBefore: z.number(), overdue: z.number() })

/** Counts what insights are derived from. Days are in the practice's time zone. */
export async function findInsightCounts(db: CommonQueryMethods, scope: RecordScope, now: Date): Promise<InsightCounts> {
  const timeZone = await findTimeZone(db, scope.practiceId)
  const nowSql = sql.fragment`${now.toISOString()}::timestamptz`
  return await db.one(sql.type(CountsRow)`
    with clock as materialized (select (${nowSql} at time zone ${timeZone})::date as today),
    tomorrow as materialized (
      select a.patient_id from read.insight_appointments a cross join clock
      where ${inScope(scope, 'a')} and a.on_day_list and a.status = 'scheduled'
        and a.starts_at >= (clock.today + 1)::timestamp at time zone ${timeZone}
        and a.starts_at < (clock.today + 2)::timestamp at time zone ${timeZone})
    select (select count(*)::int4 from tomorrow) as unconfirmed,
      (select count(distinct t.patient_id)::int4 from tomorrow t where exists (
        select from read.insight_appointments m where m.patient_id = t.patient_id and ${inScope(scope, 'm')}
          and m.status = 'no-show' and m.starts_at > ${nowSql} - interval '1 year')) as "missedBefore",
      (select count(*)::int4 from read.insight_patients p where ${isOverdue(scope, now)}) as overdue`)
}

/** Returns the SQL condition for patients `p` whose last appointment in a scope was over a year ago. */
function isOverdue({ practiceId, includeSamples }: RecordScope, now: Date): Fragment {
  const last = includeSamples ? sql.fragment`p.last_appointment` : sql.fragment`p.last_own_appointment`
  return sql.fragment`p.practice_id = ${practiceId} and p.living
    and ${last} < ${now.toISOString()}::timestamptz - interval '1 year'`
}

/** The moment of a query: `zone` (IANA) and `today`, the local date, are SQL expressions of the surrounding query. */
type LocalMoment = { now: Date; zone: Fragment; today: Fragment }

/**
 * Returns SQL for a value of `CountsRow` with 1 instead of the number for every count that is not 0, and 0 for `missedBefore`:
 * enough to know which insights there are. It stops at the first row found, and it is SQL for the query of the dashboard's
 * figures, because they need it with every request.
 */
export function insightPresenceSql(scope: RecordScope, { now, zone, today }: LocalMoment): Fragment {
  return sql.fragment`jsonb_build_object(
    'missedBefore', 0,
    'unconfirmed', (exists (
      select from read.insight_appointments a
      where ${inScope(scope, 'a')} and a.on_day_list and a.status = 'scheduled'
        and a.starts_at >= (${today} + 1)::timestamp at time zone ${zone}
        and a.starts_at < (${today} + 2)::timestamp at time zone ${zone}))::int4,
    'overdue', (exists (select from read.insight_patients p where ${isOverdue(scope, now)}))::int4)`
}

/** Returns SQL for the number of appointments that a patient missed within a year; `patientId` is an SQL expression. */
export const missedAppointmentsSql = (scope: RecordScope, patientId: Fragment, now: Date): Fragment => sql.fragment`(
  select count(*)::int4 from read.insight_appointments m
  where m.patient_id = ${patientId} and ${inScope(scope, 'm')} and m.status = 'no-show'
    and m.starts_at > ${now.toISOString()}::timestamptz - interval '1 year')`

const Missed = z.object({ patientId: z.string(), missed: z.number() })

/** Counts the appointments that patients missed within a year, by patient id. Patients who missed none are missing. */
export async function countMissedAppointments(
  db: CommonQueryMethods,
  scope: RecordScope,
  patientIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await db.any(sql.type(Missed)`
    select patient_id as "patientId", count(*)::int4 as missed from read.insight_appointments a
    where ${inScope(scope, 'a')} and patient_id = any(${sql.array(patientIds, 'uuid')}) and status = 'no-show'
      and starts_at > ${now.toISOString()}::timestamptz - interval '1 year'
    group by patient_id`)
  return new Map(rows.map(({ patientId, missed }) => [patientId, missed]))
}
