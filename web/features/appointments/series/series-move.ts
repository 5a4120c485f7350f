import type { Appointment } from '#contracts/appointments.ts'
import { addDays, findInstant, type LocalDateTime, toInstant, toLocalDateTime } from '#contracts/values/calendar.ts'

/**
 * The new start of an appointment of a series. `adjusted` says why it differs from the others: a clock change skips the time
 * (`clock-change`), or its month is shorter, so that the day of the month is another one (`other-day`).
 */
export type PlannedMove = {
  id: Appointment['id']
  from: LocalDateTime
  to: LocalDateTime
  adjusted: 'clock-change' | 'other-day' | null
}

const dayMs = 86_400_000
const toDayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / dayMs
const getDayOfMonth = (date: string) => Number(date.slice(8, 10))
const isLastOfMonth = (date: string) => getDayOfMonth(addDays(date, 1)) === 1

/** Returns whether dates lie on one day of the month, or on the last one of shorter months. */
function areMonthly(dates: readonly string[]): boolean {
  const day = Math.max(...dates.map(getDayOfMonth))
  const months = new Set(dates.map((date) => date.slice(0, 7)))
  return months.size === dates.length && dates.every((date) => getDayOfMonth(date) === day || isLastOfMonth(date))
}

/**
 * Plans the move of several appointments of a series as the server does: each by as many days as the anchor, to its new local
 * time. `to` is the new start of the anchor; local dates and times of `zone`, the practice's time zone.
 */
export function planSeriesMove(
  appointments: readonly Pick<Appointment, 'id' | 'localDate' | 'localTime'>[],
  anchor: Pick<Appointment, 'localDate'>,
  to: LocalDateTime,
  zone: string,
): PlannedMove[] {
  const days = toDayNumber(to.date) - toDayNumber(anchor.localDate)
  const isMonthly = areMonthly(appointments.map(({ localDate }) => localDate))
  return appointments.map(({ id, localDate, localTime }) => {
    const date = addDays(localDate, days)
    const exists = findInstant(date, to.time, zone) !== null
    const isOtherDay = isMonthly && getDayOfMonth(date) !== getDayOfMonth(to.date)
    return {
      id,
      from: { date: localDate, time: localTime },
      to: exists ? { date, time: to.time } : toLocalDateTime(toInstant(date, to.time, zone), zone),
      adjusted: exists ? (isOtherDay ? 'other-day' : null) : 'clock-change',
    }
  })
}
