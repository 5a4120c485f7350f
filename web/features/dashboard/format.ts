import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'

/** Interval at which the dashboard updates the current time. */
export const refreshIntervalMs = 30_000

const longDateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats "2026-11-20" as "November 20, 2026" (spec: MMMM d, yyyy). */
export const formatLongDate = (day: string): string => longDateFormat.format(new Date(`${day}T00:00:00Z`))

const formatUnitsAgo = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** Formats how long ago an instant was: "just now", "14 minutes ago", "1 hour ago", "3 days ago". */
export function formatTimeAgo(instant: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return formatUnitsAgo(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? formatUnitsAgo(hours, 'hour') : formatUnitsAgo(Math.floor(hours / 24), 'day')
}

/** Returns the status to display: an emergency that has not been seen yet is urgent (product.md 4). */
export const getDisplayStatus = (type: AppointmentType, status: AppointmentStatus): AppointmentStatus | 'urgent' =>
  type === 'emergency' && ['scheduled', 'confirmed', 'waiting'].includes(status) ? 'urgent' : status

const weekdayDateFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const monthDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const parseUtcDate = (day: string) => new Date(`${day}T00:00:00Z`)

/** Formats the date range of a chart point: "Fri, Nov 20" for a day, "Nov 14 to Nov 20" for a week. */
export const formatDateRange = (from: string, to: string): string =>
  from === to
    ? weekdayDateFormat.format(parseUtcDate(from))
    : `${monthDayFormat.format(parseUtcDate(from))} to ${monthDayFormat.format(parseUtcDate(to))}`
