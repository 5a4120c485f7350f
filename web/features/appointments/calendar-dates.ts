const utc = (date: string) => new Date(`${date}T00:00:00Z`)
const iso = (date: Date) => date.toISOString().slice(0, 10)

/** A day so many days later, or earlier. Days are YYYY-MM-DD on the practice's calendar. */
export function addDays(date: string, days: number): string {
  const at = utc(date)
  at.setUTCDate(at.getUTCDate() + days)
  return iso(at)
}

/** The first day of the month so many months later. */
export function addMonths(date: string, months: number): string {
  const at = utc(`${date.slice(0, 7)}-01`)
  at.setUTCMonth(at.getUTCMonth() + months)
  return iso(at)
}

/** The seven days around a day, Sunday first, as the calendar on the wall has them. */
export function getWeekDays(date: string): string[] {
  const sunday = addDays(date, -utc(date).getUTCDay())
  return Array.from({ length: 7 }, (_, n) => addDays(sunday, n))
}

/** The days of a day's month, and how many places stay empty before the first. */
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

/** "Today", "Tomorrow", or "Mon, Nov 23". */
export function formatRelativeDay(date: string, today: string): string {
  if (date === today) return 'Today'
  return date === addDays(today, 1) ? 'Tomorrow' : formatShortDate(date)
}

/** A week in the head of its view: "Nov 15 to 21, 2026", "Dec 27, 2026 to Jan 2, 2027". */
export function formatWeekRange([first = '', ...rest]: readonly string[]): string {
  const last = rest.at(-1) ?? first
  const short = createDateFormatter({ month: 'short', day: 'numeric' })
  if (first.slice(0, 4) !== last.slice(0, 4)) return `${formatMediumDate(first)} to ${formatMediumDate(last)}`
  const end = first.slice(0, 7) === last.slice(0, 7) ? String(Number(last.slice(8))) : short(last)
  return `${short(first)} to ${end}, ${last.slice(0, 4)}`
}
