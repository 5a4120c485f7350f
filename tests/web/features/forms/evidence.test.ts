import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findStaleFindings, groupQuotes, markEvidence, type Quote } from '#web/features/forms/review/evidence.ts'

const mark = (text: string, ...quotes: [finding: number, quote: string][]) =>
  markEvidence(
    text,
    quotes.map(([finding, quote]) => ({ finding, quote })),
  ).map((part) => [part.text, part.findings, part.ends])

describe('the evidence in an answer', () => {
  it('is marked between plain parts', () => {
    expect(mark('I smoke ten a day.', [2, 'ten a day'])).toEqual([
      ['I smoke ', [], []],
      ['ten a day', [2], [2]],
      ['.', [], []],
    ])
    expect(mark('No', [1, 'No'])).toEqual([['No', [1], [1]]])
  })

  it('may belong to several findings, whose words overlap', () => {
    expect(mark('iron in the morning with coffee', [1, 'iron in the morning'], [2, 'the morning with coffee'])).toEqual(
      [
        ['iron in ', [1], []],
        ['the morning', [1, 2], [1]],
        [' with coffee', [2], [2]],
      ],
    )
    expect(mark('rash all over', [1, 'rash all over'], [2, 'all'])).toEqual([
      ['rash ', [1], []],
      ['all', [1, 2], [2]],
      [' over', [1], [1]],
    ])
  })

  it('shows the number of a finding once where its own quotes overlap', () => {
    expect(mark('rash all over', [1, 'rash all'], [1, 'all over'])).toEqual([['rash all over', [1], [1]]])
  })

  it('marks nothing for words that the answer does not contain', () => {
    expect(mark('Not any more', [1, 'ten a day'], [2, ''])).toEqual([['Not any more', [], []]])
    expect(mark('', [1, 'ten'])).toEqual([])
  })

  it('keeps every word once, and marks each quote wholly', () => {
    const word = fc.constantFrom('a', 'b', 'ab', ' ', 'ba', 'é', '😀')
    const textOf = (words: readonly string[]) => words.join('')
    const quote = fc.record({
      finding: fc.integer({ min: 1, max: 4 }),
      quote: fc.array(word, { maxLength: 4 }).map(textOf),
    })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }).map(textOf), fc.array(quote, { maxLength: 6 }), (text, quotes) => {
        const parts = markEvidence(text, quotes)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        for (const { finding, quote: words } of quotes.filter(
          (one: Quote) => one.quote !== '' && text.includes(one.quote),
        )) {
          const start = text.indexOf(words)
          const inside = parts.filter(
            (part) => part.start < start + words.length && part.start + part.text.length > start,
          )
          expect(inside.every(({ findings }) => findings.includes(finding))).toBe(true)
        }
        // Every marked stretch of a finding ends with its number exactly once.
        for (const [index, part] of parts.entries())
          for (const finding of part.findings)
            expect(part.ends.includes(finding)).toBe(!parts[index + 1]?.findings.includes(finding))
        expect(parts.every(({ text: part }) => part !== '')).toBe(true)
      }),
    )
  })
})

const finding = (...evidence: [questionId: string, quote: string][]) => ({
  text: 'Something',
  severity: 'info' as const,
  evidence: evidence.map(([questionId, quote]) => ({ questionId, quote })),
})

describe('the findings of an analysis', () => {
  const findings = [finding(['smokes', 'No'], ['exercise', 'fewer cigarettes']), finding(['medicines', 'iron'])]

  it('are numbered from 1 at the answers that they rest on', () => {
    expect(Object.fromEntries(groupQuotes({ findings }))).toMatchObject({
      smokes: [{ finding: 1, quote: 'No' }],
      exercise: [{ finding: 1, quote: 'fewer cigarettes' }],
      medicines: [{ finding: 2, quote: 'iron' }],
    })
  })

  it('are stale when a word that they rest on is gone', () => {
    const answers = new Map([
      ['smokes', 'No'],
      ['exercise', 'Walking'],
      ['medicines', 'iron tablet'],
    ])
    expect([...findStaleFindings({ findings, isStale: true }, answers)]).toEqual([1])
    expect([...findStaleFindings({ findings, isStale: true }, new Map())]).toEqual([1, 2])
    expect([...findStaleFindings({ findings, isStale: false }, new Map())]).toEqual([])
  })
})
