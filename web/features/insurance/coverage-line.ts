/** A coverage on a line from `from` to `until`; the places are percentages of its length. */
export type CoverageLine = {
  from: string
  until: string
  covered: { start: number; end: number }
  today: number
  /** The places of the days on which a person decided. */
  decisions: readonly number[]
}

type Coverage = { eligibilityDate: string | null; expiryDate: string | null }

/**
 * Lays a coverage out on a line that also shows today and the days of decisions. A coverage without a first or last day reaches
 * the end of the line. Returns null when neither is known. Dates are YYYY-MM-DD.
 */
export function layOutCoverage(
  { eligibilityDate, expiryDate }: Coverage,
  decidedOn: readonly string[],
  today: string,
): CoverageLine | null {
  if (eligibilityDate === null && expiryDate === null) return null
  const dates = [eligibilityDate, expiryDate, today, ...decidedOn].filter((date) => date !== null).toSorted()
  const [from = today] = dates
  const until = dates.at(-1) ?? today
  const lengthMs = Math.max(1, Date.parse(until) - Date.parse(from))
  const place = (date: string) => Math.round(((Date.parse(date) - Date.parse(from)) / lengthMs) * 1_000) / 10
  const start = eligibilityDate === null ? 0 : place(eligibilityDate)
  const end = expiryDate === null ? 100 : place(expiryDate)
  return {
    from,
    until,
    covered: { start, end: Math.max(start, end) },
    today: place(today),
    decisions: decidedOn.map(place),
  }
}
