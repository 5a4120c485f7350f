import type { Analytics, AnalyticsBreakdowns, AnalyticsFigure } from '#contracts/analytics.ts'
import { type FigureKey, figureDefinitions, scoredFigures } from '#contracts/values/analytics.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatCount, formatNumber } from '#web/ui/format.ts'
import { describePoints, formatPoint } from './analytics-period.ts'

/** The four figures of the cards, in their order. */
export const cardKeys = ['patient-growth', 'appointment-rate', 'revenue-growth', 'satisfaction'] as const
export type CardKey = (typeof cardKeys)[number]

/** A figure as a card shows it; `value` is null without enough data. `openLabel` opens its records. */
export type FigureCardModel = {
  key: CardKey
  label: string
  value: string | null
  note: string | null
  direction: 'up' | 'down' | 'none'
  openLabel: string | null
}

/** A part of a whole, or a mark of 100: `part` is the length of its bar in percent. */
export type ShareModel = { label: string; part: number; shown: string }

/** A panel of shares, empty without data. */
export type SharesModel = { title: string; shares: readonly ShareModel[] }

type ScoreTone = 'success' | 'warning' | 'error'

/** Contents of the screen, of a practice or of the demo. */
export type AnalyticsModel = {
  cards: readonly FigureCardModel[]
  score: { value: string; label: string; tone: ScoreTone } | null
  performance: readonly ShareModel[]
  missing: readonly string[]
  points: readonly { label: string; scheduled: number; completed: number; cancelled: number }[]
  /** Dollars, beside the period before; null for users who may not see money. */
  revenue: readonly { label: string; now: number; before: number }[] | null
  pointNote: string
}

const nouns: Readonly<Record<(typeof figureDefinitions)[FigureKey]['records'], string>> = {
  patients: 'patient',
  appointments: 'appointment',
  forms: 'form',
  verifications: 'verification',
  answers: 'answer',
}

const withSign = (value: number) => (value > 0 ? `+${formatNumber(value)}` : formatNumber(value))

/** Formats the value of a figure: "+8.2%", "92.4%", "4.8/5"; null without one. */
export function formatFigure(value: number | null, unit: AnalyticsFigure['unit']): string | null {
  if (value === null) return null
  if (unit === 'score') return `${(value / 20).toFixed(1)}/5`
  return `${unit === 'change' ? withSign(value) : formatNumber(value)}%`
}

/** Formats cents as whole dollars: "$25,200". */
export const formatDollars = (cents: number): string => {
  const text = `$${formatNumber(Math.round(Math.abs(cents) / 100))}`
  return cents < 0 ? `-${text}` : text
}

/** Formats dollars for an axis: "$850", "$1.2k", "$3.4M". */
export function formatShortDollars(dollars: number): string {
  if (dollars >= 1_000_000) return `$${Number((dollars / 1_000_000).toFixed(1))}M`
  return dollars >= 1_000 ? `$${Number((dollars / 1_000).toFixed(1))}k` : `$${formatNumber(Math.round(dollars))}`
}

/** Returns the label of the button that opens the records of a figure; null without any. */
export function formatOpenLabel(key: FigureKey, count: number): string | null {
  if (count === 0) return null
  const noun = nouns[figureDefinitions[key].records]
  return count === 1 ? `Open the ${noun}` : `Open the ${formatCount(count, noun)}`
}

const toDirection = (change: number) => (change > 0 ? 'up' : change < 0 ? 'down' : 'none')

