import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { toLocalDate, toLocalTime } from '#contracts/values/calendar.ts'

/** "14:30" as "2:30 PM" (spec: h:mm with am/pm). */
export function formatTime(time: string): string {
  const [hours = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${time.slice(3, 5)} ${hours < 12 ? 'AM' : 'PM'}`
}

/** The time zone of this browser. */
export const getBrowserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the time in a time zone, HH:mm. */
export const getLocalTime = (zone: string, now: Date): string => toLocalTime(now, zone)

/** Returns the date in a time zone, YYYY-MM-DD. */
export const getLocalDate = (zone: string, now: Date): string => toLocalDate(now, zone)

const longDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** "2026-11-20" as "November 20, 2026" (spec: MMMM d, yyyy). */
export const formatLongDate = (day: string): string => longDay.format(new Date(`${day}T00:00:00Z`))

const some = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`

/** How long ago something was: "just now", "14 minutes ago", "1 hour ago", "3 days ago". */
export function formatTimeAgo(instant: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return some(minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? some(hours, 'hour') : some(Math.floor(hours / 24), 'day')
}

/** An emergency that is still to be seen is urgent, whatever else it is (product.md 4). */
export const getDisplayStatus = (type: AppointmentType, status: AppointmentStatus): AppointmentStatus | 'urgent' =>
  type === 'emergency' && ['scheduled', 'confirmed', 'waiting'].includes(status) ? 'urgent' : status

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })
const monthDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const utc = (day: string) => new Date(`${day}T00:00:00Z`)

/** A point of the chart: "Fri, Nov 20" for a day, "Nov 14 to Nov 20" for a week. */
export const formatDateRange = (from: string, to: string): string =>
  from === to ? weekday.format(utc(from)) : `${monthDay.format(utc(from))} to ${monthDay.format(utc(to))}`
