import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { findTimeZone } from '#modules/practices/public.ts'
import type { InsightCounts } from './rules.ts'

const Row = z.object({ unconfirmed: z.number(), missedBefore: z.number(), overdue: z.number() })

/** Counts what insights are derived from. Days are in the practice's time zone. */
export async function findInsightCounts(db: CommonQueryMethods, practiceId: string, now: Date): Promise<InsightCounts> {
  const timeZone = await findTimeZone(db, practiceId)
  const nowSql = sql.fragment`${now.toISOString()}::timestamptz`
  return await db.one(sql.type(Row)`
    with clock as materialized (select (${nowSql} at time zone ${timeZone})::date as today),
    tomorrow as materialized (
      select a.patient_id from read.insight_appointments a cross join clock
      where a.practice_id = ${practiceId} and a.on_day_list and a.status = 'scheduled'
        and a.starts_at >= (clock.today + 1)::timestamp at time zone ${timeZone}
        and a.starts_at < (clock.today + 2)::timestamp at time zone ${timeZone}),
    last_appointments as (
      select a.patient_id, max(a.starts_at) as starts_at from read.insight_appointments a
      where a.practice_id = ${practiceId} and a.status not in ('cancelled', 'no-show')
        and not exists (select from read.insight_former_patients f where f.patient_id = a.patient_id)
      group by a.patient_id)
    select (select count(*)::int4 from tomorrow) as unconfirmed,
      (select count(distinct t.patient_id)::int4 from tomorrow t where exists (
        select from read.insight_appointments m where m.patient_id = t.patient_id and m.practice_id = ${practiceId}
          and m.status = 'no-show' and m.starts_at > ${nowSql} - interval '1 year')) as "missedBefore",
      (select count(*)::int4 from last_appointments where starts_at < ${nowSql} - interval '1 year') as overdue`)
}