function describeChange(
  figure: AnalyticsFigure,
  { revenueCents, revenueBeforeCents }: Analytics,
): Pick<FigureCardModel, 'note' | 'direction'> {
  const { key, value, previous, count } = figure
  if (key === 'patient-growth') return { note: `${formatNumber(count)} new`, direction: toDirection(count) }
  if (key === 'revenue-growth') {
    if (revenueCents === null || revenueBeforeCents === null) return { note: null, direction: 'none' }
    const change = revenueCents - revenueBeforeCents
    if (change === 0) return { note: 'As much as the period before', direction: 'none' }
    const amount = formatDollars(Math.abs(change))
    return { note: `${amount} ${change > 0 ? 'more' : 'less'} than before`, direction: toDirection(change) }
  }
  if (value === null || previous === null) return { note: null, direction: 'none' }
  const change = Math.round((value - previous) * 10) / 10
  return { note: `${withSign(change)} points vs the period before`, direction: toDirection(change) }
}

const toCard = (key: CardKey, analytics: Analytics): FigureCardModel | null => {
  const figure = analytics.figures.find((one) => one.key === key)
  if (!figure) return null
  return {
    key,
    label: figure.label,
    value: formatFigure(figure.value, figure.unit),
    ...describeChange(figure, analytics),
    openLabel: formatOpenLabel(key, figure.count),
  }
}

/** Returns the word for an overall score, and its tone. The specification names only "Excellent", for 92.3. */
export function describeScore(score: number): { label: string; tone: ScoreTone } {
  if (score >= 90) return { label: 'Excellent', tone: 'success' }
  if (score >= 75) return { label: 'Good', tone: 'success' }
  return score >= 50 ? { label: 'Fair', tone: 'warning' } : { label: 'Needs attention', tone: 'error' }
}

/** Lays out the figures of a practice for the screen. */
export function toAnalyticsModel(analytics: Analytics): AnalyticsModel {
  const { figures, score, points, period } = analytics
  const toLabel = ({ from }: { from: string }) => formatPoint(from, period.days > 365)
  const scored = scoredFigures.flatMap((key) => figures.find((figure) => figure.key === key) ?? [])
  const revenue = points.flatMap(({ from, revenueCents, revenueBeforeCents }) =>
    revenueCents === null || revenueBeforeCents === null
      ? []
      : [{ label: toLabel({ from }), now: revenueCents / 100, before: revenueBeforeCents / 100 }],
  )
  return {
    cards: cardKeys.flatMap((key) => toCard(key, analytics) ?? []),
    score: score === null ? null : { value: score.toFixed(1), ...describeScore(score) },
    performance: scored.flatMap(({ label, value, unit }) =>
      value === null ? [] : [{ label, part: Math.min(100, value), shown: formatFigure(value, unit) ?? '' }],
    ),
    missing: scored.filter(({ value }) => value === null).map(({ label }) => label),
    points: points.map(({ from, scheduled, completed, cancelled }) => ({
      label: toLabel({ from }),
      scheduled,
      completed,
      cancelled,
    })),
    revenue: revenue.length === points.length ? revenue : null,
    pointNote: describePoints(points),
  }
}

const ageLabels: Readonly<Record<string, string>> = {
  'under-18': 'Under 18',
  '18-39': '18 to 39',
  '40-64': '40 to 64',
  '65-over': '65 and over',
  unknown: 'No date of birth',
}
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const analysisLabels: Readonly<Record<string, string>> = {
  analyzed: 'Analyzed',
  waiting: 'Not analyzed yet',
  skipped: 'Left to people',
  failed: 'Analysis failed',
}

type Share = AnalyticsBreakdowns['types'][number]

/** Lays out counts as shares of their sum, with bars as long as their part of it. */
function toShares(
  shares: readonly Share[],
  toLabel: (share: Share) => string,
  show?: (count: number) => string,
): ShareModel[] {
  const sum = shares.reduce((all, { count }) => all + count, 0)
  return shares
    .filter(({ count }) => count > 0)
    .map((share) => {
      const part = (share.count / sum) * 100
      return { label: toLabel(share), part, shown: show?.(share.count) ?? `${Math.round(part)}%` }
    })
}

const toTypeLabel = ({ key }: Share) => {
  const type = AppointmentType.safeParse(key)
  return type.success ? appointmentTypeLabels[type.data] : 'Of erased patients'
}

