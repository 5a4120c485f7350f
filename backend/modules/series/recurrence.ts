import { maxSeriesAppointments, type Recurrence } from '#contracts/appointment-series.ts'
import { parseLocalTime, toLocalTime, nextValidInstant, addDays } from '#modules/local-time.ts'

/** One appointment of a row. `moved`: that month has no such day, or the clocks skip that time. */
export type Occurrence = { index: number; start: string; moved: boolean }

function plusMonths(date: string, months: number): { date: string; clamped: boolean } {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  const clamped = day > last.getUTCDate()
  last.setUTCDate(Math.min(day, last.getUTCDate()))
  return { date: last.toISOString().slice(0, 10), clamped }
}

function dateOf(first: string, { every, unit }: Recurrence, index: number) {
  if (unit === 'month') return plusMonths(first, every * index)
  return { date: addDays(first, every * index * (unit === 'week' ? 7 : 1)), clamped: false }
}

/**
 * The appointments of a row, always at the same time on the practice's clocks, at most one more than are allowed. `first` is the
 * instant of the first one; a monthly row comes back to its own day after a shorter month.
 */
export function expandRecurrence(first: string, recurrence: Recurrence, zone: string): Occurrence[] {
  const { date: firstDate, time } = toLocalTime(first, zone)
  const { until, count = maxSeriesAppointments + 1 } = recurrence
  const all: Occurrence[] = []
  for (let index = 0; index < count && all.length <= maxSeriesAppointments; index++) {
    const { date, clamped } = dateOf(firstDate, recurrence, index)
    if (until !== undefined && date > until) break
    const local = `${date}T${time}`
    const start = index === 0 ? first : nextValidInstant(local, zone)
    all.push({ index, start, moved: clamped || 'nextValid' in parseLocalTime(local, zone) })
  }
  return all
}
