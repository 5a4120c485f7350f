import { addMilliseconds } from 'date-fns/addMilliseconds'
import type { FreeSlot } from '#contracts/appointments.ts'
import { daySlots } from '#contracts/values/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { addDays, toLocalDateTime } from '#contracts/values/calendar.ts'
import { isWorkingDay } from '#contracts/values/working-days.ts'
import { addMinutes, parseLocalTime } from '#modules/local-time.ts'

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
}

/** Computes which of the thirteen slots of each working day are free, in order. */
export function computeFreeSlots({ providerId, zone, duration, from, days, busy }: FreeSlotQuery): FreeSlot[] {
  const first = toLocalDateTime(from, zone).date
  const dates = Array.from({ length: days }, (_, n) => addDays(first, n))
  return dates
    .filter(isWorkingDay)
    .flatMap((localDate) =>
      daySlots.flatMap((localTime) => {
        const parsed = parseLocalTime(`${localDate}T${localTime}`, zone)
        return 'instant' in parsed ? [{ providerId, start: parsed.instant, localDate, localTime }] : []
      }),
    )
    .map((slot) => ({ ...slot, end: addMinutes(slot.start, duration) }))
    .filter(({ start, end }) => start >= from && !busy.some((each) => each.from < end && start < each.until))
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
