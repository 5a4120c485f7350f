import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { InsightCounts } from './rules.ts'

const Row = z.object({ unconfirmed: z.number(), missedBefore: z.number(), overdue: z.number() })

/** Counts what insights are made of. Days are the practice's own. */
export const findInsightCounts = (db: CommonQueryMethods, practiceId: string, now: Date): Promise<InsightCounts> =>
  db.one(sql.type(Row)`
    with here as materialized (
      select timezone as zone, (${now.toISOString()}::timestamptz at time zone timezone)::date as today
      from read.practices where practice_id = ${practiceId}),
    tomorrow as materialized (
      select a.patient_id from read.appointments a cross join here
      where a.practice_id = ${practiceId} and a.on_day_list and a.status = 'scheduled'
        and a.starts_at >= (here.today + 1)::timestamp at time zone here.zone
        and a.starts_at < (here.today + 2)::timestamp at time zone here.zone),
    seen as (
      select p.id, max(a.starts_at) as last from read.patients p
      join read.appointments a on a.patient_id = p.id and a.practice_id = p.practice_id
      where p.practice_id = ${practiceId} and a.status not in ('cancelled', 'no-show') and p.deceased_on is null
      group by p.id)
    select (select count(*)::int4 from tomorrow) as unconfirmed,
      (select count(distinct t.patient_id)::int4 from tomorrow t where exists (
        select from read.appointments m where m.patient_id = t.patient_id and m.practice_id = ${practiceId}
          and m.status = 'no-show' and m.starts_at > ${now.toISOString()}::timestamptz - interval '1 year'))
        as "missedBefore",
      (select count(*)::int4 from seen where last < ${now.toISOString()}::timestamptz - interval '1 year') as overdue`)
