import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { InsightUsage } from '#contracts/insights.ts'
import { InsightId } from '#contracts/values/ids.ts'
import { InsightRule, minDecisionsForAccuracy } from '#contracts/values/insights.ts'
import { DayHours, Weekday } from '#contracts/values/working-hours.ts'
import { prepared } from '#database/prepared.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { foundRecordsSql, isInForceSql, type LocalMoment, openCountSql } from './records-sql.ts'
import { observedDays } from './rules/empty-hours.ts'

const StoredWeek = z.record(Weekday, z.object(DayHours.in.shape).nullable())

/** The working time of a practice, its use, and the grounds of the decisions about it by their subject. */
const WorkingTimeRow = z.object({
  today: z.string(),
  practice: z
    .object({
      week: StoredWeek.nullable(),
      providers: z.array(z.object({ id: z.string(), since: z.string() })),
      closures: z.array(z.object({ providerId: z.string().nullable(), from: z.string(), until: z.string() })),
    })
    .nullable(),
  booked: z.array(z.object({ weekday: z.number(), half: z.enum(['morning', 'afternoon']), minutes: z.number() })),
  decided: z.array(z.object({ subject: z.string(), grounds: z.array(z.string()) })),
})

/** The data that is enough to count the open insights: those that rest on records are counted already. */
export const OpenInsightsRow = z.object({ openCount: z.number(), workingTime: WorkingTimeRow })
export type OpenInsightsRow = z.infer<typeof OpenInsightsRow>

/** The records that a rule found. */
const FoundRow = z.object({
  rule: InsightRule.exclude(['empty-hours']),
  subject: z.string(),
  isOpen: z.boolean(),
  total: z.number(),
  flagged: z.number(),
  grounds: z.array(z.string()),
  first: z.array(
    z.object({
      id: z.string(),
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      date: z.string().nullable(),
      time: z.string().nullable(),
    }),
  ),
})

/** The data that insights are derived from. */
export const InsightGrounds = z.object({ found: z.array(FoundRow), workingTime: WorkingTimeRow })
export type InsightGrounds = z.infer<typeof InsightGrounds>

/** Returns SQL for a value of `WorkingTimeRow`. */
const workingTimeSql = (scope: RecordScope, moment: LocalMoment) => sql.fragment`jsonb_build_object(
  'today', (${moment.today})::text,
  'practice', (
    select jsonb_build_object('week', w.week, 'providers', w.providers, 'closures', (
      select coalesce(jsonb_agg(c.value), '[]') from jsonb_each(w.closures) c))
    from read.insight_practices w where w.practice_id = ${scope.practiceId}),
  'booked', (
    select coalesce(jsonb_agg(jsonb_build_object('weekday', weekday, 'half', half, 'minutes', minutes)), '[]') from (
      select extract(isodow from local)::int4 as weekday,
        case when extract(hour from local) < 12 then 'morning' else 'afternoon' end as half, sum(minutes) as minutes
      from (
        select a.starts_at at time zone ${moment.zone} as local, a.minutes from read.insight_appointments a
        where ${inScope(scope, 'a')} and a.status <> 'cancelled'
          and a.starts_at >= (${moment.today} - ${observedDays}::int4)::timestamp at time zone ${moment.zone}
          and a.starts_at < (${moment.today})::timestamp at time zone ${moment.zone}) observed
      group by weekday, half) used),
  'decided', (
    select coalesce(jsonb_agg(jsonb_build_object('subject', d.subject, 'grounds', d.grounds)), '[]')
    from read.insight_decisions d
    where ${isInForceSql(scope.practiceId, moment)} and d.rule = 'empty-hours'))`

/** Finds what the number of open insights is computed from. `zone` is an IANA name, and `today` the local date. */
export function findOpenInsights(
  db: CommonQueryMethods,
  scope: RecordScope,
  { zone, today, now }: { zone: string; today: string; now: Date },
): Promise<OpenInsightsRow> {
  const moment = { now, zone: sql.fragment`zone`, today: sql.fragment`today` }
  return db.one(
    prepared(sql.type(OpenInsightsRow)`
      with clock as materialized (select ${zone}::text as zone, ${today}::date as today)
      select ${openCountSql(scope, moment)} as "openCount", ${workingTimeSql(scope, moment)} as "workingTime" from clock`),
  )
}

/** Finds everything that insights are derived from. Days are in the practice's time zone. */
export async function findInsightGrounds(
  db: CommonQueryMethods,
  scope: RecordScope,
  now: Date,
): Promise<InsightGrounds> {
  const timeZone = await findTimeZone(db, scope.practiceId)
  const moment = { now, zone: sql.fragment`zone`, today: sql.fragment`today` }
  return await db.one(sql.type(InsightGrounds)`
    with clock as materialized (
      select zone, (${now.toISOString()}::timestamptz at time zone zone)::date as today
      from (select ${timeZone}::text as zone) practice)
    select ${foundRecordsSql(scope, moment)} as found, ${workingTimeSql(scope, moment)} as "workingTime" from clock`)
}

const Counts = z.object({
  decidedIds: z.array(InsightId),
  done: z.number(),
  dismissed: z.number(),
  forms: z.number(),
})

/** Counts what was decided and analyzed since the first of the month, in the practice's time zone. */
export async function findInsightUsage(
  db: CommonQueryMethods,
  scope: RecordScope,
  now: Date,
  openIds: readonly string[],
): Promise<Omit<InsightUsage, 'model'>> {
  const timeZone = await findTimeZone(db, scope.practiceId)
  const { decidedIds, done, dismissed, forms } = await db.one(sql.type(Counts)`
    with month as materialized (
      select date_trunc('month', ${now.toISOString()}::timestamptz at time zone ${timeZone}) at time zone ${timeZone} as start)
    select coalesce(array_agg(d.insight_id), '{}') as "decidedIds",
      (count(*) filter (where d.kind = 'done'))::int4 as done,
      (count(*) filter (where d.kind = 'dismissed'))::int4 as dismissed,
      (select count(*)::int4 from read.insight_forms f cross join month
       where ${inScope(scope, 'f')} and f.analyzed_at >= month.start) as forms
    from month join read.insight_decisions d on d.practice_id = ${scope.practiceId} and d.decided_at >= month.start`)
  const judged = done + dismissed
  return {
    insightsGenerated: new Set([...openIds, ...decidedIds]).size,
    formsAnalyzed: forms,
    accuracy: judged < minDecisionsForAccuracy ? null : Math.round((done / judged) * 100),
  }
}
