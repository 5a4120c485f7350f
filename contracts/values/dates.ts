import { z } from 'zod'

/** The latest date it is anywhere on earth (UTC+14), as YYYY-MM-DD: a browser cannot know the practice's own today. */
const latestToday = () => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)

/** A calendar date without time or zone, YYYY-MM-DD; only dates that exist. */
const CalendarDate = z.iso.date({ error: 'Please enter a real date' })

/** A day in somebody's life: not before 1900 and not in the future. The server checks again in the practice's time zone. */
export const LifeDate = CalendarDate.refine((date) => date >= '1900-01-01', 'Must not be before 1900').refine(
  (date) => date <= latestToday(),
  'Must not be in the future',
)
