import { groupBy } from '#web/ui/group-by.ts'
import type { FormAnalysis } from '#contracts/forms.ts'

/** Words of an answer on which a finding rests; findings are numbered from 1. */
export type Quote = { finding: number; quote: string }

/** Part of an answer from a position on, with the findings that rest on it; `ends` are those whose words end here. */
export type EvidencePart = { start: number; text: string; findings: readonly number[]; ends: readonly number[] }

type Range = { finding: number; start: number; end: number }

/** Joins the ranges of each finding that overlap or touch, so that its number is shown once. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const sorted = ranges.toSorted((a, b) => a.finding - b.finding || a.start - b.start)
  const joined: Range[] = []
  for (const range of sorted) {
    const last = joined.at(-1)
    if (last && last.finding === range.finding && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else joined.push({ ...range })
  }
  return joined
}

/** Splits an answer into plain and marked parts. Quotes may overlap; one that the answer does not contain marks nothing. */
export function markEvidence(text: string, quotes: readonly Quote[]): EvidencePart[] {
  const found = quotes.flatMap(({ finding, quote }) => {
    const start = quote === '' ? -1 : text.indexOf(quote)
    return start < 0 ? [] : [{ finding, start, end: start + quote.length }]
  })
  const ranges = joinRanges(found)
  const bounds = [...new Set([0, text.length, ...ranges.flatMap(({ start, end }) => [start, end])])].toSorted(
    (a, b) => a - b,
  )
  return bounds.slice(1).map((end, index) => {
    const start = bounds[index] ?? 0
    const covering = ranges.filter((range) => range.start <= start && range.end >= end)
    return {
      start,
      text: text.slice(start, end),
      findings: covering.map(({ finding }) => finding),
      ends: covering.filter((range) => range.end === end).map(({ finding }) => finding),
    }
  })
}

/** Returns the quotes of all findings by the question that they are from. */
export function groupQuotes({ findings }: Pick<FormAnalysis, 'findings'>): Map<string, Quote[]> {
  const quotes = findings.flatMap(({ evidence }, index) =>
    evidence.map(({ questionId, quote }) => ({ questionId, finding: index + 1, quote })),
  )
  return groupBy(quotes, ({ questionId }) => questionId)
}

/** Returns the numbers of the findings that rest on words which an answer no longer contains. `answers` are as they are shown. */
export function findStaleFindings(
  { findings, isStale }: Pick<FormAnalysis, 'findings' | 'isStale'>,
  answers: ReadonlyMap<string, string>,
): Set<number> {
  if (!isStale) return new Set()
  const isGone = (questionId: string, quote: string) => !answers.get(questionId)?.includes(quote)
  return new Set(
    findings.flatMap(({ evidence }, index) =>
      evidence.some(({ questionId, quote }) => isGone(questionId, quote)) ? [index + 1] : [],
    ),
  )
}
