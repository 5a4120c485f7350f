import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { FigureKey } from './values/analytics.ts'
import { AppointmentType, CalendarDay } from './values/appointments.ts'
import { PatientId, ProviderId } from './values/ids.ts'
import { formatCsvCell } from './values/csv.ts'

const count = z.number().int()
const maxDays = 3_660
const dayMs = 86_400_000

/** A period in the practice's time zone, both days included, and what it is limited to. */
const period = {
  from: CalendarDay,
  to: CalendarDay,
  provider: ProviderId.optional(),
  type: AppointmentType.optional(),
}
const isOrdered = ({ from, to }: { from: string; to: string }) => from <= to
const isShort = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / dayMs < maxDays
const inOrder = { path: ['to'], message: 'Must not be before the first day' }
const notTooLong = { path: ['to'], message: 'Please choose at most ten years' }

/**
 * A figure with its value in the period and in the period before: percent with one decimal, null without anything to divide by.
 * `count` is the number of records behind it.
 */
export const AnalyticsFigure = z.object({
  key: FigureKey,
  label: z.string(),
  unit: z.enum(['percent', 'change', 'score']),
  value: z.number().nullable(),
  previous: z.number().nullable(),
  count,
  formula: z.string(),
})
export type AnalyticsFigure = z.infer<typeof AnalyticsFigure>

/** The appointments of a part of the period, and its revenue beside that of the period before. */
export const AnalyticsPoint = z.object({
  from: z.string(),
  to: z.string(),
  scheduled: count,
  completed: count,
  cancelled: count,
  revenueCents: count.nullable(),
  revenueBeforeCents: count.nullable(),
})
export type AnalyticsPoint = z.infer<typeof AnalyticsPoint>

/** The figures of a practice in a period. Money is null for callers without the permission `billing`. */
export const Analytics = z.object({
  period: z.object({ from: z.string(), to: z.string(), days: count }),
  before: z.object({ from: z.string(), to: z.string() }),
  figures: z.array(AnalyticsFigure),
  /** The mean of the scored figures that have data. */
  score: z.number().nullable(),
  revenueCents: count.nullable(),
  revenueBeforeCents: count.nullable(),
  points: z.array(AnalyticsPoint),
})
export type Analytics = z.infer<typeof Analytics>

const access = { permission: 'scheduling' } as const
const query = z.object(period).refine(isOrdered, inOrder).refine(isShort, notTooLong)

/** Computes the figures of a period beside the period of the same length before it. */
export const getAnalytics = endpoint({
  method: 'GET',
  path: '/api/analytics',
  access,
  query,
  reply: Analytics,
  withhold: (analytics: Analytics, may): Analytics =>
    may('billing')
      ? analytics
      : {
          ...analytics,
          revenueCents: null,
          revenueBeforeCents: null,
          figures: analytics.figures.filter(({ key }) => key !== 'revenue-growth'),
          points: analytics.points.map((point) => ({ ...point, revenueCents: null, revenueBeforeCents: null })),
        },
})

const Share = z.object({ key: z.string(), label: z.string().nullable(), count })

/** Hours of a day in which appointments begin. `weekday`: 1 is Monday; `hour` is local to the practice. */
const BusyHour = z.object({ weekday: z.number().int().min(1).max(7), hour: z.number().int().min(0).max(23), count })

/**
 * The parts of the practice's work in a period: by type, provider, insurer, age and gender of the patients, new and returning ones,
 * by hour, and the no-shows by weekday and by the days between booking and appointment.
 */
export const AnalyticsBreakdowns = z.object({
  types: z.array(Share),
  providers: z.array(Share),
  /** Fees by type in cents; null for callers without the permission `billing`. */
  revenue: z.array(Share).nullable(),
  ages: z.array(Share),
  noShows: z.array(Share),
  /** `same-day`, `1-6`, `7-29` and `30-over` days between the booking and the appointment that was missed. */
  leadTimes: z.array(Share),
  genders: z.array(Share),
  /** `new`: the first appointment of a patient that was not cancelled; `returning`: a further one. */
  returning: z.array(Share),
  /** The insurer of the patient's latest verification; `none` without one. Null for callers without the permission `insurance`. */
  insurers: z.array(Share).nullable(),
  busyHours: z.array(BusyHour),
  analyses: z.array(Share),
})
export type AnalyticsBreakdowns = z.infer<typeof AnalyticsBreakdowns>

/** Divides the work of a period; a part of the plans with Advanced Analytics. */
export const getAnalyticsBreakdowns = endpoint({
  method: 'GET',
  path: '/api/analytics/breakdowns',
  access: { permission: 'scheduling', feature: 'advanced-analytics' },
  query,
  reply: AnalyticsBreakdowns,
  withhold: (all: AnalyticsBreakdowns, may): AnalyticsBreakdowns => ({
    ...all,
    revenue: may('billing') ? all.revenue : null,
    insurers: may('insurance') ? all.insurers : null,
  }),
})

/** Exports the figures of a period as CSV, the same that the screen shows. */
export const exportAnalytics = endpoint({
  method: 'GET',
  path: '/api/analytics/export',
  access: { permission: 'billing' },
  query: z
    .object({ ...period, format: z.literal('csv').default('csv') })
    .refine(isOrdered, inOrder)
    .refine(isShort, notTooLong),
  reply: z.string(),
  contentType: 'text/csv; charset=utf-8',
})

/** A record behind a figure. `at` is the instant by which it counts. */
export const AnalyticsRecord = z.object({
  id: z.string(),
  kind: z.enum(['patient', 'appointment', 'form', 'verification']),
  patientId: PatientId,
  /** Null for a removed patient. */
  patientName: z.string().nullable(),
  at: z.string(),
  status: z.string(),
})
export type AnalyticsRecord = z.infer<typeof AnalyticsRecord>

/** Lists the records behind a figure, newest first, at most a thousand; `X-Total-Count` is the figure's `count`. */
export const listAnalyticsRecords = endpoint({
  method: 'GET',
  path: '/api/analytics/:key/records',
  access,
  params: z.object({ key: FigureKey }),
  query,
  reply: z.array(AnalyticsRecord),
})

/** Returns the file of an export: a line for each figure. */
export function formatAnalyticsCsv({ period: { from, to }, figures }: Analytics): string {
  const lines = [
    ['figure', 'value', 'previous', 'records', 'from', 'to', 'formula'],
    ...figures.map(({ label, value, previous, count: records, formula }) => [
      label,
      String(value ?? ''),
      String(previous ?? ''),
      String(records),
      from,
      to,
      formula,
    ]),
  ]
  return `\u{FEFF}${lines.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('')}`
}
