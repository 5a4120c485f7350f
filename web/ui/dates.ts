// Not `Intl`, which takes a tenth of a second of a phone when it is used first, for the only language of the screens.
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** The parts of a calendar date, with the names of its month and weekday, whole and short ("Nov", "Fri"). */
export type DateWords = {
  year: number
  month: string
  shortMonth: string
  day: number
  weekday: string
  shortWeekday: string
}

/** Returns the parts of a calendar date, YYYY-MM-DD, in words. Throws RangeError for another text. */
export function spellDate(date: string): DateWords {
  const instant = new Date(`${date}T00:00:00Z`)
  const month = months[instant.getUTCMonth()]
  const weekday = weekdays[instant.getUTCDay()]
  if (!month || !weekday) throw new RangeError(`${date} is not a date`)
  return {
    year: instant.getUTCFullYear(),
    month,
    shortMonth: month.slice(0, 3),
    day: instant.getUTCDate(),
    weekday,
    shortWeekday: weekday.slice(0, 3),
  }
}

/** Formats a calendar date without a time zone, "1978-03-14" as "Mar 14, 1978"; returns any other text unchanged. */
export function formatDate(date: string): string {
  const instant = new Date(`${date}T00:00:00Z`)
  // February 31 would become March 3.
  const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date)
  if (!isReal) return date
  const { shortMonth, day, year } = spellDate(date)
  return `${shortMonth} ${day}, ${year}`
}

/** Formats a calendar date with its weekday and without the year, "2026-11-20" as "Fri, Nov 20". */
export function formatWeekdayDate(date: string): string {
  const { shortWeekday, shortMonth, day } = spellDate(date)
  return `${shortWeekday}, ${shortMonth} ${day}`
}

/** Formats the date of an instant in the browser's time zone, "Mar 14, 2026". */
export const formatLocalDate = (instant: string): string => formatDate(getToday(new Date(instant)))

/** Formats an instant in the browser's time zone: "Today, 10:42 AM", "Mar 14, 2026, 10:42 AM". */
export function formatDateTime(instant: string, now = new Date()): string {
  const at = new Date(instant)
  const date = getToday(at)
  return `${date === getToday(now) ? 'Today' : formatDate(date)}, ${formatTime(`${at.getHours()}:${at.getMinutes()}`)}`
}

/** Formats a time of day, "14:30" as "2:30 PM" (spec: h:mm with am/pm). */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Returns the time zone of the browser. */
export const getBrowserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns today's date in the browser's time zone, YYYY-MM-DD. */
export function getToday(now = new Date()): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

/** Returns the age in whole years on a date; both as YYYY-MM-DD. */
export function computeAge(born: string, on: string): number {
  const years = Number(on.slice(0, 4)) - Number(born.slice(0, 4))
  return on.slice(5) < born.slice(5) ? years - 1 : years
}

/** Formats the age on a date, in months below one year: "48 years", "1 year", "11 months". */
export function formatAge(born: string, on: string): string {
  const years = computeAge(born, on)
  if (years >= 1) return years === 1 ? '1 year' : `${years} years`
  const monthsByCalendar =
    Number(on.slice(5, 7)) - Number(born.slice(5, 7)) + 12 * (Number(on.slice(0, 4)) - Number(born.slice(0, 4)))
  const months = Math.max(0, Number(on.slice(8)) < Number(born.slice(8)) ? monthsByCalendar - 1 : monthsByCalendar)
  return months === 1 ? '1 month' : `${months} months`
}

/** Formats an estimate of the remaining time: "about 40 seconds left". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'about 1 minute left' : `about ${minutes} minutes left`
}

const formatUnitsAgo = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** Formats how long ago an instant was: "just now", "14 minutes ago", "1 hour ago", "3 days ago". */
export function formatTimeAgo(instant: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return formatUnitsAgo(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? formatUnitsAgo(hours, 'hour') : formatUnitsAgo(Math.floor(hours / 24), 'day')
}
