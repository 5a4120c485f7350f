import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import type { Period } from './parse-period.ts'

const longDate = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const yearDate = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const shortDate = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

const toInstantOfDay = (date: string): Date => new Date(`${date}T00:00:00Z`)

/** Formats a local date: "Friday, November 27", with the year when it is not that of today. */
export function formatDay(date: string, today: string): string {
  const text = longDate.format(toInstantOfDay(date))
  return date.slice(0, 4) === today.slice(0, 4) ? text : `${text}, ${date.slice(0, 4)}`
}

/** Formats a local date with its distance: "today, Thursday, November 26", "tomorrow, …". */
export function formatNearDay(date: string, today: string): string {
  const near: Record<string, string> = {
    [today]: 'today, ',
    [addDays(today, 1)]: 'tomorrow, ',
    [addDays(today, -1)]: 'yesterday, ',
  }
  return `${near[date] ?? ''}${formatDay(date, today)}`
}

/** Formats a local date with its year: "March 14, 1978". */
export const formatFullDate = (date: string): string => yearDate.format(toInstantOfDay(date))

/** Formats a period: one day, or "November 23 to November 29" in short. */
export const formatPeriod = ({ from, until }: Period, today: string): string =>
  from === until
    ? formatNearDay(from, today)
    : `${shortDate.format(toInstantOfDay(from))} to ${shortDate.format(toInstantOfDay(until))}`

/** Formats a local time, HH:mm, as "2:30 PM". */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, '0')} ${hours % 24 < 12 ? 'AM' : 'PM'}`
}

/** Formats cents as US dollars: "$1,250.00". */
export const formatMoney = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

export const formatName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()

/** Formats a number with its noun: "1 appointment", "9 appointments". */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const typeLabels: Record<AppointmentType, string> = {
  consultation: 'Consultation',
  'follow-up': 'Follow-up',
  'check-up': 'Check-up',
  emergency: 'Emergency',
  procedure: 'Procedure',
}

export const statusLabels: Record<AppointmentStatus, string> = {
  scheduled: 'not confirmed',
  confirmed: 'confirmed',
  waiting: 'waiting',
  'in-progress': 'in progress',
  completed: 'completed',
  cancelled: 'cancelled',
  'no-show': 'no-show',
}
