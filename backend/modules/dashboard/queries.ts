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

const toUsd = (cents: number) => ({ cents, currency: 'USD' as const })

/** The practice's own day at this instant; UTC where no practice is known yet. */
const clockSql = (practiceId: string, now: Date) => sql.fragment`
  clock as materialized (
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date as today
    from (select coalesce((select timezone from read.dashboard_practices where practice_id = ${practiceId}), 'UTC')
          as zone) as place)`

type Fragment = ReturnType<typeof sql.fragment>

/** What the clocks of the practice show as the midnight a day begins with; the later one where they show it twice. */
const midnightSql = (day: Fragment) => sql.fragment`((${day})::timestamp at time zone zone)`

/**
 * The first instant of a day in the practice. Where clocks go back over midnight, as in Havana, they show its first hour
 * twice.
 */
const startOfDaySql = (day: Fragment) => sql.fragment`(
  case when ((${midnightSql(day)} - interval '1 hour') at time zone zone)::date = (${day})::date
    then ${midnightSql(day)} - interval '1 hour' else ${midnightSql(day)} end)`

/**
 * The four figures and what they are compared with. Days are ranges of instants, each counted within an index: to ask of
 * every appointment which day it was in the practice costs ten times as much as counting it.
 */
export async function findStats(db: CommonQueryMethods, practiceId: string, now: Date): Promise<DashboardStats> {
  const monthBefore = sql.fragment`(month - interval '1 month')::date`
  const paid = (from: Fragment, until: Fragment) => sql.fragment`(
    select coalesce(sum(fee_cents), 0) from read.dashboard_appointments
    where practice_id = ${practiceId} and completed_at >= ${from} and completed_at < ${until})`
  const row = await db.one(sql.type(Stats)`
    with ${clockSql(practiceId, now)},
    here as materialized (select zone, today, date_trunc('month', today)::date as month from clock),
    bounds as materialized (
      select today, ${startOfDaySql(sql.fragment`today + 1`)} as until, ${startOfDaySql(sql.fragment`month`)} as month_from,
        ${startOfDaySql(monthBefore)} as last_from,
        -- On the 31st it is compared with all of a shorter month, never with days of this one.
        ${startOfDaySql(sql.fragment`least(${monthBefore} + extract(day from today)::int, month)`)} as last_until
      from here),
    week as materialized (
      select day, ${startOfDaySql(sql.fragment`day`)} as lower, ${startOfDaySql(sql.fragment`day + 1`)} as upper
      from (select zone, today - ago as day from here cross join generate_series(6, 0, -1) as span (ago)) as ago),
    counted as materialized (
      select day,
        (select count(*) from read.dashboard_appointments
         where practice_id = ${practiceId} and state <> 'cancelled' and starts_at >= lower and starts_at < upper)::int4
          as appointments,
        (select count(*) from read.dashboard_patients
         where practice_id = ${practiceId} and registered_at >= lower and registered_at < upper)::int4 as came,
        ${paid(sql.fragment`lower`, sql.fragment`upper`)}::int4 as cents
      from week),
    there as materialized (
      select coalesce((select patients from read.dashboard_totals where practice_id = ${practiceId}), 0) as patients),
    days as materialized (
      -- The totals may be one patient behind for a moment.
      select day, appointments, cents, greatest(0,
        there.patients - coalesce(sum(came) over (order by day desc rows between unbounded preceding and 1 preceding), 0)
      )::int4 as patients
      from counted cross join there)
    select today,
      (select appointments from days where day = today) as "todaysAppointments",
      (select appointments from days where day = today - 1) as "yesterdaysAppointments",
      (select patients from there) as "totalPatients",
      (select sum(came) from counted) as "newPatientsThisWeek",
      ${paid(sql.fragment`month_from`, sql.fragment`until`)} as revenue,
      ${paid(sql.fragment`last_from`, sql.fragment`last_until`)} as "lastMonthsRevenue",
      (select array_agg(appointments order by day) from days) as appointments,
      (select array_agg(patients order by day) from days) as patients,
      (select array_agg(cents order by day) from days) as revenues
    from bounds`)
  return {
    today: row.today,
    todaysAppointments: row.todaysAppointments,
    totalPatients: row.totalPatients,
    aiInsights: 0,
    revenue: toUsd(row.revenue),
    compared: {
      yesterdaysAppointments: row.yesterdaysAppointments,
      newPatientsThisWeek: row.newPatientsThisWeek,
      lastMonthsRevenue: toUsd(row.lastMonthsRevenue),
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

/** Appointments by day or week up to the practice's today, and the sums of the period before. */
export async function findTrends(
  db: CommonQueryMethods,
  practiceId: string,
  period: TrendPeriod,
  now: Date,
): Promise<{ points: TrendPoint[]; before: Omit<TrendPoint, 'from' | 'to'> }> {
  const { points, days } = periods[period]
  const rows = await db.any(sql.type(TrendPoint)`
    with ${clockSql(practiceId, now)},
    spans as materialized (
      select first, last, ${startOfDaySql(sql.fragment`first`)} as lower, ${startOfDaySql(sql.fragment`last + 1`)} as upper
      from (select zone, today - ago * ${days}::int - ${days - 1}::int as first, today - ago * ${days}::int as last
            from clock cross join generate_series(${2 * points - 1}::int, 0, -1) as span (ago)) as span)
    select first as "from", last as "to", scheduled, completed, cancelled
    from spans cross join lateral (
      select count(*) as scheduled,
        count(*) filter (where state = 'completed') as completed,
        count(*) filter (where state = 'cancelled') as cancelled
      from read.dashboard_appointments
      where practice_id = ${practiceId} and starts_at >= lower and starts_at < upper) as counted
    order by first`)
  const sum = (of: 'scheduled' | 'completed' | 'cancelled') =>
    rows.slice(0, points).reduce((total, point) => total + point[of], 0)
  return {
    points: rows.slice(points),
    before: { scheduled: sum('scheduled'), completed: sum('completed'), cancelled: sum('cancelled') },
  }
}

/** The appointments that a figure counts, on the practice's own days, newest first. */
export async function findCountedAppointments(
  db: CommonQueryMethods,
  practiceId: string,
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
    with ${clockSql(practiceId, now)}
    select v.appointment_id as id, v.patient_id as "patientId",
      case when p.patient_id is null then null
        else jsonb_build_object('firstName', p.first_name, 'lastName', p.last_name) end as patient,
      to_char(starts_at at time zone zone, 'YYYY-MM-DD') as "localDate",
      to_char(starts_at at time zone zone, 'HH24:MI') as "localTime",
      v.type, v.state,
      case when fee_cents is null then null else jsonb_build_object('cents', fee_cents, 'currency', 'USD') end as fee
    from clock join read.dashboard_appointments v on v.practice_id = ${practiceId}
      and ${at} >= ${startOfDaySql(sql.fragment`${from}::date`)} and ${at} < ${startOfDaySql(sql.fragment`${to}::date + 1`)} and ${state}
    left join read.dashboard_patients p on p.patient_id = v.patient_id
    order by starts_at desc, v.appointment_id limit 1000`)
}
