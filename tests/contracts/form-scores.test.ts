import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getMaxTotal, listItemIds, scoreForm } from '#contracts/values/form-scores.ts'
import { type Answer, type Answers, FormScore } from '#contracts/values/forms.ts'

const instruments = ['PHQ-9', 'GAD-7'] as const
type Instrument = (typeof instruments)[number]

const toAnswers = (instrument: Instrument, points: readonly (Answer | undefined)[]): Answers =>
  Object.fromEntries(
    listItemIds(instrument).flatMap((id, index) => {
      const answer = points[index]
      return answer === undefined ? [] : [[id, answer]]
    }),
  )

/** Returns answers that add up to a total, the highest first. */
const answersFor = (instrument: Instrument, total: number): Answers =>
  toAnswers(
    instrument,
    listItemIds(instrument).map((_, index) => Math.max(0, Math.min(3, total - 3 * index))),
  )

const points = fc.integer({ min: 0, max: 3 })
const wrongPoints: fc.Arbitrary<Answer> = fc.oneof(
  fc.integer().filter((value) => value < 0 || value > 3),
  fc.double().filter((value) => !Number.isInteger(value)),
  fc.boolean(),
  fc.constantFrom('2', '', 'Several days'),
  fc.constantFrom<Answer>(['2']),
)

describe('the band of a complete score', () => {
  it.each([
    ['PHQ-9', 0, 'Minimal'],
    ['PHQ-9', 4, 'Minimal'],
    ['PHQ-9', 5, 'Mild'],
    ['PHQ-9', 9, 'Mild'],
    ['PHQ-9', 10, 'Moderate'],
    ['PHQ-9', 14, 'Moderate'],
    ['PHQ-9', 15, 'Moderately severe'],
    ['PHQ-9', 19, 'Moderately severe'],
    ['PHQ-9', 20, 'Severe'],
    ['PHQ-9', 27, 'Severe'],
    ['GAD-7', 0, 'Minimal'],
    ['GAD-7', 4, 'Minimal'],
    ['GAD-7', 5, 'Mild'],
    ['GAD-7', 9, 'Mild'],
    ['GAD-7', 10, 'Moderate'],
    ['GAD-7', 14, 'Moderate'],
    ['GAD-7', 15, 'Severe'],
    ['GAD-7', 21, 'Severe'],
  ] as const)('of %s with a total of %i is %s', (instrument, total, band) => {
    const items = listItemIds(instrument).length
    expect(scoreForm(answersFor(instrument, total))).toEqual([{ instrument, answered: items, items, total, band }])
  })
})

describe('a score', () => {
  it('does not exist for an instrument without an answered item', () => {
    expect(scoreForm({})).toEqual([])
    expect(scoreForm({ 'phq9-difficulty': 3, 'gad7-difficulty': 2, reason: 'Tired' })).toEqual([])
  })

  it('has no total and no band while an item is missing, even when the others already reach a band', () => {
    const answers = toAnswers('PHQ-9', [3, 3, 3, 3, 3, 3, 3, 3])
    expect(scoreForm(answers)).toEqual([{ instrument: 'PHQ-9', answered: 8, items: 9, total: null, band: null }])
  })

  it('is the sum of its items, without the question about difficulty, in any order', () => {
    fc.assert(
      fc.property(fc.array(points, { minLength: 16, maxLength: 16 }), points, (all, difficulty) => {
        const [phq, gad] = [all.slice(0, 9), all.slice(9)]
        const answers = {
          ...toAnswers('PHQ-9', phq),
          'phq9-difficulty': difficulty,
          ...toAnswers('GAD-7', gad),
          'gad7-difficulty': difficulty,
        }
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
        expect(scoreForm(answers).map(({ total }) => total)).toEqual([sum(phq), sum(gad)])
        const shuffled = Object.fromEntries(Object.entries(answers).toReversed())
        expect(scoreForm(shuffled)).toEqual(scoreForm(answers))
      }),
    )
  })

  it('grows with every item, and never beyond its maximum', () => {
    const item = fc.constantFrom(...instruments).chain((instrument) =>
      fc.record({
        instrument: fc.constant(instrument),
        values: fc.array(points, { minLength: 9, maxLength: 9 }),
        raised: fc.integer({ min: 0, max: listItemIds(instrument).length - 1 }),
      }),
    )
    fc.assert(
      fc.property(item, ({ instrument, values, raised }) => {
        const [before] = scoreForm(toAnswers(instrument, values))
        const [after] = scoreForm(toAnswers(instrument, values.with(raised, Math.min(3, (values[raised] ?? 0) + 1))))
        expect(after?.total).toBeGreaterThanOrEqual(before?.total ?? 0)
        expect(after?.total).toBeLessThanOrEqual(after ? getMaxTotal(after) : 0)
      }),
    )
  })

  it('counts no answer but whole numbers of 0 to 3', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...instruments),
        fc.array(fc.oneof(points, wrongPoints), { minLength: 9, maxLength: 9 }),
        (instrument, values) => {
          const ids = listItemIds(instrument)
          const valid = values.slice(0, ids.length).filter((value) => [0, 1, 2, 3].some((each) => each === value))
          const [score] = scoreForm(toAnswers(instrument, values))
          expect(score?.answered ?? 0).toBe(valid.length)
          expect((score?.total ?? null) === null).toBe(valid.length < ids.length)
          if (score) expect(FormScore.parse(score)).toEqual(score)
        },
      ),
    )
  })
})
