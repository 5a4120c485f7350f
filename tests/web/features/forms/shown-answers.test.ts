import { describe, expect, it } from 'vitest'
import { groupAnswers, listAnswerTexts } from '#web/features/forms/review/shown-answers.ts'
import { template } from './fixture.ts'

const list = (answers: Parameters<typeof groupAnswers>[1], of: typeof template | null = template) =>
  groupAnswers(of, answers).map(({ title, answers: shown }) => [
    title,
    ...shown.map(({ label, text }) => [label, text]),
  ])

describe('the answers of a form under review', () => {
  it('are grouped by the template, with unanswered questions and other answers', () => {
    const answers = { reason: 'Cough', smokes: true, cigarettes: 10, sports: ['run', 'swim'], Hobby: 'Chess' }
    expect(list(answers)).toEqual([
      ['Reason', ['Question reason', 'Cough'], ['Question since', 'Not answered']],
      [
        'Habits',
        ['Question smokes', 'Yes'],
        ['Question cigarettes', '10 a day'],
        ['Question sports', 'Running, Swimming'],
      ],
      ['More', ['Question pool', 'Not answered']],
      ['Signature', ['Question signature', 'Not answered']],
      ['Other answers', ['Hobby', 'Chess']],
    ])
  })

  it('show an answer also when its question is not asked any more', () => {
    expect(list({ smokes: false, cigarettes: 10 })[1]).toContainEqual(['Question cigarettes', '10 a day'])
  })

  it('are all other answers without a template', () => {
    expect(list({ a: true, b: ['x', 'y'], c: 2 }, null)).toEqual([
      ['Other answers', ['a', 'Yes'], ['b', 'x, y'], ['c', '2']],
    ])
    expect(list({}, null)).toEqual([])
  })

  it('are found by their question', () => {
    expect(listAnswerTexts(groupAnswers(template, { smokes: false })).get('smokes')).toBe('No')
  })
})
