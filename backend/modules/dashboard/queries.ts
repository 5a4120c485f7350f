import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import {
  CountedAppointment,
  type listCountedAppointments,
  type DashboardStats,
  type TrendPeriod,
  TrendPoint,
} from '#contracts/dashboard.ts'
import type { Request } from '#contracts/endpoint.ts'
import { prepared } from '#database/prepared.ts'
import { countOpenInsights, OpenInsightsRow, openInsightsSql } from '#modules/insights/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'

const Count = z.number()
const Stats = z.object({
  today: z.string(),
  todaysAppointments: Count,
  yesterdaysAppointments: Count,
  totalPatients: Count,
  newPatientsThisWeek: Count,
  revenue: Count,
  lastMonthsRevenue: Count,
  appointments: z.array(Count),
  patients: z.array(Count),
  revenues: z.array(Count),
  insights: OpenInsightsRow,
})

const toUsd = (cents: number) => ({ cents, currency: 'USD' as const })

/** Computes the current date in the practice's time zone; UTC when the practice is not in the read model yet. */
const clockSql = (practiceId: string, now: Date) => sql.fragment`
  clock as materialized (
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date as today
    from (select coalesce((select timezone from read.dashboard_practices where practice_id = ${practiceId}), 'UTC')
          as zone) as practice)`

type Fragment = ReturnType<typeof sql.fragment>

/** Midnight at the start of a day in the practice's time zone; the later one where clocks show it twice. */
const midnightSql = (day: Fragment) => sql.fragment`((${day})::timestamp at time zone zone)`

/**
 * The first instant of a day in the practice's time zone. Where daylight saving ends at midnight, as in Havana, the first
 * hour of the day occurs twice.
 */
const startOfDaySql = (day: Fragment) => sql.fragment`(
  case when ((${midnightSql(day)} - interval '1 hour') at time zone zone)::date = (${day})::date
    then ${midnightSql(day)} - interval '1 hour' else ${midnightSql(day)} end)`

/**
 * Returns the figures with their comparisons. Days are converted to ranges of instants and counted by index:
 * converting every appointment to a local date costs ten times as much as counting it.
 */
export async function findStats(db: CommonQueryMethods, scope: RecordScope, now: Date): Promise<DashboardStats> {
  const { practiceId, includeSamples } = scope
  const monthBefore = sql.fragment`(month - interval '1 month')::date`
  const revenue = (from: Fragment, until: Fragment) => sql.fragment`(
    select coalesce(sum(fee_cents), 0) from read.dashboard_appointments a
    where ${inScope(scope, 'a')} and completed_at >= ${from} and completed_at < ${until})`
  const moment = { now, zone: sql.fragment`zone`, today: sql.fragment`today` }
  const query = sql.type(Stats)`
    with ${clockSql(practiceId, now)},
    local as materialized (select zone, today, date_trunc('month', today)::date as month from clock),
    bounds as materialized (
      select zone, today, ${startOfDaySql(sql.fragment`today + 1`)} as until, ${startOfDaySql(sql.fragment`month`)} as month_from,
        ${startOfDaySql(monthBefore)} as last_month_from,
        -- On the 31st, the comparison covers all of a shorter month and no day of the current one.
        ${startOfDaySql(sql.fragment`least(${monthBefore} + extract(day from today)::int, month)`)} as last_month_until
      from local),
    week as materialized (
      select day, ${startOfDaySql(sql.fragment`day`)} as lower, ${startOfDaySql(sql.fragment`day + 1`)} as upper
      from (select zone, today - ago as day from local cross join generate_series(6, 0, -1) as span (ago)) as days),
    counted as materialized (
      select day,
        (select count(*) from read.dashboard_appointments a
         where ${inScope(scope, 'a')} and state <> 'cancelled' and starts_at >= lower and starts_at < upper)::int4
          as appointments,
        (select count(*) from read.dashboard_patients p
         where ${inScope(scope, 'p')} and registered_at >= lower and registered_at < upper)::int4 as registered,
        ${revenue(sql.fragment`lower`, sql.fragment`upper`)}::int4 as cents
      from week),
    totals as materialized (
      select coalesce((
        select patients + case when ${includeSamples} then cardinality(sample_ids) else 0 end
        from read.dashboard_totals where practice_id = ${practiceId}), 0) as patients),
    days as materialized (
      -- The totals are a separate read model and may briefly lag behind.
      select day, appointments, cents, greatest(0,
        totals.patients - coalesce(sum(registered) over (order by day desc rows between unbounded preceding and 1 preceding), 0)
      )::int4 as patients
      from counted cross join totals)
    select today,
      (select appointments from days where day = today) as "todaysAppointments",
      (select appointments from days where day = today - 1) as "yesterdaysAppointments",
      (select patients from totals) as "totalPatients",
      (select sum(registered) from counted) as "newPatientsThisWeek",
      ${revenue(sql.fragment`month_from`, sql.fragment`until`)} as revenue,
      ${revenue(sql.fragment`last_month_from`, sql.fragment`last_month_until`)} as "lastMonthsRevenue",
      (select array_agg(appointments order by day) from days) as appointments,
      (select array_agg(patients order by day) from days) as patients,
      (select array_agg(cents order by day) from days) as revenues,
      ${openInsightsSql(scope, moment)} as insights
    from bounds`
  const row = await db.one(prepared(query))
  return {
    today: row.today,
    todaysAppointments: row.todaysAppointments,
    totalPatients: row.totalPatients,
    aiInsights: countOpenInsights(row.insights),
    revenue: row.revenue / 100,
    revenueCents: row.revenue,
    compared: {
      yesterdaysAppointments: row.yesterdaysAppointments,
      newPatientsThisWeek: row.newPatientsThisWeek,
      lastMonthsRevenue: toUsd(row.lastMonthsRevenue),
    },
    histories: { appointments: row.appointments, patients: row.patients, revenue: row.revenues },
  }
}

