import { tzOffset } from '@date-fns/tz'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Returns the date (YYYY-MM-DD) and time (HH:mm) that clocks in a time zone show at an instant. */
export function toLocalTime(instant: string | Date, zone: string): { date: string; time: string } {
  const at = new Date(instant)
  const local = new Date(at.getTime() + tzOffset(zone, at) * minuteMs).toISOString()
  return { date: local.slice(0, 10), time: local.slice(11, 16) }
}

/** A parsed time: an ISO instant in UTC or, for a local time that a clock change skips, the next valid local time. */
export type ParsedTime = { instant: string } | { nextValid: string }

/** Parses a local time (`2026-03-08T09:30`). Returns the earlier instant for a time that a clock change repeats. */
export function parseLocalTime(local: string, zone: string): ParsedTime {
  const localMs = Date.parse(`${local.slice(0, 16)}:00.000Z`)
  const offsets = [localMs - dayMs, localMs + dayMs].map((near) => tzOffset(zone, new Date(near)))
  const matches = offsets
    .map((offset) => localMs - offset * minuteMs)
    .filter((time) => time + tzOffset(zone, new Date(time)) * minuteMs === localMs)
    .toSorted((a, b) => a - b)
  const [first] = matches
  if (first !== undefined) return { instant: new Date(first).toISOString() }
  const [before, after] = [localMs - Math.max(...offsets) * minuteMs, localMs - Math.min(...offsets) * minuteMs]
  const { date, time } = toLocalTime(new Date(findClockChange(before, after, zone)), zone)
  return { nextValid: `${date}T${time}` }
}

/** Returns the first minute after the clock change between two instants; all in milliseconds. */
function findClockChange(before: number, after: number, zone: string): number {
  const offset = tzOffset(zone, new Date(before))
  let [from, until] = [before, after]
  while (until - from > minuteMs) {
    const middle = from + Math.floor((until - from) / minuteMs / 2) * minuteMs
    if (tzOffset(zone, new Date(middle)) === offset) from = middle
    else until = middle
  }
  return until
}

/** Returns the instant of a local time, or of the next valid time when a clock change skips it. */
export function nextValidInstant(local: string, zone: string): string {
  const parsed = parseLocalTime(local, zone)
  if ('instant' in parsed) return parsed.instant
  const next = parseLocalTime(parsed.nextValid, zone)
  if ('instant' in next) return next.instant
  throw new RangeError('The time after a clock change is valid')
}

/** Parses an `AppointmentTime` of the contract, either an instant or a local time of the practice, to the minute. */
export function parseTime(text: string, zone: string): ParsedTime {
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(text)) return parseLocalTime(text, zone)
  return { instant: new Date(Math.floor(Date.parse(text) / minuteMs) * minuteMs).toISOString() }
}

/** Returns a calendar date, `days` later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10)

/** Returns the first instant of a date and that of the next date (exclusive): 23 to 25 hours. */
export const dayBounds = (date: string, zone: string): { from: string; until: string } => ({
  from: nextValidInstant(`${date}T00:00`, zone),
  until: nextValidInstant(`${addDays(date, 1)}T00:00`, zone),
})

/** Returns the dates an appointment touches: one, or two when it continues past midnight. */
export function touchedDays(startsAt: string, minutes: number, zone: string): string[] {
  const first = toLocalTime(startsAt, zone).date
  const last = toLocalTime(new Date(Date.parse(startsAt) + minutes * minuteMs - 1), zone).date
  return first === last ? [first] : [first, last]
}

/** Returns the instant `minutes` later. */
export const addMinutes = (startsAt: string, minutes: number): string =>
  new Date(Date.parse(startsAt) + minutes * minuteMs).toISOString()
