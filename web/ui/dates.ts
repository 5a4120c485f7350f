const calendarDateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const localDateFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const localTimeFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

/** A calendar date without a time zone, "1978-03-14" as "Mar 14, 1978"; what is no date stays as it is. */
export function formatDate(date: string): string {
  const instant = new Date(`${date}T00:00:00Z`)
  return Number.isNaN(instant.getTime()) ? date : calendarDateFormat.format(instant)
}

/** The day of an instant where this browser is, "Mar 14, 2026". */
export const formatLocalDate = (instant: string): string => localDateFormat.format(new Date(instant))

/** An instant where this browser is: "Today, 10:42 AM", "Mar 14, 2026, 10:42 AM". */
export function formatDateTime(instant: string, now = new Date()): string {
  const at = new Date(instant)
  const date = localDateFormat.format(at)
  return `${date === localDateFormat.format(now) ? 'Today' : date}, ${localTimeFormat.format(at)}`
}

/** Today where this browser is, as YYYY-MM-DD. */
export function getToday(now = new Date()): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 10)
}

/** Whole years lived on a day; both as YYYY-MM-DD. */
export function computeAge(born: string, on: string): number {
  const years = Number(on.slice(0, 4)) - Number(born.slice(0, 4))
  return on.slice(5) < born.slice(5) ? years - 1 : years
}

/** An age as people say it: "48 years", "1 year", and months below one year. */
export function formatAge(born: string, on = getToday()): string {
  const years = computeAge(born, on)
  if (years >= 1) return years === 1 ? '1 year' : `${years} years`
  const passed =
    Number(on.slice(5, 7)) - Number(born.slice(5, 7)) + 12 * (Number(on.slice(0, 4)) - Number(born.slice(0, 4)))
  const months = Math.max(0, Number(on.slice(8)) < Number(born.slice(8)) ? passed - 1 : passed)
  return months === 1 ? '1 month' : `${months} months`
}

/** How long something may still take, in plain words. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left'
  if (seconds < 55) return `about ${Math.ceil(seconds / 5) * 5} seconds left`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'about 1 minute left' : `about ${minutes} minutes left`
}
