import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { type DashboardStats, type TrendPeriod, TrendPoint } from '#contracts/dashboard.ts'

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

/** The four figures and what they are compared with, from one look at the tables. */
export async function findStats(db: CommonQueryMethods, practiceId: string, now: Date): Promise<DashboardStats> {
  const revenue = (from: Fragment, until: Fragment) => sql.fragment`
    (select coalesce(sum(fee_cents), 0) from read.dashboard_visits
     where practice_id = ${practiceId} and completed_at >= ${begin(from)} and completed_at < ${begin(until)})`
  const visits = (day: Fragment) => sql.fragment`
    (select count(*) from read.dashboard_visits
     where practice_id = ${practiceId} and state <> 'cancelled'
       and starts_at >= ${begin(day)} and starts_at < ${begin(sql.fragment`${day} + 1`)})`
  const month = sql.fragment`date_trunc('month', today)::date`
  const monthBefore = sql.fragment`(date_trunc('month', today) - interval '1 month')::date`
  // Never past the end of the month before: on the 31st it is compared with all of a shorter one.
  const sameDayBefore = sql.fragment`least(${monthBefore} + extract(day from today)::int, ${month})`
  const row = await db.one(sql.type(Stats)`
    with ${clock(practiceId, now)},
    week as (select today - ago as day, zone from clock, generate_series(6, 0, -1) as ago),
    came as (
      select day, count(patient_id) as patients
      from week left join read.dashboard_patients on practice_id = ${practiceId}
        and registered_at >= ${begin(sql.fragment`day`)} and registered_at < ${begin(sql.fragment`day + 1`)}
      group by day),
    all_patients as materialized (
      select count(*) as there from read.dashboard_patients where practice_id = ${practiceId})
    select today,
      ${visits(sql.fragment`today`)} as "todaysAppointments",
      ${visits(sql.fragment`today - 1`)} as "yesterdaysAppointments",
      (select there from all_patients) as "totalPatients",
      (select sum(patients)::int8 from came) as "newPatientsThisWeek",
      ${revenue(month, sql.fragment`today + 1`)} as revenue,
      ${revenue(monthBefore, sameDayBefore)} as "lastMonthsRevenue",
      (select array_agg(${visits(sql.fragment`day`)} order by day) from week) as appointments,
      (select array_agg(there - (select coalesce(sum(patients), 0)::int8 from came as later where later.day > week.day)
              order by day) from week, all_patients) as patients,
      (select array_agg(${revenue(sql.fragment`day`, sql.fragment`day + 1`)} order by day) from week) as revenues
    from clock`)
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

const Counted = z.object({ scheduled: Count, completed: Count, cancelled: Count })

/** Visits by day or week up to the practice's today, and the sums of the period before. */
export async function findTrends(
  db: CommonQueryMethods,
  practiceId: string,
  period: TrendPeriod,
  now: Date,
): Promise<{ points: TrendPoint[]; before: z.infer<typeof Counted> }> {
  const { points, days } = periods[period]
  const counts = sql.fragment`
    count(v.state) as scheduled,
    count(*) filter (where v.state = 'completed') as completed,
    count(*) filter (where v.state = 'cancelled') as cancelled`
  const rows = await db.any(sql.type(TrendPoint)`
    with ${clock(practiceId, now)},
    spans as (
      select today - ago * ${days}::int - ${days - 1}::int as "from", today - ago * ${days}::int as "to", zone
      from clock, generate_series(${points - 1}::int, 0, -1) as ago)
    select "from", "to", ${counts}
    from spans
    left join read.dashboard_visits v on v.practice_id = ${practiceId} and v.starts_at >= ${begin(sql.fragment`"from"`)} and v.starts_at < ${begin(sql.fragment`"to" + 1`)}
    group by "from", "to" order by "from"`)
  const before = await db.one(sql.type(Counted)`
    with ${clock(practiceId, now)}
    select ${counts}
    from clock
    left join read.dashboard_visits v on v.practice_id = ${practiceId}
      and v.starts_at >= ${begin(sql.fragment`today + 1 - ${2 * points * days}::int`)}
      and v.starts_at < ${begin(sql.fragment`today + 1 - ${points * days}::int`)}`)
  return { points: [...rows], before }
}
