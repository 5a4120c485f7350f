import { describe, expect, it } from 'vitest'
import { findTemplate, formTemplates, listQuestions } from '#contracts/form-templates.ts'
import { FormTemplate } from '#contracts/forms.ts'
import { listItemIds } from '#contracts/values/form-scores.ts'
import { FormType } from '#contracts/values/forms.ts'

describe('the templates of forms', () => {
  it('exist for every type, and keep to their contract', () => {
    expect(new Set(formTemplates.map(({ formType }) => formType))).toEqual(new Set(FormType.options))
    for (const template of formTemplates) expect(FormTemplate.parse(template)).toEqual(template)
  })

  it('are found by type and version, without a version the newest', () => {
    for (const template of formTemplates) {
      expect(findTemplate(template.formType, template.version)).toBe(template)
      expect(findTemplate(template.formType)?.version).toBeGreaterThanOrEqual(template.version)
    }
    expect(findTemplate('intake', 99)).toBeUndefined()
  })

  it.each(formTemplates)('ask each question of $title once, in one group', (template) => {
    const ids = listQuestions(template).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(template.groups.map(({ id }) => id)).size).toBe(template.groups.length)
    expect(template.groups.flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual(ids)
  })

  it.each(formTemplates)('offer different options in $title exactly where there is something to choose', (template) => {
    for (const { type, options } of listQuestions(template)) {
      expect(options !== undefined).toBe(type === 'choice' || type === 'several' || type === 'scale')
      if (!options) continue
      expect(new Set(options.map(({ value }) => value)).size).toBe(options.length)
      expect(new Set(options.map(({ label }) => label)).size).toBe(options.length)
    }
  })

  // `isShown` looks at one answer only: a hidden question must not show another one.
  it.each(formTemplates)('show a question of $title by an earlier one that is always shown', (template) => {
    const questions = listQuestions(template)
    for (const [index, { shownIf }] of questions.entries()) {
      if (!shownIf) continue
      const earlier = questions.slice(0, index).find(({ id }) => id === shownIf.questionId)
      expect(earlier).toBeDefined()
      expect(earlier?.shownIf).toBeUndefined()
      if (earlier?.type === 'yes-no') expect(shownIf.answer).toBeTypeOf('boolean')
      else expect(earlier?.options?.map(({ value }) => value)).toContain(shownIf.answer)
    }
  })
})

describe('the assessment', () => {
  const assessment = findTemplate('assessment')
  const questions = assessment ? listQuestions(assessment) : []

  it('asks the items of PHQ-9 and GAD-7, each instrument with its question about difficulty', () => {
    expect(questions.map(({ id }) => id)).toEqual([
      ...listItemIds('PHQ-9'),
      'phq9-difficulty',
      ...listItemIds('GAD-7'),
      'gad7-difficulty',
    ])
    expect(listItemIds('PHQ-9')).toHaveLength(9)
    expect(listItemIds('GAD-7')).toHaveLength(7)
    for (const { label } of questions) expect(label).not.toBe('')
  })

  it('offers the answers of 0 to 3 to every item', () => {
    for (const { id, type, options } of questions) {
      expect(type).toBe('scale')
      expect(options?.map(({ value }) => value)).toEqual(['0', '1', '2', '3'])
      expect(options?.at(-1)?.label).toBe(id.endsWith('difficulty') ? 'Extremely difficult' : 'Nearly every day')
    }
  })

  it('requires no item: one of the two instruments may be left out', () => {
    expect(questions.some(({ required }) => required)).toBe(false)
  })
})
