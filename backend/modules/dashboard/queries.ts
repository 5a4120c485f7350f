import type { CommonQueryMethods } from 'slonik'
import type {
  CountedAppointment,
  DashboardStats,
  listCountedAppointments,
  TrendPeriod,
  TrendPoint,
} from '#contracts/dashboard.ts'
import type { Request } from '#contracts/endpoint.ts'
import { addDays, getStartOfDay, toLocalDate, toLocalDateTime } from '#contracts/values/calendar.ts'
import { shareQueries } from '#database/group-calls.ts'
import * as analytics from '#modules/analytics/public.ts'
import { countOpenInsights } from '#modules/insights/public.ts'
import { dayBounds } from '#modules/kit/local-time.ts'
import { countListedPatients, findPatientNames } from '#modules/patients/public.ts'
import type { RecordScope } from '#modules/samples/public.ts'

/** The present, and the IANA time zone in which its day begins. */
type Moment = { now: Date; zone: string }

const toUsd = (cents: number) => ({ cents, currency: 'USD' as const })
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/** Returns the days before the first of the month of a date, and the part of last month that its days are compared with. */
function findMonths(today: string) {
  const month = `${today.slice(0, 8)}01`
  const lastMonth = `${addDays(month, -1).slice(0, 8)}01`
  const sameDay = addDays(lastMonth, Number(today.slice(8)))
  // On the 31st, the comparison covers all of a shorter month and no day of the current one.
  return { month, lastMonth, lastMonthUntil: sameDay < month ? sameDay : month }
}

type Scoped = { scope: RecordScope; moment: Moment }

/** Calls for one practice and day are one query, as of the latest of them: what a user did before asking counts. */
const perDay = <Input extends Scoped>() => ({
  toName: ({ moment: { now, zone }, ...input }: Input) =>
    JSON.stringify([input, zone, toLocalDate(now.toISOString(), zone)]),
  merge: (calls: readonly Input[], first: Input): Input =>
    calls.reduce((latest, call) => (call.moment.now > latest.moment.now ? call : latest), first),
})

/** Returns the figures with their comparisons. They are those of the analytics, whose definitions count here too. */
export const findStats = shareQueries(computeStats, perDay())

async function computeStats(db: CommonQueryMethods, { scope, moment: { now, zone } }: Scoped): Promise<DashboardStats> {
  const today = toLocalDate(now.toISOString(), zone)
  const toSpan = (first: string, end: string) => ({ from: getStartOfDay(first, zone), until: getStartOfDay(end, zone) })
  const days = Array.from({ length: 7 }, (_, index) => addDays(today, index - 6)).map((day) =>
    toSpan(day, addDays(day, 1)),
  )
  const { month, lastMonth, lastMonthUntil } = findMonths(today)
  const months = [toSpan(month, addDays(today, 1)), toSpan(lastMonth, lastMonthUntil)]
  const [counts, registered, totalPatients, aiInsights] = await Promise.all([
    analytics.countAppointments(db, scope, [...days, ...months], now),
    analytics.countRegistrations(db, scope, days),
    countListedPatients(db, scope),
    countOpenInsights(db, scope, { zone, today, now }),
  ])
  const week = counts.slice(0, days.length)
  const [revenue = 0, lastMonthsRevenue = 0] = counts.slice(days.length).map(({ revenueCents }) => revenueCents)
  const kept = week.map(({ scheduled, cancelled }) => scheduled - cancelled)
  return {
    today,
    todaysAppointments: kept.at(-1) ?? 0,
    totalPatients,
    aiInsights,
    revenue: revenue / 100,
    revenueCents: revenue,
    compared: {
      yesterdaysAppointments: kept.at(-2) ?? 0,
      newPatientsThisWeek: sum(registered),
      lastMonthsRevenue: toUsd(lastMonthsRevenue),
    },
    histories: {
      appointments: kept,
      // The total is a separate read model and may briefly lag behind.
      patients: registered.map((_, index) => Math.max(0, totalPatients - sum(registered.slice(index + 1)))),
      revenue: week.map(({ revenueCents }) => revenueCents),
    },
  }
}

/** The number of points of each period, and the days per point. */
const periods: Record<TrendPeriod, { points: number; days: number }> = {
  '7days': { points: 7, days: 1 },
  '30days': { points: 30, days: 1 },
  '3months': { points: 13, days: 7 },
}

type TrendsRequest = Scoped & { period: TrendPeriod }

/** Returns appointments per day or week up to today, and the totals of the previous period. */
export const findTrends = shareQueries(computeTrends, perDay<TrendsRequest>())

async function computeTrends(
  db: CommonQueryMethods,
  { scope, period, moment: { now, zone } }: TrendsRequest,
): Promise<{ points: TrendPoint[]; before: Omit<TrendPoint, 'from' | 'to'> }> {
  const { points, days } = periods[period]
  const today = toLocalDate(now.toISOString(), zone)
  const parts = Array.from({ length: 2 * points }, (_, index) => {
    const to = addDays(today, (index + 1 - 2 * points) * days)
    return { from: addDays(to, 1 - days), to }
  })
  const bounds = parts.map(({ from, to }) => ({
    from: getStartOfDay(from, zone),
    until: getStartOfDay(addDays(to, 1), zone),
  }))
  const counts = await analytics.countAppointments(db, scope, bounds, now)
  const all = parts.map((part, index) => {
    const { scheduled = 0, completed = 0, cancelled = 0 } = counts[index] ?? {}
    return { ...part, scheduled, completed, cancelled }
  })
  const before = all.slice(0, points)
  return {
    points: all.slice(points),
    before: {
      scheduled: sum(before.map(({ scheduled }) => scheduled)),
      completed: sum(before.map(({ completed }) => completed)),
      cancelled: sum(before.map(({ cancelled }) => cancelled)),
    },
  }
}

/** Returns the appointments behind a figure, newest first. */
export async function findCountedAppointments(
  db: CommonQueryMethods,
  scope: RecordScope,
  { from, to, by, counted }: Request<typeof listCountedAppointments>['query'],
  zone: string,
): Promise<CountedAppointment[]> {
  const span = { from: dayBounds(from, zone).from, until: dayBounds(to, zone).until }
  const found = await analytics.findAppointments(db, scope, span, { by, statuses: counted })
  const patients = await findPatientNames(db, [...new Set(found.map(({ patientId }) => patientId))])
  const names = new Map(patients.map(({ id, firstName, lastName }) => [id, { firstName, lastName }]))
  return found.flatMap(({ id, patientId, startsAt, type, status, feeCents }) => {
    // Appointments of an erased patient have none.
    if (type === null) return []
    const { date, time } = toLocalDateTime(startsAt, zone)
    return [
      {
        id,
        patientId,
        patient: names.get(patientId) ?? null,
        localDate: date,
        localTime: time,
        type,
        state: status === 'completed' || status === 'cancelled' ? status : ('open' as const),
        fee: feeCents === null ? null : toUsd(feeCents),
      },
    ]
  })
}
