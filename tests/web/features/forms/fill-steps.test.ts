import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answers } from '#contracts/values/forms.ts'
import {
  diffAnswers,
  findSubmitErrors,
  listSteps,
  parseNumber,
  toAnswerErrors,
  toSavedAnswers,
} from '#web/features/forms/fill/fill-steps.ts'
import { template } from './fixture.ts'

const stepIds = (answers: Answers) => listSteps(template, answers).map(({ id }) => id)
const questionIds = (answers: Answers) =>
  listSteps(template, answers).flatMap(({ questions }) => questions.map(({ id }) => id))

describe('the steps of a form', () => {
  it('are its groups, without those of which nothing is asked', () => {
    expect(stepIds({})).toEqual(['reason', 'habits', 'sign'])
    expect(questionIds({})).toEqual(['reason', 'since', 'smokes', 'sports', 'signature'])
  })

  it('ask what an answer leads to', () => {
    expect(questionIds({ smokes: true })).toContain('cigarettes')
    expect(questionIds({ smokes: false })).not.toContain('cigarettes')
    expect(stepIds({ smokes: true, cigarettes: 20 })).toEqual(['reason', 'habits', 'more', 'sign'])
    expect(questionIds({ smokes: true, cigarettes: 10 })).not.toContain('quit')
  })

  it('ask for one of several choices', () => {
    expect(questionIds({ sports: ['run', 'swim'] })).toContain('pool')
    expect(questionIds({ sports: ['run'] })).not.toContain('pool')
  })

  it('do not ask what only a hidden answer leads to', () => {
    expect(questionIds({ smokes: false, cigarettes: 20 })).not.toContain('quit')
  })
})

describe('the answers to save', () => {
  it('are those that are asked for and valid', () => {
    const typed = { reason: 'Cough', since: '2026-02-30', smokes: false, cigarettes: 20, quit: 'soon', sports: [] }
    expect(toSavedAnswers(template, typed)).toEqual({ reason: 'Cough', smokes: false })
    expect(toSavedAnswers(template, { smokes: true, cigarettes: 'ten' })).toEqual({ smokes: true })
    expect(toSavedAnswers(template, { reason: '  ' })).toEqual({})
  })

  it('return with the answer that asks for them', () => {
    const hidden = { smokes: false, cigarettes: 20, quit: 'soon' }
    const shown = { ...hidden, smokes: true }
    const before = toSavedAnswers(template, shown)
    expect(diffAnswers(before, toSavedAnswers(template, hidden))).toEqual({
      smokes: false,
      cigarettes: null,
      quit: null,
    })
    expect(diffAnswers(toSavedAnswers(template, hidden), before)).toEqual({
      smokes: true,
      cigarettes: 20,
      quit: 'soon',
    })
  })

  it('change only where they differ', () => {
    expect(diffAnswers({ sports: ['run'], reason: 'Cough' }, { sports: ['run'], reason: 'Cold' })).toEqual({
      reason: 'Cold',
    })
    expect(diffAnswers({}, {})).toEqual({})
  })

  it('lead from any state to any other', () => {
    const answers = fc.dictionary(
      fc.constantFrom('reason', 'since', 'smokes', 'sports', 'constructor'),
      fc.oneof(fc.string({ minLength: 1 }), fc.boolean(), fc.integer(), fc.array(fc.string(), { maxLength: 3 })),
    )
    fc.assert(
      fc.property(answers, answers, (before, after) => {
        const change = diffAnswers(before, after)
        const applied = Object.entries({ ...before, ...change }).filter(([, answer]) => answer !== null)
        expect(Object.fromEntries(applied)).toEqual({ ...after })
        for (const [id, answer] of Object.entries(change)) expect(answer).not.toEqual(before[id] ?? undefined)
      }),
    )
  })
})

describe('the errors of a form that is submitted', () => {
  it('are the missing and the invalid answers, in the order of the questions', () => {
    const errors = findSubmitErrors(template, { since: '26.11.2026', smokes: true, cigarettes: 300 })
    expect([...errors]).toEqual([
      ['reason', 'Please answer this question'],
      ['since', 'Please enter a valid date'],
      ['cigarettes', 'Must be at most 200'],
      ['signature', 'Please answer this question'],
    ])
  })

  it('are none at hidden questions', () => {
    const answers = { reason: 'Cough', smokes: false, cigarettes: 300, signature: 'Ada Lovelace' }
    expect(findSubmitErrors(template, answers).size).toBe(0)
  })

  it('are read from a refusal by question', () => {
    const errors = toAnswerErrors([
      { path: 'formData.cigarettes', message: 'Must be at most 200' },
      { path: 'title', message: 'Please enter a title' },
    ])
    expect([...errors]).toEqual([['cigarettes', 'Must be at most 200']])
  })
})

it.each([
  ['10', 10],
  [' -2.5 ', -2.5],
  ['1.', 1],
  ['.5', 0.5],
  ['1,250', 1_250],
  ['1,250,000.5', 1_250_000.5],
  ['1,5', '1,5'],
  ['ten', 'ten'],
  ['-', '-'],
  ['1e3', '1e3'],
  ['0x10', '0x10'],
])('reads the typed number "%s" as %j', (text, number) => {
  expect(parseNumber(text)).toBe(number)
})
