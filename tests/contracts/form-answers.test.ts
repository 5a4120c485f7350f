import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkAnswers,
  findOtherAnswers,
  formatAnswer,
  getAnswer,
  isAnswered,
  isShown,
  notAnswered,
} from '#contracts/form-answers.ts'
import { formTemplates, listQuestions } from '#contracts/form-templates.ts'
import type { FormTemplate, Question } from '#contracts/forms.ts'
import type { Answer, Answers } from '#contracts/values/forms.ts'

const pain = { value: 'pain', label: 'Pain' }
const fever = { value: 'fever', label: 'Fever' }

const questions = {
  text: { id: 'text', type: 'text', label: 'Text' },
  number: { id: 'number', type: 'number', label: 'Number', min: 1, max: 80, unit: 'mg' },
  date: { id: 'date', type: 'date', label: 'Date' },
  choice: { id: 'choice', type: 'choice', label: 'Choice', options: [pain, fever] },
  several: { id: 'several', type: 'several', label: 'Several', options: [pain, fever] },
  'yes-no': { id: 'yes-no', type: 'yes-no', label: 'Yes or no' },
  scale: {
    id: 'scale',
    type: 'scale',
    label: 'Scale',
    options: [
      { value: '0', label: 'Not at all' },
      { value: '1', label: 'Several days' },
    ],
  },
  signature: { id: 'signature', type: 'signature', label: 'Signature' },
} as const satisfies Record<Question['type'], Question>

const createTemplate = (...asked: readonly Question[]): FormTemplate => ({
  formType: 'intake',
  version: 1,
  title: 'Test',
  groups: [{ id: 'all', title: 'All', questions: [...asked] }],
})

const check = (question: Question, answer: Answer, isComplete = false) =>
  checkAnswers(createTemplate(question), { [question.id]: answer }, { isComplete }).map(({ message }) => message)

/** Any answer that the contract admits, with ids of questions more often than chance would have it. */
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.string(),
  fc.constantFrom('pain', 'fever', '2026-11-26', '2026-02-30', '0', ''),
  fc.integer({ min: -2, max: 90 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.constantFrom('pain', 'fever', 'other'), { maxLength: 4 }),
)
const answersTo = (template: FormTemplate): fc.Arbitrary<Answers> => {
  const ids = [...listQuestions(template).map(({ id }) => id), 'favourite-food', 'constructor', 'toString']
  return fc.dictionary(fc.constantFrom(...ids), answer).map((record) => ({ ...record }))
}

describe('the answer to a question', () => {
  it.each([
    ['text', 'Since Monday'],
    ['signature', 'Ada Moreno'],
    ['number', 1],
    ['number', 80],
    ['number', 2.5],
    ['date', '2028-02-29'],
    ['choice', 'pain'],
    ['several', ['fever', 'pain']],
    ['yes-no', false],
    ['scale', 0],
    ['scale', 1],
  ] as const)('of the type %s may be %j', (type, value) => {
    expect(check(questions[type], typeof value === 'object' ? [...value] : value, true)).toEqual([])
  })

  it.each([
    ['text', 7, 'Please enter text'],
    ['signature', true, 'Please sign with your name'],
    ['number', '7', 'Please enter a number'],
    ['number', 0, 'Must be at least 1'],
    ['number', 81, 'Must be at most 80'],
    ['number', Number.POSITIVE_INFINITY, 'Please enter a number'],
    ['number', Number.NaN, 'Please enter a number'],
    ['date', '2027-02-29', 'Please enter a valid date'],
    ['date', '02/28/2027', 'Please enter a valid date'],
    ['date', '2027-2-8', 'Please enter a valid date'],
    ['date', 20270208, 'Please enter a valid date'],
    ['choice', 'cough', 'Please choose one of the options'],
    ['choice', 'Pain', 'Please choose one of the options'],
    ['choice', ['pain'], 'Please choose one of the options'],
    ['several', 'pain', 'Please choose among the options'],
    ['several', ['pain', 'cough'], 'Please choose among the options'],
    ['several', ['pain', 'pain'], 'Please choose each option once'],
    ['yes-no', 'yes', 'Please answer yes or no'],
    ['yes-no', 1, 'Please answer yes or no'],
    ['scale', 2, 'Please choose one of the options'],
    ['scale', -1, 'Please choose one of the options'],
    ['scale', 0.5, 'Please choose one of the options'],
    ['scale', '1', 'Please choose one of the options'],
    ['scale', true, 'Please choose one of the options'],
  ] as const)('of the type %s is refused when it is %j', (type, value, message) => {
    expect(check(questions[type], typeof value === 'object' ? [...value] : value)).toEqual([message])
  })

  it.each(Object.values(questions))('of the type $type may be empty while the form is a draft', (question) => {
    const required = { ...question, required: true }
    for (const empty of ['', ' \n', []]) {
      expect(check(required, empty)).toEqual([])
      expect(check(required, empty, true)).toEqual(['Please answer this question'])
      expect(check(question, empty, true)).toEqual([])
    }
  })

  it('has the path of its field', () => {
    const errors = checkAnswers(createTemplate(questions.number), { number: 'x' }, { isComplete: false })
    expect(errors).toEqual([{ path: 'formData.number', message: 'Please enter a number' }])
  })

  it('exists only when it is the own one of the form, not when every object inherits it', () => {
    const inherited: Question = { id: 'constructor', type: 'text', label: 'Who built it?', required: true }
    expect(getAnswer({}, 'constructor')).toBeUndefined()
    expect(checkAnswers(createTemplate(inherited), {}, { isComplete: true })).toEqual([
      { path: 'formData.constructor', message: 'Please answer this question' },
    ])
  })
})

