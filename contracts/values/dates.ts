import { z } from 'zod'

/** Returns the latest local date on earth (UTC+14), YYYY-MM-DD: a browser does not know the practice's time zone. */
const latestToday = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)

/** A calendar date without time or zone, YYYY-MM-DD; only dates that exist. */
export const CalendarDate = z.iso.date({ error: 'Please enter a valid date' })

/**
 * A date in a person's life: not before 1900 and not in the future. The server checks it again in the practice's time
 * zone.
 */
export const LifeDate = CalendarDate.refine((date) => date >= '1900-01-01', 'Must not be before 1900').refine(
  (date) => date <= latestToday(),
  'Must not be in the future',
)
