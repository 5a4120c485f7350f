import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layOutCoverage } from '#web/features/insurance/coverage-line.ts'

it('shows the coverage, today and the decisions between the first and the last of these days', () => {
  const coverage = { eligibilityDate: '2026-01-01', expiryDate: '2026-01-11' }
  expect(layOutCoverage(coverage, ['2026-01-06'], '2026-01-21')).toEqual({
    from: '2026-01-01',
    until: '2026-01-21',
    covered: { start: 0, end: 50 },
    today: 100,
    decisions: [25],
  })
})

it('reaches the end of the line where a day is not known, and is none without any', () => {
  const today = '2026-01-11'
  expect(layOutCoverage({ eligibilityDate: '2026-01-01', expiryDate: null }, [], today)?.covered).toEqual({
    start: 0,
    end: 100,
  })
  expect(layOutCoverage({ eligibilityDate: null, expiryDate: null }, [], today)).toBeNull()
})

it('stays on the line', () => {
  const date = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString().slice(0, 10))
  const coverage = fc.record({ eligibilityDate: fc.option(date), expiryDate: fc.option(date) })
  fc.assert(
    fc.property(coverage, fc.array(date, { maxLength: 4 }), date, (dates, decidedOn, today) => {
      const line = layOutCoverage(dates, decidedOn, today)
      if (!line) return
      const { covered, decisions } = line
      for (const place of [covered.start, covered.end, line.today, ...decisions]) {
        expect(place).toBeGreaterThanOrEqual(0)
        expect(place).toBeLessThanOrEqual(100)
      }
      expect(covered.end).toBeGreaterThanOrEqual(covered.start)
    }),
  )
})
