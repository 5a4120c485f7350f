/**
 * Conversion between instants and the local calendar of a time zone (IANA name). Dates are YYYY-MM-DD, times HH:mm,
 * returned instants ISO texts in UTC with milliseconds.
 */
export type LocalDateTime = { date: string; time: string }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

// Intl, because `Temporal` is not available in Node 24; a formatter is expensive to create and cheap to use.
const formatters = new Map<string, Intl.DateTimeFormat>()

function getFormatter(zone: string): Intl.DateTimeFormat {
  const cached = formatters.get(zone)
  if (cached) return cached
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formatters.set(zone, formatter)
  return formatter
}

/** Returns the local date and time of an instant in a time zone. */
export function toLocalDateTime(instant: Date | string, zone: string): LocalDateTime {
  const parts = getFormatter(zone).formatToParts(new Date(instant))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((candidate) => candidate.type === type)?.value ?? ''
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` }
}

/** Returns the local date of an instant in a time zone. */
export const toLocalDate = (instant: Date | string, zone: string): string => toLocalDateTime(instant, zone).date

/** Returns the local time of an instant in a time zone. */
export const toLocalTime = (instant: Date | string, zone: string): string => toLocalDateTime(instant, zone).time

/**
 * Returns the instant of a local time: the earlier one for a time that a clock change repeats, null for a time that a
 * clock change skips.
 */
export function findInstant(date: string, time: string, zone: string): string | null {
  const localMs = Date.parse(`${date}T${time}:00.000Z`)
  const candidates = [localMs - dayMs, localMs + dayMs]
    .map((near) => localMs - getOffsetMs(near, zone))
    .filter((candidate) => candidate + getOffsetMs(candidate, zone) === localMs)
  return candidates.length === 0 ? null : new Date(Math.min(...candidates)).toISOString()
}

/**
 * Returns the instant of a local time: the earlier one for a time that a clock change repeats, the moment of the clock
 * change for a time that it skips.
 */
export const toInstant = (date: string, time: string, zone: string): string =>
  findInstant(date, time, zone) ?? findClockChange(date, time, zone)

/** Returns the first instant of a date in a time zone. Some dates have 23 or 25 hours, and some have no midnight. */
export const getStartOfDay = (date: string, zone: string): string => toInstant(date, '00:00', zone)

/** Returns the date `days` later. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00.000Z`) + days * dayMs).toISOString().slice(0, 10)

/** Returns the difference between local time and UTC at an instant, in milliseconds. */
function getOffsetMs(instantMs: number, zone: string): number {
  const { date, time } = toLocalDateTime(new Date(instantMs), zone)
  return Date.parse(`${date}T${time}:00.000Z`) - Math.floor(instantMs / minuteMs) * minuteMs
}

/** Returns the first instant after the clock change that skips a local time. */
function findClockChange(date: string, time: string, zone: string): string {
  const localMs = Date.parse(`${date}T${time}:00.000Z`)
  const offsets = [getOffsetMs(localMs - dayMs, zone), getOffsetMs(localMs + dayMs, zone)]
  let [before, after] = [localMs - Math.max(...offsets), localMs - Math.min(...offsets)]
  const offsetBefore = getOffsetMs(before, zone)
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / minuteMs / 2) * minuteMs
    if (getOffsetMs(middle, zone) === offsetBefore) before = middle
    else after = middle
  }
  return new Date(after).toISOString()
}
