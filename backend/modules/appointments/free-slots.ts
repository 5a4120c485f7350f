import { addMilliseconds } from 'date-fns/addMilliseconds'
import type { FreeSlot } from '#contracts/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { daySlots } from '#contracts/values/appointments.ts'
import { addMinutes, parseLocalTime, toLocalTime, addDays } from '#modules/local-time.ts'

/** A stretch of time in which a provider is with somebody, or that is to be kept free; ISO instants. */
export type TimeRange = { from: string; until: string }

type FreeSlotQuery = {
  providerId: ProviderId
  /** The practice's time zone. */
  zone: string
  /** Minutes. */
  duration: number
  /** Nothing before it is proposed. An ISO instant. */
  from: string
  days: number
  busy: readonly TimeRange[]
}

const isWeekend = (date: string) => [0, 6].includes(new Date(`${date}T00:00:00.000Z`).getUTCDay())

/** The free ones of the thirteen slots of each day, in order. On weekends only when the first day asked for is one. */
export function computeFreeSlots({ providerId, zone, duration, from, days, busy }: FreeSlotQuery): FreeSlot[] {
  const first = toLocalTime(from, zone).date
  const dates = Array.from({ length: days }, (_, n) => addDays(first, n))
  return dates
    .filter((date) => date === first || !isWeekend(date))
    .flatMap((localDate) =>
      daySlots.flatMap((localTime) => {
        const moment = parseLocalTime(`${localDate}T${localTime}`, zone)
        return 'instant' in moment ? [{ providerId, start: moment.instant, localDate, localTime }] : []
      }),
    )
    .map((slot) => ({ ...slot, end: addMinutes(slot.start, duration) }))
    .filter(({ start, end }) => start >= from && !busy.some((each) => each.from < end && start < each.until))
}

/** The three nearest to a time, in order of time. Of two equally near the later one comes first: it can still be kept. */
export function pickNearest(start: string, slots: readonly FreeSlot[]): FreeSlot[] {
  const distance = (slot: FreeSlot) => Math.abs(Date.parse(slot.start) - Date.parse(start))
  return slots
    .toSorted((a, b) => distance(a) - distance(b) || (a.start < b.start ? 1 : -1))
    .slice(0, 3)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
}

/** How far around a time others are looked for, in days. */
export const searchWindowDays = 14

/** From when on: from the time itself backwards to the morning of the day before, but never into the past. */
export const searchStart = (start: string, now: Date): string => {
  const dayBefore = addMilliseconds(start, -24 * 3_600_000).toISOString()
  const present = now.toISOString()
  return dayBefore < present ? present : dayBefore
}
