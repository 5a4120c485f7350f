import { addDays } from '#contracts/values/calendar.ts'

const utc = (date: string) => new Date(`${date}T00:00:00Z`)
const iso = (date: Date) => date.toISOString().slice(0, 10)

/** Returns the first day of the month that is some months later. */
export function addMonths(date: string, months: number): string {
  const first = utc(`${date.slice(0, 7)}-01`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return iso(first)
}

/** Returns the seven days of a day's week, Sunday first. */
export function getWeekDays(date: string): string[] {
  const sunday = addDays(date, -utc(date).getUTCDay())
  return Array.from({ length: 7 }, (_, n) => addDays(sunday, n))
}

/** Returns the days of a day's month, and the number of empty cells before the first. */
export function getMonthGrid(date: string): { before: number; days: string[] } {
  const first = `${date.slice(0, 7)}-01`
  const count = utc(addDays(addMonths(first, 1), -1)).getUTCDate()
  return { before: utc(first).getUTCDay(), days: Array.from({ length: count }, (_, n) => addDays(first, n)) }
}

const createDateFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  return (date: string) => format.format(utc(date))
}

/** "Friday, November 20, 2026" */
export const formatLongDate = createDateFormatter({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
/** "Fri, Nov 20" */
export const formatShortDate = createDateFormatter({ weekday: 'short', month: 'short', day: 'numeric' })
/** "Nov 20, 2026" */
export const formatMediumDate = createDateFormatter({ month: 'short', day: 'numeric', year: 'numeric' })
/** "November 2026" */
export const formatMonth = createDateFormatter({ month: 'long', year: 'numeric' })
/** "November 20" */
export const formatMonthDay = createDateFormatter({ month: 'long', day: 'numeric' })
/** "Friday" */
export const formatWeekday = createDateFormatter({ weekday: 'long' })
/** "Fri" */
export const formatShortWeekday = createDateFormatter({ weekday: 'short' })

/** Formats a day relative to today: "Today", "Tomorrow", or "Mon, Nov 23". */
export function formatRelativeDay(date: string, today: string): string {
  if (date === today) return 'Today'
  return date === addDays(today, 1) ? 'Tomorrow' : formatShortDate(date)
}

/** Formats a week: "Nov 15 to 21, 2026", "Dec 27, 2026 to Jan 2, 2027". */
export function formatWeekRange([first = '', ...rest]: readonly string[]): string {
  const last = rest.at(-1) ?? first
  const short = createDateFormatter({ month: 'short', day: 'numeric' })
  if (first.slice(0, 4) !== last.slice(0, 4)) return `${formatMediumDate(first)} to ${formatMediumDate(last)}`
  const end = first.slice(0, 7) === last.slice(0, 7) ? String(Number(last.slice(8))) : short(last)
  return `${short(first)} to ${end}, ${last.slice(0, 4)}`
}
