import { addMilliseconds } from 'date-fns/addMilliseconds'
import type { FreeSlot } from '#contracts/appointments.ts'
import { daySlots } from '#contracts/values/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { addDays, toInstant, toLocalDate, toLocalDateTime } from '#contracts/values/calendar.ts'
import {
  findDayOff,
  findHoliday,
  getDayHours,
  listPeriods,
  listStarts,
  type WorkCalendar,
} from '#contracts/values/working-hours.ts'
import { addMinutes, parseLocalTime } from '#modules/kit/local-time.ts'

/** A range of time in which a provider is busy, or that must stay free; ISO instants, `until` exclusive. */
export type TimeRange = { from: string; until: string }

type FreeSlotQuery = {
  providerId: ProviderId
  /** The practice's time zone (IANA). */
  zone: string
  /** Minutes. */
  duration: number
  /** The earliest start, an ISO instant. */
  from: string
  days: number
  busy: readonly TimeRange[]
  calendar: WorkCalendar
}

/** Computes which slots of the days on which the practice and the provider work are free, in order. */
export function computeFreeSlots({
  providerId,
  zone,
  duration,
  from,
  days,
  busy,
  calendar,
}: FreeSlotQuery): FreeSlot[] {
  const first = toLocalDateTime(from, zone).date
  const dates = Array.from({ length: days }, (_, n) => addDays(first, n))
  return dates
    .filter((date) => !findHoliday(calendar, date) && !findDayOff(calendar, providerId, date))
    .flatMap((localDate) =>
      listSlots(calendar, localDate, zone, duration).flatMap(({ localTime, latestEnd }) => {
        const parsed = parseLocalTime(`${localDate}T${localTime}`, zone)
        return 'instant' in parsed ? [{ providerId, start: parsed.instant, localDate, localTime, latestEnd }] : []
      }),
    )
    .map(({ latestEnd, ...slot }) => ({ ...slot, end: addMinutes(slot.start, duration), latestEnd }))
    .filter(({ end, latestEnd }) => latestEnd === null || end <= latestEnd)
    .map(({ latestEnd: _, ...slot }) => slot)
    .filter(({ start, end }) => start >= from && !busy.some((each) => each.from < end && start < each.until))
}

/** A slot of a date; `latestEnd` (an ISO instant) is that of its working period, null where the specification has no limit. */
type DaySlot = { localTime: string; latestEnd: string | null }

/** Lists the slots of a date: the specification's thirteen until the practice sets hours, then those in which it works. */
function listSlots({ week }: WorkCalendar, date: string, zone: string, duration: number): DaySlot[] {
  const hours = getDayHours(week, date)
  if (hours === null) return []
  if (week === null) return daySlots.map((localTime) => ({ localTime, latestEnd: null }))
  return listPeriods(hours).flatMap((period) => {
    const latestEnd = toInstant(date, period.until, zone)
    return listStarts(period, Math.min(duration, 30)).map((localTime) => ({ localTime, latestEnd }))
  })
}

/** Returns whether a slot that became free is in the working time of the practice and the provider, and can be offered. */
export function isWorkingTime(
  calendar: WorkCalendar,
  zone: string,
  { providerId, startsAt, duration }: { providerId: string; startsAt: string; duration: number },
): boolean {
  const date = toLocalDate(startsAt, zone)
  if (findHoliday(calendar, date) || findDayOff(calendar, providerId, date)) return false
  // Before a practice sets its hours, it may also work on weekends.
  if (calendar.week === null) return true
  const hours = getDayHours(calendar.week, date)
  if (hours === null) return false
  const endsAt = addMinutes(startsAt, duration)
  const isAfterOpening = (from: string) => toInstant(date, from, zone) <= startsAt
  return listPeriods(hours).some(({ from, until }) => isAfterOpening(from) && endsAt <= toInstant(date, until, zone))
}

/** Returns the three slots nearest to a start, in order. Of two at the same distance the later one wins. */
export function pickNearest(startsAt: string, slots: readonly FreeSlot[]): FreeSlot[] {
  const distance = (slot: FreeSlot) => Math.abs(Date.parse(slot.start) - Date.parse(startsAt))
  return slots
    .toSorted((a, b) => distance(a) - distance(b) || (a.start < b.start ? 1 : -1))
    .slice(0, 3)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
}

/** Length of the search for other free slots, in days. */
export const searchWindowDays = 14

/** Returns the start of the search for other free slots: 24 hours before the wanted start, but never in the past. */
export function searchStart(startsAt: string, now: Date): string {
  const dayBefore = addMilliseconds(startsAt, -24 * 3_600_000).toISOString()
  const present = now.toISOString()
  return dayBefore < present ? present : dayBefore
}
