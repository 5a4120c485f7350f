import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTemplate, formTemplates, listQuestions } from '#contracts/form-templates.ts'
import type { Answers, FormType } from '#contracts/values/forms.ts'
import { describeForm, findAgeBand } from '#modules/assistant/model/describe-form.ts'

const today = '2026-11-27'
const patient = {
  firstName: 'Grace',
  lastName: "O'Neill-Liu",
  dateOfBirth: '1957-03-04',
  phone: '+16175550123',
  email: 'grace.liu@example.test',
  address: '12 Harbor Street, Springfield',
}

function describeAnswers(
  formType: FormType,
  answers: Answers,
  chart: { allergies?: string[]; medications?: string[] } = {},
) {
  const template = findTemplate(formType)
  if (!template) throw new Error(`There is no template ${formType}`)
  return describeForm({ template, answers, chart: { allergies: [], medications: [], ...chart } }, patient, today)
}

const findAnswer = (described: string, id: string): string | undefined =>
  (JSON.parse(described) as { answers: { questionId: string; answer: string }[] }).answers.find(
    ({ questionId }) => questionId === id,
  )?.answer

describe('what leaves to a model', () => {
  it('has the answers about health with their questions, the chart, and the band of the age', () => {
    const answers = { reason: 'Chest pain at rest', 'has-allergies': true, allergies: 'Penicillin', smokes: false }
    expect(JSON.parse(describeAnswers('intake', answers, { medications: ['Warfarin'] }))).toMatchObject({
      form: 'General adult intake',
      ageBand: '65 to 74',
      chart: { allergies: [], medications: ['Warfarin'] },
      answers: [
        { questionId: 'reason', question: 'What brings you here?', answer: 'Chest pain at rest' },
        { questionId: 'has-allergies', answer: 'Yes' },
        { questionId: 'allergies', answer: 'Penicillin' },
        { questionId: 'smokes', answer: 'No' },
      ],
    })
  })

  it('has no answer that names a person, nor one that the form does not ask for', () => {
    const answers = {
      phone: '(617) 555-0199',
      address: '99 Elm Road',
      'emergency-contact-name': 'Tom Liu',
      'emergency-contact-phone': '617 555 0111',
      signature: 'Grace Liu',
      socialSecurity: '078-05-1120',
      reason: 'Cough',
    }
    const described = describeAnswers('intake', answers)
    for (const [id, answer] of Object.entries(answers)) if (id !== 'reason') expect(described).not.toContain(answer)
    expect(findAnswer(described, 'reason')).toBe('Cough')
  })

  it.each([
    ['Grace here, GRACE LIU speaking', '[removed] here, [removed] [removed] speaking'],
    ['O’Neill-Liu', '[removed]-[removed]'],
    ['Call me at (617) 555-0123 or 617.555.0123 or +1 617 555 01 23', 'Call me at [removed] or [removed] or [removed]'],
    ['mail grace@home.example', 'mail [removed]'],
    ['born 03/04/1957 or 1957-03-04', 'born [removed] or [removed]'],
    ['my number is 078-05-1120', 'my number is [removed]'],
    ['I live at Harbor Street in Springfield', 'I live at [removed] [removed] in [removed]'],
    ['Tom drives me', '[removed] drives me'],
    ['see www.my-blog.example/me', 'see [removed]'],
    // What is about health stays.
    ['120/80 since 3 weeks, 500 mg twice, 37.5 C', '120/80 since 3 weeks, 500 mg twice, 37.5 C'],
    ['graceful gait', 'graceful gait'],
  ])('removes from "%s" what finds a person', (reason, expected) => {
    const text = describeAnswers('intake', { reason: reason.replace('’', "'"), 'emergency-contact-name': 'Tom Liu' })
    expect(findAnswer(text, 'reason')).toBe(expected)
  })

  it('never has a planted identifier, wherever it stands', () => {
    const planted = ['Grace', '+1 617 555 0123', 'grace.liu@example.test', '03/04/1957', '078-05-1120', 'Springfield']
    const text = fc
      .tuple(
        fc.constantFrom('', 'I am ', 'since,', '(', 'x\n'),
        fc.constantFrom(...planted),
        fc.constantFrom('', '.', ')', ' and '),
      )
      .map((parts) => parts.join(''))
    const form = fc.constantFrom(...formTemplates).chain((template) => {
      const texts = listQuestions(template).filter(({ type }) => type === 'text')
      const ids = texts.length > 0 ? texts.map(({ id }) => id) : ['other']
      return fc.record({ template: fc.constant(template), answers: fc.dictionary(fc.constantFrom(...ids), text) })
    })
    fc.assert(
      fc.property(form, ({ template, answers }) => {
        const chart = { allergies: Object.values(answers), medications: [] }
        const described = describeForm({ template, answers: { ...answers }, chart }, patient, today)
        for (const identifier of planted) expect(described).not.toContain(identifier)
      }),
    )
  })
})

it('has a band for every age', () => {
  const ages = [null, '2026-11-27', '2024-11-28', '2024-11-27', '2008-11-28', '2008-11-27', '1936-11-27', '2030-01-01']
  expect(ages.map((birth) => findAgeBand(birth, today))).toEqual([
    'unknown',
    'under 2',
    'under 2',
    '2 to 11',
    '12 to 17',
    '18 to 29',
    '90 or older',
    'unknown',
  ])
})
