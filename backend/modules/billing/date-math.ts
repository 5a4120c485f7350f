const dayMs = 86_400_000

/** An instant so many days of 24 hours later; ISO text in UTC. Paid periods know no daylight saving. */
export const addDays = (instant: string | Date, days: number): string =>
  new Date(new Date(instant).getTime() + days * dayMs).toISOString()

/** The same day and time of the next month in UTC, or the last day of it where it is shorter. */
export function addMonth(instant: string): string {
  const from = new Date(instant)
  const next = new Date(from)
  next.setUTCMonth(from.getUTCMonth() + 1)
  // The 31st of a month with 30 days is the 1st of the one after it.
  if (next.getUTCDate() !== from.getUTCDate()) next.setUTCDate(0)
  return next.toISOString()
}