/** The number of points of each period, and the days per point. */
const periods: Record<TrendPeriod, { points: number; days: number }> = {
  '7days': { points: 7, days: 1 },
  '30days': { points: 30, days: 1 },
  '3months': { points: 13, days: 7 },
}

/** Returns appointments per day or week up to today, and the totals of the previous period. */
export async function findTrends(
  db: CommonQueryMethods,
  scope: RecordScope,
  period: TrendPeriod,
  now: Date,
): Promise<{ points: TrendPoint[]; before: Omit<TrendPoint, 'from' | 'to'> }> {
  const { points, days } = periods[period]
  const query = sql.type(TrendPoint)`
    with ${clockSql(scope.practiceId, now)},
    spans as materialized (
      select first, last, ${startOfDaySql(sql.fragment`first`)} as lower, ${startOfDaySql(sql.fragment`last + 1`)} as upper
      from (select zone, today - ago * ${days}::int - ${days - 1}::int as first, today - ago * ${days}::int as last
            from clock cross join generate_series(${2 * points - 1}::int, 0, -1) as span (ago)) as span)
    select first as "from", last as "to", scheduled, completed, cancelled
    from spans cross join lateral (
      select count(*) as scheduled,
        count(*) filter (where state = 'completed') as completed,
        count(*) filter (where state = 'cancelled') as cancelled
      from read.dashboard_appointments a
      where ${inScope(scope, 'a')} and starts_at >= lower and starts_at < upper) as counted
    order by first`
  const rows = await db.any(prepared(query))
  const sumBefore = (field: 'scheduled' | 'completed' | 'cancelled') =>
    rows.slice(0, points).reduce((total, point) => total + point[field], 0)
  return {
    points: rows.slice(points),
    before: { scheduled: sumBefore('scheduled'), completed: sumBefore('completed'), cancelled: sumBefore('cancelled') },
  }
}

/** Returns the appointments behind a figure, newest first. */
export async function findCountedAppointments(
  db: CommonQueryMethods,
  scope: RecordScope,
  { from, to, by, counted }: Request<typeof listCountedAppointments>['query'],
  now: Date,
): Promise<readonly CountedAppointment[]> {
  const at = by === 'start' ? sql.fragment`starts_at` : sql.fragment`completed_at`
  const state = {
    all: sql.fragment`true`,
    kept: sql.fragment`state <> 'cancelled'`,
    completed: sql.fragment`state = 'completed'`,
    cancelled: sql.fragment`state = 'cancelled'`,
  }[counted]
  return await db.any(sql.type(CountedAppointment)`
    with ${clockSql(scope.practiceId, now)}
    select a.appointment_id as id, a.patient_id as "patientId",
      case when p.patient_id is null then null
        else jsonb_build_object('firstName', p.first_name, 'lastName', p.last_name) end as patient,
      to_char(starts_at at time zone zone, 'YYYY-MM-DD') as "localDate",
      to_char(starts_at at time zone zone, 'HH24:MI') as "localTime",
      a.type, a.state,
      case when fee_cents is null then null else jsonb_build_object('cents', fee_cents, 'currency', 'USD') end as fee
    from clock join read.dashboard_appointments a on ${inScope(scope, 'a')}
      and ${at} >= ${startOfDaySql(sql.fragment`${from}::date`)} and ${at} < ${startOfDaySql(sql.fragment`${to}::date + 1`)} and ${state}
    left join read.dashboard_patients p on p.patient_id = a.patient_id
    order by starts_at desc, a.appointment_id limit 1000`)
}

/** Sums the fees of the appointments that were completed between two ISO instants, in cents. */
export const sumRevenue = (db: CommonQueryMethods, scope: RecordScope, from: string, until: string): Promise<number> =>
  db.oneFirst(sql.type(z.object({ cents: Count }))`
    select coalesce(sum(fee_cents), 0)::int8 as cents from read.dashboard_appointments a
    where ${inScope(scope, 'a')} and completed_at >= ${from} and completed_at < ${until}`)

/** Counts the patients who were registered between two ISO instants. */
export const countRegistrations = (
  db: CommonQueryMethods,
  scope: RecordScope,
  from: string,
  until: string,
): Promise<number> =>
  db.oneFirst(sql.type(z.object({ patients: Count }))`
    select count(*)::int4 as patients from read.dashboard_patients p
    where ${inScope(scope, 'p')} and registered_at >= ${from} and registered_at < ${until}`)