describe('a question with a condition', () => {
  const which: Question = { id: 'which', type: 'text', label: 'Which?', required: true }
  const after = (questionId: string, shown: Answer) => ({ ...which, shownIf: { questionId, answer: shown } })
  const { several } = questions

  it('is shown after the answer it names, and required only then', () => {
    const question = after('yes-no', true)
    const template = createTemplate(questions['yes-no'], question)
    expect(isShown(question, {})).toBe(false)
    expect(isShown(question, { 'yes-no': false })).toBe(false)
    expect(isShown(question, { 'yes-no': true })).toBe(true)
    expect(checkAnswers(template, { 'yes-no': false }, { isComplete: true })).toEqual([])
    expect(checkAnswers(template, { 'yes-no': true }, { isComplete: true })).toHaveLength(1)
    expect(checkAnswers(template, { 'yes-no': true, which: 'Pollen' }, { isComplete: true })).toEqual([])
  })

  it('may name one of several choices, or all of them', () => {
    expect(isShown(after(several.id, 'fever'), { several: ['pain', 'fever'] })).toBe(true)
    expect(isShown(after(several.id, 'fever'), { several: ['pain'] })).toBe(false)
    expect(isShown(after(several.id, ['pain']), { several: ['pain'] })).toBe(true)
    expect(isShown(after(several.id, ['pain']), { several: ['pain', 'fever'] })).toBe(false)
  })

  it('is checked even while it is hidden: a wrong value is never stored', () => {
    const template = createTemplate(questions['yes-no'], { ...after('yes-no', true), type: 'number' })
    expect(checkAnswers(template, { 'yes-no': false, which: 'x' }, { isComplete: false })).toHaveLength(1)
  })
})

describe('the answers of a form', () => {
  const template = createTemplate(...Object.values(questions))

  it.each(formTemplates)('to $title are all missing from an empty form exactly where they are required', (each) => {
    const required = listQuestions(each).filter((question) => question.required && !question.shownIf)
    expect(checkAnswers(each, {}, { isComplete: true }).map(({ path }) => path)).toEqual(
      required.map(({ id }) => `formData.${id}`),
    )
    expect(checkAnswers(each, {}, { isComplete: false })).toEqual([])
  })

  it('may be of other questions, which are kept', () => {
    const answers = { text: 'Yes', 'favourite-food': 'Soup', old_scale: 7 }
    expect(checkAnswers(template, answers, { isComplete: true })).toEqual([])
    expect(findOtherAnswers(template, answers)).toEqual([
      ['favourite-food', 'Soup'],
      ['old_scale', 7],
    ])
  })

  it('have at most one error each, and never fewer when they are handed in', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...formTemplates, template).chain((each) => fc.tuple(fc.constant(each), answersTo(each))),
        ([each, answers]) => {
          const draft = checkAnswers(each, answers, { isComplete: false })
          const complete = checkAnswers(each, answers, { isComplete: true })
          expect(new Set(complete.map(({ path }) => path)).size).toBe(complete.length)
          expect(complete).toEqual(expect.arrayContaining(draft))
          for (const { path } of draft) expect(isAnswered(getAnswer(answers, path.replace('formData.', '')))).toBe(true)
        },
      ),
    )
  })

  it('without an error are read back as they were sent', () => {
    fc.assert(
      fc.property(answersTo(template), (answers) => {
        if (checkAnswers(template, answers, { isComplete: false }).length > 0) return
        const asked = listQuestions(template).filter(({ id }) => isAnswered(getAnswer(answers, id)))
        for (const question of asked) {
          const text = formatAnswer(question, getAnswer(answers, question.id))
          expect(text).not.toBe('')
          const labels = (question.options ?? []).map(({ label }) => label)
          if (labels.length > 0) for (const part of text.split(', ')) expect(labels).toContain(part)
        }
      }),
    )
  })
})

describe('an answer as text', () => {
  it.each([
    ['text', ' As I wrote it, 3 mg ', ' As I wrote it, 3 mg '],
    ['number', 3, '3 mg'],
    ['date', '2026-11-26', 'November 26, 2026'],
    ['date', 'Thanksgiving', 'Thanksgiving'],
    ['choice', 'fever', 'Fever'],
    ['choice', 'cough', 'cough'],
    ['several', ['fever', 'pain'], 'Fever, Pain'],
    ['yes-no', true, 'Yes'],
    ['yes-no', false, 'No'],
    ['scale', 1, 'Several days'],
    ['scale', 7, '7'],
    ['signature', 'Ada Moreno', 'Ada Moreno'],
    ['text', '', notAnswered],
    ['several', [], notAnswered],
    ['number', undefined, notAnswered],
  ] as const)('of the type %s: %j is read as %j', (type, value, expected) => {
    expect(formatAnswer(questions[type], typeof value === 'object' ? [...value] : value)).toBe(expected)
  })

  it.each([
    ['Soup', 'Soup'],
    [12, '12'],
    [true, 'Yes'],
    [['a', 'b'], 'a, b'],
  ] as const)('without a question: %j is read as %j', (value, expected) => {
    expect(formatAnswer(undefined, typeof value === 'object' ? [...value] : value)).toBe(expected)
  })

  it('exists for every answer, fitting or not', () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, ...Object.values(questions)), answer, (question, value) => {
        const text = formatAnswer(question, value)
        expect(text.trim()).not.toBe('')
        if (!isAnswered(value)) expect(text).toBe(notAnswered)
      }),
    )
  })
})
