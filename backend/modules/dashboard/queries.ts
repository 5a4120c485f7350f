import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import {
  CountedVisit,
  type countedVisits,
  type DashboardStats,
  type TrendPeriod,
  TrendPoint,
} from '#contracts/dashboard.ts'
import type { Request } from '#contracts/endpoint.ts'

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
})

const usd = (cents: number) => ({ cents, currency: 'USD' as const })

/** The practice's own day at this instant; UTC where no practice is known yet. */
const clock = (practiceId: string, now: Date) => sql.fragment`
  clock as materialized (
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date as today
    from (select coalesce((select timezone from read.dashboard_practices where practice_id = ${practiceId}), 'UTC')
          as zone) as place)`

type Fragment = ReturnType<typeof sql.fragment>

/** The instant at which a day begins in the practice. */
const begin = (day: Fragment) => sql.fragment`((${day})::timestamp at time zone zone)`

/** The four figures and what they are compared with, from one look at each table: rows of a range, counted by day. */
export async function findStats(db: CommonQueryMethods, practiceId: string, now: Date): Promise<DashboardStats> {
  const monthBefore = sql.fragment`(month - interval '1 month')::date`
  const until = begin(sql.fragment`today + 1`)
  const row = await db.one(sql.type(Stats)`
    with ${clock(practiceId, now)},
    here as materialized (
      select zone, today, date_trunc('month', today)::date as month, today - 6 as week from clock),
    visits as materialized (
      select (starts_at at time zone zone)::date as day, count(*) as count
      from here join read.dashboard_visits on practice_id = ${practiceId} and state <> 'cancelled'
        and starts_at >= ${begin(sql.fragment`week`)} and starts_at < ${until}
      group by 1),
    paid as materialized (
      select (completed_at at time zone zone)::date as day, sum(fee_cents) as cents
      from here join read.dashboard_visits on practice_id = ${practiceId}
        and completed_at >= ${begin(monthBefore)} and completed_at < ${until}
      group by 1),
    came as materialized (
      select (registered_at at time zone zone)::date as day, count(*) as count
      from here join read.dashboard_patients on practice_id = ${practiceId}
        and registered_at >= ${begin(sql.fragment`week`)} and registered_at < ${until}
      group by 1),
    there as materialized (
      select count(*) as count from read.dashboard_patients where practice_id = ${practiceId}),
    days as (
      select day::date, coalesce(visits.count, 0)::int4 as visits, coalesce(paid.cents, 0)::int4 as cents,
        (there.count - coalesce((select sum(count) from came where came.day > each.day), 0))::int4 as patients
      from here cross join there cross join generate_series(week, today, interval '1 day') as each (day)
        left join visits using (day) left join paid using (day))
    select today,
      (select visits from days where day = today) as "todaysAppointments",
      (select visits from days where day = today - 1) as "yesterdaysAppointments",
      (select count from there) as "totalPatients",
      (select coalesce(sum(count), 0) from came) as "newPatientsThisWeek",
      (select coalesce(sum(cents), 0) from paid where day >= month) as revenue,
      -- On the 31st it is compared with all of a shorter month, never with days of this one.
      (select coalesce(sum(cents), 0) from paid
       where day < least(${monthBefore} + extract(day from today)::int, month)) as "lastMonthsRevenue",
      (select array_agg(visits order by day) from days) as appointments,
      (select array_agg(patients order by day) from days) as patients,
      (select array_agg(cents order by day) from days) as revenues
    from here`)
  return {
    today: row.today,
    todaysAppointments: row.todaysAppointments,
    totalPatients: row.totalPatients,
    aiInsights: 0,
    revenue: usd(row.revenue),
    compared: {
      yesterdaysAppointments: row.yesterdaysAppointments,
      newPatientsThisWeek: row.newPatientsThisWeek,
      lastMonthsRevenue: usd(row.lastMonthsRevenue),
    },
    histories: { appointments: row.appointments, patients: row.patients, revenue: row.revenues },
  }
}

/** How long a period is, and how many days one point of it stands for. */
const periods: Record<TrendPeriod, { points: number; days: number }> = {
  '7days': { points: 7, days: 1 },
  '30days': { points: 30, days: 1 },
  '3months': { points: 13, days: 7 },
}

/** Visits by day or week up to the practice's today, and the sums of the period before. */
export async function findTrends(
  db: CommonQueryMethods,
  practiceId: string,
  period: TrendPeriod,
  now: Date,
): Promise<{ points: TrendPoint[]; before: Omit<TrendPoint, 'from' | 'to'> }> {
  const { points, days } = periods[period]
  const length = points * days
  const rows = await db.any(sql.type(TrendPoint)`
    with ${clock(practiceId, now)},
    counted as materialized (
      select (today - (starts_at at time zone zone)::date) / ${days}::int as ago,
        count(*) as scheduled,
        count(*) filter (where state = 'completed') as completed,
        count(*) filter (where state = 'cancelled') as cancelled
      from clock join read.dashboard_visits on practice_id = ${practiceId}
        and starts_at >= ${begin(sql.fragment`today + 1 - ${2 * length}::int`)}
        and starts_at < ${begin(sql.fragment`today + 1`)}
      group by 1)
    select today - ago * ${days}::int - ${days - 1}::int as "from", today - ago * ${days}::int as "to",
      coalesce(scheduled, 0) as scheduled, coalesce(completed, 0) as completed, coalesce(cancelled, 0) as cancelled
    from clock cross join generate_series(${2 * points - 1}::int, 0, -1) as span (ago) left join counted using (ago)
    order by "from"`)
  const sum = (of: 'scheduled' | 'completed' | 'cancelled') =>
    rows.slice(0, points).reduce((total, point) => total + point[of], 0)
  return {
    points: rows.slice(points),
    before: { scheduled: sum('scheduled'), completed: sum('completed'), cancelled: sum('cancelled') },
  }
}

/** The visits that a figure counts, on the practice's own days, newest first. */
export async function findCountedVisits(
  db: CommonQueryMethods,
  practiceId: string,
  { from, to, by, counted }: Request<typeof countedVisits>['query'],
  now: Date,
): Promise<readonly CountedVisit[]> {
  const at = by === 'start' ? sql.fragment`starts_at` : sql.fragment`completed_at`
  const state = {
    all: sql.fragment`true`,
    kept: sql.fragment`state <> 'cancelled'`,
    completed: sql.fragment`state = 'completed'`,
    cancelled: sql.fragment`state = 'cancelled'`,
  }[counted]
  return await db.any(sql.type(CountedVisit)`
    with ${clock(practiceId, now)}
    select v.appointment_id as id, v.patient_id as "patientId",
      case when p.patient_id is null then null
        else jsonb_build_object('firstName', p.first_name, 'lastName', p.last_name) end as patient,
      to_char(starts_at at time zone zone, 'YYYY-MM-DD') as "localDate",
      to_char(starts_at at time zone zone, 'HH24:MI') as "localTime",
      v.type, v.state,
      case when fee_cents is null then null else jsonb_build_object('cents', fee_cents, 'currency', 'USD') end as fee
    from clock join read.dashboard_visits v on v.practice_id = ${practiceId}
      and ${at} >= ${begin(sql.fragment`${from}::date`)} and ${at} < ${begin(sql.fragment`${to}::date + 1`)} and ${state}
    left join read.dashboard_patients p on p.patient_id = v.patient_id
    order by starts_at desc, v.appointment_id limit 1000`)
}
