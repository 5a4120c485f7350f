import { findPointDays } from '#contracts/values/analytics.ts'
import { addDays, getStartOfDay } from '#contracts/values/calendar.ts'

const dayMs = 86_400_000

/** Instants in UTC; `until` is not included. */
export type Span = { from: string; until: string }

/** A period with the one before it, and the parts of both for a chart, oldest first. Dates are YYYY-MM-DD. */
export type Period = {
  from: string
  to: string
  days: number
  before: { from: string; to: string }
  span: Span
  spanBefore: Span
  parts: readonly { from: string; to: string; span: Span; spanBefore: Span }[]
}

/** Lays out a period of local dates in a time zone. The last part ends with it; the first may be shorter. */
export function createPeriod({ from, to }: { from: string; to: string }, zone: string): Period {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
  const toSpan = (first: string, last: string): Span => ({
    from: getStartOfDay(first, zone),
    until: getStartOfDay(addDays(last, 1), zone),
  })
  const shift = (date: string) => addDays(date, -days)
  const pointDays = findPointDays(days)
  const parts = Array.from({ length: Math.ceil(days / pointDays) }, (_, index) => {
    const last = addDays(to, -index * pointDays)
    const start = addDays(last, 1 - pointDays)
    const first = start < from ? from : start
    return { from: first, to: last, span: toSpan(first, last), spanBefore: toSpan(shift(first), shift(last)) }
  })
  const before = { from: shift(from), to: addDays(from, -1) }
  return {
    from,
    to,
    days,
    before,
    span: toSpan(from, to),
    spanBefore: toSpan(before.from, before.to),
    parts: parts.toReversed(),
  }
}
