import { formatWeekdayDate, spellDate } from '#web/ui/dates.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'

/** Interval at which the dashboard updates the current time. */
export const refreshIntervalMs = 30_000

/** Formats "2026-11-20" as "November 20, 2026" (spec: MMMM d, yyyy). */
export function formatLongDate(date: string): string {
  const { month, day, year } = spellDate(date)
  return `${month} ${day}, ${year}`
}

/** Returns the status to display: an emergency that has not been seen yet is urgent (product.md 4). */
export const getDisplayStatus = (type: AppointmentType, status: AppointmentStatus): AppointmentStatus | 'urgent' =>
  type === 'emergency' && ['scheduled', 'confirmed', 'waiting'].includes(status) ? 'urgent' : status

function formatMonthDay(date: string): string {
  const { shortMonth, day } = spellDate(date)
  return `${shortMonth} ${day}`
}

/** Formats the date range of a chart point: "Fri, Nov 20" for a day, "Nov 14 to Nov 20" for a week. */
export const formatDateRange = (from: string, to: string): string =>
  from === to ? formatWeekdayDate(from) : `${formatMonthDay(from)} to ${formatMonthDay(to)}`
