import { z } from 'zod'

const isKnownTimeZone = (zone: string) => {
  try {
    // Offsets such as "+02:00" are accepted by Intl but have no daylight saving: a practice needs a place.
    return /^[A-Za-z]/.test(zone) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: zone }))
  } catch {
    return false
  }
}

/** An IANA time zone, for example "America/New_York". Every "today" of a practice is in it. */
export const TimeZone = z.string().max(64).refine(isKnownTimeZone, 'Please choose a known time zone')
export type TimeZone = z.infer<typeof TimeZone>
