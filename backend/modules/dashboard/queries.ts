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
  clock as (
    select zone, (${now.toISOString()}::timestamptz at time zone zone)::date as today
    from (select coalesce((select timezone from read.dashboard_practices where practice_id = ${practiceId}), 'UTC')
          as zone) as place)`

/** The four figures and what they are compared with, from one look at the tables. */
export async function findStats(db: CommonQueryMethods, practiceId: string, now: Date): Promise<DashboardStats> {
  const at = (day: ReturnType<typeof sql.fragment>) => sql.fragment`((${day})::timestamp at time zone zone)`
  const revenue = (from: ReturnType<typeof sql.fragment>, until: ReturnType<typeof sql.fragment>) => sql.fragment`
    (select coalesce(sum(fee_cents), 0) from read.dashboard_visits
     where practice_id = ${practiceId} and completed_at >= ${at(from)} and completed_at < ${at(until)})`
  const visits = (day: ReturnType<typeof sql.fragment>) => sql.fragment`
    (select count(*) from read.dashboard_visits
     where practice_id = ${practiceId} and day = ${day} and state <> 'cancelled')`
  const patients = sql.fragment`select count(*) from read.dashboard_patients where practice_id = ${practiceId}`
  const month = sql.fragment`date_trunc('month', today)::date`
  const monthBefore = sql.fragment`(date_trunc('month', today) - interval '1 month')::date`
  const tomorrow = sql.fragment`today + 1`
  // Never past the end of the month before: on the 31st it is compared with all of a shorter one.
  const sameDayBefore = sql.fragment`least(${monthBefore} + extract(day from today)::int, ${month})`
  const row = await db.one(sql.type(Stats)`
    with ${clock(practiceId, now)},
    week as (select today - ago as day from clock, generate_series(6, 0, -1) as ago)
    select today,
      ${visits(sql.fragment`today`)} as "todaysAppointments",
      ${visits(sql.fragment`today - 1`)} as "yesterdaysAppointments",
      (${patients}) as "totalPatients",
      (${patients} and registered_at >= ${at(sql.fragment`today - 6`)}) as "newPatientsThisWeek",
      ${revenue(month, tomorrow)} as revenue,
      ${revenue(monthBefore, sameDayBefore)} as "lastMonthsRevenue",
      (select array_agg(${visits(sql.fragment`day`)} order by day) from week) as appointments,
      (select array_agg((${patients} and registered_at < ${at(sql.fragment`day + 1`)}) order by day) from week) as patients,
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
      select today - ago * ${days}::int - ${days - 1}::int as "from", today - ago * ${days}::int as "to"
      from clock, generate_series(${points - 1}::int, 0, -1) as ago)
    select "from", "to", ${counts}
    from spans
    left join read.dashboard_visits v on v.practice_id = ${practiceId} and v.day between "from" and "to"
    group by "from", "to" order by "from"`)
  const before = await db.one(sql.type(Counted)`
    with ${clock(practiceId, now)}
    select ${counts}
    from clock
    left join read.dashboard_visits v on v.practice_id = ${practiceId}
      and v.day > today - ${2 * points * days}::int and v.day <= today - ${points * days}::int`)
  return { points: [...rows], before }
}
