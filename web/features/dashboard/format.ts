import { formatWeekdayDate } from '#web/ui/dates.ts'
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

/** Returns the status to display: an emergency that has not been seen yet is urgent (product.md 4). */
export const getDisplayStatus = (type: AppointmentType, status: AppointmentStatus): AppointmentStatus | 'urgent' =>
  type === 'emergency' && ['scheduled', 'confirmed', 'waiting'].includes(status) ? 'urgent' : status

const monthDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const parseUtcDate = (day: string) => new Date(`${day}T00:00:00Z`)

/** Formats the date range of a chart point: "Fri, Nov 20" for a day, "Nov 14 to Nov 20" for a week. */
export const formatDateRange = (from: string, to: string): string =>
  from === to
    ? formatWeekdayDate(from)
    : `${monthDayFormat.format(parseUtcDate(from))} to ${monthDayFormat.format(parseUtcDate(to))}`
