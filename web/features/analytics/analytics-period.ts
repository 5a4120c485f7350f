import { addDays as addDaysTo, subMonths } from 'date-fns'
import { addDays } from '#contracts/values/calendar.ts'
import { spellDate } from '#web/ui/dates.ts'

/** The periods of the screen, and their names. */
export const analyticsPeriods = {
  today: 'Today',
  '7days': '7 days',
  '30days': '30 days',
  '3months': '3 months',
  '12months': '12 months',
  month: 'This month',
  quarter: 'This quarter',
  year: 'This year',
  custom: 'Custom',
} as const
export type AnalyticsPeriod = keyof typeof analyticsPeriods

/** Returns whether a text is a period of the screen. */
export const isAnalyticsPeriod = (value: unknown): value is AnalyticsPeriod =>
  typeof value === 'string' && Object.hasOwn(analyticsPeriods, value)

/** The first and the last day of a period, YYYY-MM-DD. */
export type Days = { from: string; to: string }

/** Returns the day after the same day some months ago; of a shorter month, its last day. */
function findStart(today: string, months: number): string {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  // At noon of the browser's zone: no change of its clocks moves the date.
  const start = addDaysTo(subMonths(new Date(year, month - 1, day, 12), months), 1)
  return [start.getFullYear(), start.getMonth() + 1, start.getDate()]
    .map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0'))
    .join('-')
}

/** Returns the first day of the calendar quarter of a day. */
function findQuarterStart(today: string): string {
  const month = Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1
  return `${today.slice(0, 4)}-${String(month).padStart(2, '0')}-01`
}

/** Returns the days of a period that ends today. Months, quarters and years are those of the calendar, from their first day on. */
export function findDays(period: Exclude<AnalyticsPeriod, 'custom'>, today: string): Days {
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today }
    case 'quarter':
      return { from: findQuarterStart(today), to: today }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
    case '7days':
      return { from: addDays(today, -6), to: today }
    case '30days':
      return { from: addDays(today, -29), to: today }
    case '3months':
      return { from: findStart(today, 3), to: today }
    case '12months':
      return { from: findStart(today, 12), to: today }
  }
}

const toDate = (day: string) => new Date(`${day}T00:00:00Z`)

/** Formats a period: "August 21 to November 20, 2026"; both years where they differ. */
export function formatDays({ from, to }: Days): string {
  const [first, last] = [spellDate(from), spellDate(to)]
  const end = `${last.month} ${last.day}, ${last.year}`
  if (from === to) return end
  return `${first.month} ${first.day}${first.year === last.year ? '' : `, ${first.year}`} to ${end}`
}

/** Formats the first day of a point of a chart: "Aug 24", or "Aug 24, 2024" where a day may come twice. */
export function formatPoint(from: string, hasYear: boolean): string {
  const { shortMonth, day, year } = spellDate(from)
  return hasYear ? `${shortMonth} ${day}, ${year}` : `${shortMonth} ${day}`
}

/** Returns the days that a point of a chart stands for, in words: "per day", "per week", "per 30 days". */
export function describePoints(points: readonly Days[]): string {
  const last = points.at(-1)
  const days = last ? Math.round((toDate(last.to).getTime() - toDate(last.from).getTime()) / 86_400_000) + 1 : 1
  if (days === 1) return 'per day'
  return days === 7 ? 'per week' : `per ${days} days`
}
