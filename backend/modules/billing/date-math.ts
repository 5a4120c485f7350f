const dayMs = 86_400_000

/** Adds days of 24 hours to an instant; ISO text in UTC. Billing periods ignore daylight saving time. */
export const addDays = (instant: string | Date, days: number): string =>
  new Date(new Date(instant).getTime() + days * dayMs).toISOString()

/** Returns the same day and time of the next month in UTC, or its last day when it is shorter. */
export function addMonth(instant: string): string {
  const from = new Date(instant)
  const next = new Date(from)
  next.setUTCMonth(from.getUTCMonth() + 1)
  // `setUTCMonth` overflows: the 31st of a 30-day month becomes the 1st of the following month.
  if (next.getUTCDate() !== from.getUTCDate()) next.setUTCDate(0)
  return next.toISOString()
}
