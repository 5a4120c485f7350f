import { addDays } from '#contracts/values/calendar.ts'
import { type DateWords, spellDate } from '#web/ui/dates.ts'

const utc = (date: string) => new Date(`${date}T00:00:00Z`)
const iso = (date: Date) => date.toISOString().slice(0, 10)

/** Returns the first day of the month that is some months later. */
export function addMonths(date: string, months: number): string {
  const first = utc(`${date.slice(0, 7)}-01`)
  first.setUTCMonth(first.getUTCMonth() + months)
  return iso(first)
}

/** Returns the days of a date's month, with the whole of its first and last week. */
export const getMonthWithWeeks = (date: string): { from: string; until: string } => ({
  from: addDays(addMonths(date, 0), -6),
  until: addDays(addMonths(date, 1), 5),
})

/** Returns whether the server knows all days of a date's month and of its weeks: those of the years 2000 to 2099. */
export const isKnownMonth = (date: string): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(date) && date > '2000-01-31' && date < '2099-12-01'

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

const createDateFormatter = (format: (words: DateWords) => string) => (date: string) => format(spellDate(date))

/** "Friday, November 20, 2026" */
export const formatLongDate = createDateFormatter(
  ({ weekday, month, day, year }) => `${weekday}, ${month} ${day}, ${year}`,
)
/** "Fri, Nov 20" */
export const formatShortDate = createDateFormatter(
  ({ shortWeekday, shortMonth, day }) => `${shortWeekday}, ${shortMonth} ${day}`,
)
/** "Nov 20, 2026" */
export const formatMediumDate = createDateFormatter(({ shortMonth, day, year }) => `${shortMonth} ${day}, ${year}`)
/** "November 2026" */
export const formatMonth = createDateFormatter(({ month, year }) => `${month} ${year}`)
/** "November 20" */
export const formatMonthDay = createDateFormatter(({ month, day }) => `${month} ${day}`)
/** "Friday" */
export const formatWeekday = createDateFormatter(({ weekday }) => weekday)
/** "Fri" */
export const formatShortWeekday = createDateFormatter(({ shortWeekday }) => shortWeekday)
const formatShortMonthDay = createDateFormatter(({ shortMonth, day }) => `${shortMonth} ${day}`)

/** Formats a day relative to today: "Today", "Tomorrow", or "Mon, Nov 23". */
export function formatRelativeDay(date: string, today: string): string {
  if (date === today) return 'Today'
  return date === addDays(today, 1) ? 'Tomorrow' : formatShortDate(date)
}

/** Formats a week: "Nov 15 to 21, 2026", "Dec 27, 2026 to Jan 2, 2027". */
export function formatWeekRange([first = '', ...rest]: readonly string[]): string {
  const last = rest.at(-1) ?? first
  if (first.slice(0, 4) !== last.slice(0, 4)) return `${formatMediumDate(first)} to ${formatMediumDate(last)}`
  const end = first.slice(0, 7) === last.slice(0, 7) ? String(Number(last.slice(8))) : formatShortMonthDay(last)
  return `${formatShortMonthDay(first)} to ${end}, ${last.slice(0, 4)}`
}
