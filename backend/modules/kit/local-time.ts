import {
  addDays,
  findInstant,
  getStartOfDay,
  toInstant,
  toLocalDate,
  toLocalDateTime,
} from '#contracts/values/calendar.ts'

const minuteMs = 60_000

/** A parsed time: an ISO instant in UTC or, for a local time that a clock change skips, the next valid local time. */
export type ParsedTime = { instant: string } | { nextValid: string }

const split = (local: string): [date: string, time: string] => [local.slice(0, 10), local.slice(11, 16)]

/** Parses a local time (`2026-03-08T09:30`). Returns the earlier instant for a time that a clock change repeats. */
export function parseLocalTime(local: string, zone: string): ParsedTime {
  const instant = findInstant(...split(local), zone)
  if (instant !== null) return { instant }
  const { date, time } = toLocalDateTime(nextValidInstant(local, zone), zone)
  return { nextValid: `${date}T${time}` }
}

/** Returns the instant of a local time, or of the next valid time when a clock change skips it. */
export const nextValidInstant = (local: string, zone: string): string => toInstant(...split(local), zone)

/** Parses an `AppointmentTime` of the contract, either an instant or a local time of the practice, to the minute. */
export function parseTime(text: string, zone: string): ParsedTime {
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(text)) return parseLocalTime(text, zone)
  return { instant: new Date(Math.floor(Date.parse(text) / minuteMs) * minuteMs).toISOString() }
}

/** Returns the first instant of a date and that of the next date (exclusive): 23 to 25 hours. */
export const dayBounds = (date: string, zone: string): { from: string; until: string } => ({
  from: getStartOfDay(date, zone),
  until: getStartOfDay(addDays(date, 1), zone),
})

/** Returns the dates an appointment touches: one, or two when it continues past midnight. */
export function touchedDays(startsAt: string, minutes: number, zone: string): string[] {
  const first = toLocalDate(startsAt, zone)
  const last = toLocalDate(new Date(Date.parse(startsAt) + minutes * minuteMs - 1), zone)
  return first === last ? [first] : [first, last]
}

/** Returns the instant `minutes` later. */
export const addMinutes = (startsAt: string, minutes: number): string =>
  new Date(Date.parse(startsAt) + minutes * minuteMs).toISOString()
