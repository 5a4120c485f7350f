import { tzOffset } from '@date-fns/tz'

const minute = 60_000
const day = 24 * 60 * minute

/** What the clocks of a place show at an instant: the day (YYYY-MM-DD) and the time (HH:mm). */
export function toLocalTime(instant: string | Date, zone: string): { date: string; time: string } {
  const at = new Date(instant)
  const shown = new Date(at.getTime() + tzOffset(zone, at) * minute).toISOString()
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** A moment as it was typed: an ISO instant in UTC; or, where the clocks skip that time, the next one they do show. */
export type ParsedTime = { instant: string } | { nextValid: string }

/** When the clocks of a place show a time (`2026-03-08T09:30`). Where they show it twice it is the first of the two. */
export function parseLocalTime(local: string, zone: string): ParsedTime {
  const shown = Date.parse(`${local.slice(0, 16)}:00.000Z`)
  const offsets = [shown - day, shown + day].map((near) => tzOffset(zone, new Date(near)))
  const fits = offsets
    .map((offset) => shown - offset * minute)
    .filter((time) => time + tzOffset(zone, new Date(time)) * minute === shown)
    .toSorted((a, b) => a - b)
  const [first] = fits
  if (first !== undefined) return { instant: new Date(first).toISOString() }
  const [before, after] = [shown - Math.max(...offsets) * minute, shown - Math.min(...offsets) * minute]
  const { date, time } = toLocalTime(new Date(leapBetween(before, after, zone)), zone)
  return { nextValid: `${date}T${time}` }
}

/** The first minute after the clocks have leapt, between two instants in milliseconds. */
function leapBetween(before: number, after: number, zone: string): number {
  const offset = tzOffset(zone, new Date(before))
  let [from, until] = [before, after]
  while (until - from > minute) {
    const middle = from + Math.floor((until - from) / minute / 2) * minute
    if (tzOffset(zone, new Date(middle)) === offset) from = middle
    else until = middle
  }
  return until
}

/** The instant, or the first one after it that exists. */
export function nextValidInstant(local: string, zone: string): string {
  const moment = parseLocalTime(local, zone)
  if ('instant' in moment) return moment.instant
  const next = parseLocalTime(moment.nextValid, zone)
  if ('instant' in next) return next.instant
  throw new RangeError('A time that clocks show after a leap exists')
}

/** A `AppointmentTime` of the contract, to the minute: already an instant, or a time on the practice's clocks. */
export function parseTime(typed: string, zone: string): ParsedTime {
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(typed)) return parseLocalTime(typed, zone)
  return { instant: new Date(Math.floor(Date.parse(typed) / minute) * minute).toISOString() }
}

/** A day of the calendar, `days` later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + days * day).toISOString().slice(0, 10)

/** From its first instant to the first of the next day (exclusive): 23 to 25 hours. */
export const dayBounds = (date: string, zone: string): { from: string; until: string } => ({
  from: nextValidInstant(`${date}T00:00`, zone),
  until: nextValidInstant(`${addDays(date, 1)}T00:00`, zone),
})

/** The days an appointment touches: one, or two when it goes on past midnight. */
export function touchedDays(startsAt: string, minutes: number, zone: string): string[] {
  const first = toLocalTime(startsAt, zone).date
  const last = toLocalTime(new Date(Date.parse(startsAt) + minutes * minute - 1), zone).date
  return first === last ? [first] : [first, last]
}

/** When something that begins then ends. */
export const addMinutes = (startsAt: string, minutes: number): string =>
  new Date(Date.parse(startsAt) + minutes * minute).toISOString()
