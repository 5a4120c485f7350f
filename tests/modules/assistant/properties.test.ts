import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formTemplates, listQuestions } from '#contracts/form-templates.ts'
import type { FormTemplate } from '#contracts/forms.ts'
import { listItemIds } from '#contracts/values/form-scores.ts'
import { AnalysisResult, type Answer, type Answers } from '#contracts/values/forms.ts'
import { analyzeByRules, keepProven } from '#modules/assistant/analyze-by-rules.ts'
import type { FormToAnalyze } from '#modules/assistant/rules/rule.ts'

const noChart = { allergies: [], medications: [] }

/** Words of the rules, joined at random: what comes of them is nonsense, but it reaches every rule. */
const words =
  "I,my father,have,had,no,not,never,but,or,and,without,denies,if,chest pain,short of breath,fainted,want to die,suicide,blood in my stool,pregnant,bleeding,penicillin,amoxicillin,allergic to,ibuprofen,warfarin,take,stopped,rash,cigarettes,smoke,expired,in 2014,since Monday,don’t,don't,?,.,\n,  ,,,;,😀,é"
    .split(',')
    .map((word) => (word === '' ? ',' : word))
const sentences = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((each) => each.join(' '))

const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: sentences },
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('yes', 'no', '2020-01-01', 'penicillin', 'none'),
  fc.integer({ min: -1, max: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.oneof(fc.constantFrom('asthma', 'stroke'), sentences), { maxLength: 3 }),
)

const form = fc.constantFrom(...formTemplates).chain((template) => {
  const ids = [...listQuestions(template).map(({ id }) => id), 'medications', 'familyHistory', 'constructor', 'other']
  return fc.record({
    template: fc.constant(template),
    answers: fc.dictionary(fc.constantFrom(...ids), answer).map((record): Answers => ({ ...record })),
    chart: fc.record({
      allergies: fc.array(sentences, { maxLength: 3 }),
      medications: fc.array(sentences, { maxLength: 3 }),
    }),
    today: fc.constant('2026-11-26'),
  })
})

describe('an analysis by rules', () => {
  it('keeps to its contract, whatever the answers, and quotes them literally', () => {
    fc.assert(
      fc.property(form, (filledIn) => {
        const result = analyzeByRules(filledIn)
        expect(AnalysisResult.parse(result)).toEqual(result)
        expect(keepProven(result, filledIn.template, filledIn.answers)).toEqual(result)
      }),
    )
  })

  it('has the same findings for the same answers in another order', () => {
    const listTexts = (filledIn: FormToAnalyze) =>
      analyzeByRules(filledIn)
        .findings.map(({ text }) => text)
        .toSorted()
    fc.assert(
      fc.property(form, (filledIn) => {
        const reversed = Object.fromEntries(Object.entries(filledIn.answers).toReversed())
        expect(listTexts({ ...filledIn, answers: reversed })).toEqual(listTexts(filledIn))
      }),
    )
  })

  it('puts the heavier findings first, and says how many there are', () => {
    fc.assert(
      fc.property(form, (filledIn) => {
        const { findings, summary } = analyzeByRules(filledIn)
        const weights = findings.map(({ severity }) => ['urgent', 'attention', 'info'].indexOf(severity))
        expect(weights).toEqual(weights.toSorted((a, b) => a - b))
        expect(summary.startsWith(findings.length === 0 ? 'No findings.' : `${findings.length} finding`)).toBe(true)
      }),
    )
  })

  it('depends on nothing that relatives have', () => {
    fc.assert(
      fc.property(form, sentences, (filledIn, family) => {
        const withFamily = { ...filledIn, answers: { ...filledIn.answers, 'family-illnesses': family } }
        const without = { ...filledIn, answers: { ...filledIn.answers, 'family-illnesses': '' } }
        expect(analyzeByRules(withFamily)).toEqual(analyzeByRules(without))
      }),
    )
  })

  it('finds thoughts of death whatever else is answered, and quotes them', () => {
    fc.assert(
      fc.property(form, fc.integer({ min: 1, max: 3 }), (filledIn, points) => {
        const { findings } = analyzeByRules({ ...filledIn, answers: { ...filledIn.answers, 'phq9-9': points } })
        const [first] = findings.filter(({ text }) => text.includes('item 9'))
        expect(first?.severity).toBe('urgent')
        expect(first?.evidence.map(({ questionId }) => questionId)).toEqual(['phq9-9'])
      }),
    )
  })

  it('derives nothing from an incomplete score but that it is incomplete', () => {
    const [assessment] = formTemplates.filter(({ formType }) => formType === 'assessment') as [FormTemplate]
    const points = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(points, { minLength: 7, maxLength: 7 }), (values) => {
        const answered = listItemIds('GAD-7').flatMap((id, index) => {
          const value = values[index]
          return value === undefined ? [] : [[id, value] as const]
        })
        const { findings } = analyzeByRules({
          template: assessment,
          answers: Object.fromEntries(answered),
          chart: noChart,
        })
        const isIncomplete = answered.length > 0 && answered.length < 7
        if (isIncomplete)
          expect(findings.map(({ text }) => text)).toEqual([`GAD-7 is incomplete, ${answered.length} of 7`])
        else expect(findings.map(({ text }) => text.includes('incomplete'))).not.toContain(true)
      }),
    )
  })

  it.each([
    ['spaces', ' '],
    ['line breaks', '\n'],
    ['commas', ', a b, '],
    ['negations', "n't have had any "],
    ['relatives', 'my father '],
    ['symptoms', 'chest pain, '],
    ['medicines', 'take warfarin ibuprofen '],
    ['losses', 'lost weight in '],
  ])('reads an endless text of %s quickly', (_, unit) => {
    const text = `${unit.repeat(Math.floor(3_900 / unit.length))} chest pain, warfarin`
    const answers = Object.fromEntries(
      ['reason', 'medicines', 'medicine-reactions', 'exercise'].map((id) => [id, text]),
    )
    const [intake] = formTemplates.filter(({ formType }) => formType === 'intake') as [FormTemplate]
    const startedAt = performance.now()
    analyzeByRules({ template: intake, answers, chart: noChart })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
