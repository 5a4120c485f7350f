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

/** Instants whose offset is kept: before them clock changes happened at any second, and after them years have more digits. */
const keptFromMs = Date.UTC(1975, 0)
const keptUntilMs = Date.UTC(9999, 0)
/** The most days that are kept for a zone: more than the lists of an hour show. */
const maxKeptDays = 1_000

/** The offset of each day in UTC from local time in milliseconds, by zone; null for one with a clock change in it. */
const keptOffsets = new Map<string, Map<number, number | null>>()

/**
 * Returns the offset from UTC at an instant; null where it is not known for a whole day in UTC. A day that begins and ends with the same
 * offset has it throughout: in no zone of the time zone database do two clock changes since 1975 lie closer together than six days.
 */
function findKeptOffset(instantMs: number, zone: string): number | null {
  if (!(instantMs >= keptFromMs && instantMs < keptUntilMs)) return null
  const offsets = keptOffsets.get(zone) ?? new Map<number, number | null>()
  const startMs = Math.floor(instantMs / dayMs) * dayMs
  const known = offsets.get(startMs)
  if (known !== undefined) return known
  const [first, last] = [startMs, startMs + dayMs - minuteMs].map((ms) => {
    const { date, time } = formatInstant(new Date(ms), zone)
    return Date.parse(`${date}T${time}:00.000Z`) - ms
  })
  const offset = first !== undefined && first === last ? first : null
  if (offsets.size >= maxKeptDays) offsets.clear()
  keptOffsets.set(zone, offsets.set(startMs, offset))
  return offset
}

/**
 * Returns the local date and time of an instant in a time zone. A list of appointments asks for those of the same day again and again,
 * and formatting takes several times as long as adding an offset.
 */
export function toLocalDateTime(instant: Date | string, zone: string): LocalDateTime {
  const at = new Date(instant)
  const offset = findKeptOffset(at.getTime(), zone)
  if (offset === null) return formatInstant(at, zone)
  const local = new Date(at.getTime() + offset).toISOString()
  return { date: local.slice(0, 10), time: local.slice(11, 16) }
}

function formatInstant(instant: Date, zone: string): LocalDateTime {
  const parts = getFormatter(zone).formatToParts(instant)
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
