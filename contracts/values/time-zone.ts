import { z } from 'zod'

let known: readonly string[] | undefined

/** Returns the time zones to choose from (IANA names), sorted. Collected when they are first needed: a phone takes 20 ms for it. */
export const listTimeZones = (): readonly string[] =>
  (known ??= [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted())

/**
 * Intl also accepts offsets such as "+02:00", which have no daylight saving, and abbreviations such as "BST" and "SystemV/EST5",
 * which PostgreSQL reads differently or not at all: a practice needs a place.
 */
const isKnownTimeZone = (zone: string) => {
  if (listTimeZones().includes(zone)) return true
  try {
    const isPlace = /^[A-Za-z]+\//.test(zone) && !/^(SystemV\/|US\/Pacific-New$)/i.test(zone)
    return isPlace && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }))
  } catch {
    return false
  }
}

/** An IANA time zone, for example "America/New_York". Every "today" of a practice is in it. */
export const TimeZone = z.string().max(64).refine(isKnownTimeZone, 'Please choose a known time zone')
export type TimeZone = z.infer<typeof TimeZone>
