import { maxSeriesAppointments, type Recurrence } from '#contracts/appointment-series.ts'
import { addDays, toLocalDateTime } from '#contracts/values/calendar.ts'
import { nextValidInstant, parseLocalTime } from '#modules/kit/local-time.ts'

/** One appointment of a series. `isAdjusted`: its month has no such date, or a clock change skips its local time. */
export type Occurrence = { index: number; startsAt: string; isAdjusted: boolean }

/** Adds months to a date. In a month without that day it is the last day of the month: `isClamped`. */
function addMonths(date: string, months: number): { date: string; isClamped: boolean } {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  const isClamped = day > last.getUTCDate()
  last.setUTCDate(Math.min(day, last.getUTCDate()))
  return { date: last.toISOString().slice(0, 10), isClamped }
}

function getDate(first: string, { every, unit }: Recurrence, index: number) {
  if (unit === 'month') return addMonths(first, every * index)
  return { date: addDays(first, every * index * (unit === 'week' ? 7 : 1)), isClamped: false }
}

/**
 * Expands a recurrence into appointments at the same local time, at most one more than are allowed. `first` is the instant
 * of the first one. A monthly series returns to its original day of the month after a shorter month.
 */
export function expandRecurrence(first: string, recurrence: Recurrence, zone: string): Occurrence[] {
  const { date: firstDate, time } = toLocalDateTime(first, zone)
  const { until, count = maxSeriesAppointments + 1 } = recurrence
  const occurrences: Occurrence[] = []
  for (let index = 0; index < count && occurrences.length <= maxSeriesAppointments; index++) {
    const { date, isClamped } = getDate(firstDate, recurrence, index)
    if (until !== undefined && date > until) break
    const local = `${date}T${time}`
    const startsAt = index === 0 ? first : nextValidInstant(local, zone)
    occurrences.push({ index, startsAt, isAdjusted: isClamped || 'nextValid' in parseLocalTime(local, zone) })
  }
  return occurrences
}