const leadLabels: Readonly<Record<string, string>> = {
  'same-day': 'Booked the same day',
  '1-6': '1 to 6 days ahead',
  '7-29': '1 to 4 weeks ahead',
  '30-over': '30 days ahead or more',
}
const genderLabels: Readonly<Record<string, string>> = {
  female: 'Female',
  male: 'Male',
  other: 'Other',
  unknown: 'Unknown',
}
const returningLabels: Readonly<Record<string, string>> = { new: 'New patients', returning: 'Returning patients' }

const ageOrder = Object.keys(ageLabels)
const leadOrder = Object.keys(leadLabels)

/** The number of appointments that begin in an hour of a weekday, as a table; `share` of the busiest hour, 0 to 1. */
export type BusyHoursModel = {
  hours: readonly { hour: number; label: string }[]
  days: readonly { label: string; cells: readonly { hour: number; count: number; share: number }[] }[]
}

const formatHour = (hour: number) => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`

/** Lays out the hours in which appointments begin, from the first to the last one of a week; null without any. */
export function toBusyHours({ busyHours }: Pick<AnalyticsBreakdowns, 'busyHours'>): BusyHoursModel | null {
  if (busyHours.length === 0) return null
  const all = busyHours.map(({ hour }) => hour)
  const [first, last] = [Math.min(...all), Math.max(...all)]
  const most = Math.max(...busyHours.map(({ count }) => count))
  const hours = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const find = (weekday: number, hour: number) =>
    busyHours.find((each) => each.weekday === weekday && each.hour === hour)?.count ?? 0
  return {
    hours: hours.map((hour) => ({ hour, label: formatHour(hour) })),
    days: weekdays
      .map((label, index) => ({
        label,
        cells: hours.map((hour) => {
          const count = find(index + 1, hour)
          return { hour, count, share: count / most }
        }),
      }))
      // A practice that is closed on Sundays needs no row for them.
      .filter(({ cells }, index) => index < 5 || cells.some(({ count }) => count > 0)),
  }
}

/** Lays out the parts of the practice's work; the revenue only for users who may see it. */
export function toSharePanels(all: AnalyticsBreakdowns): SharesModel[] {
  const ages = all.ages.toSorted((a, b) => ageOrder.indexOf(a.key) - ageOrder.indexOf(b.key))
  return [
    { title: 'Appointment types', shares: toShares(all.types, toTypeLabel) },
    ...(all.revenue ? [{ title: 'Revenue sources', shares: toShares(all.revenue, toTypeLabel, formatDollars) }] : []),
    { title: 'Demographics', shares: toShares(ages, ({ key }) => ageLabels[key] ?? key) },
    { title: 'Gender', shares: toShares(all.genders, ({ key }) => genderLabels[key] ?? key) },
    { title: 'New and returning', shares: toShares(all.returning, ({ key }) => returningLabels[key] ?? key) },
    ...(all.insurers
      ? [
          {
            title: 'Insurers',
            shares: toShares(all.insurers, ({ key }) => (key === 'none' ? 'No insurance on file' : key)),
          },
        ]
      : []),
    { title: 'AI performance', shares: toShares(all.analyses, ({ key }) => analysisLabels[key] ?? key) },
    { title: 'Providers', shares: toShares(all.providers, ({ label }) => label ?? 'Removed provider') },
    {
      title: 'No-shows by weekday',
      shares: toShares(
        all.noShows.toSorted((a, b) => Number(a.key) - Number(b.key)),
        ({ key }) => weekdays[Number(key) - 1] ?? key,
        formatNumber,
      ),
    },
    {
      title: 'No-shows by lead time',
      shares: toShares(
        all.leadTimes.toSorted((a, b) => leadOrder.indexOf(a.key) - leadOrder.indexOf(b.key)),
        ({ key }) => leadLabels[key] ?? key,
        formatNumber,
      ),
    },
  ]
}
