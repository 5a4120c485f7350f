import { describe, expect, it } from 'vitest'
import { formatAnswer, getAnswer } from '#contracts/form-answers.ts'
import { findTemplate, listQuestions } from '#contracts/form-templates.ts'
import type { FormTemplate } from '#contracts/forms.ts'
import { AnalysisResult, type Answers, type FormType } from '#contracts/values/forms.ts'
import { analyzeByRules, keepProven } from '#modules/assistant/analyze-by-rules.ts'
import { type Example, examples } from './examples.ts'

function requireTemplate(formType: FormType): FormTemplate {
  const template = findTemplate(formType)
  if (!template) throw new Error(`There is no template ${formType}`)
  return template
}

const analyze = ({ formType, answers, chart = {}, today }: Omit<Example, 'name' | 'findings'>) =>
  analyzeByRules({
    template: requireTemplate(formType),
    answers,
    chart: { allergies: [], medications: [], ...chart },
    ...(today === undefined ? {} : { today }),
  })

describe('a form', () => {
  it.each(examples)('with $name ($formType)', (example) => {
    const result = analyze(example)
    expect(
      result.findings.map(({ severity, text, evidence }) => [severity, text, ...evidence.map(({ quote }) => quote)]),
    ).toEqual(example.findings)
    expect(AnalysisResult.parse(result)).toEqual(result)
    expect(keepProven(result, requireTemplate(example.formType), example.answers)).toEqual(result)
  })
})

/** Analyzes one sentence as the reason for the appointment: the texts of its findings, without those on missing answers. */
const findIn = (reason: string) =>
  analyze({ formType: 'intake', answers: { reason } })
    .findings.map(({ text }) => text)
    .filter((text) => !text.includes('required answer'))

describe('a symptom', () => {
  it.each([
    'I have chest pain.',
    'Chest pain!!',
    'pain in my chest and sweating',
    'tightness across my chest, on and off',
    'No, chest pain only at night',
    'No idea why I have this chest pain',
    'No fever, chest pain since Monday',
    'No fever, chest pain since Monday, worse at night or when I walk',
    'no appetite and chest pain',
    "I can't sleep because of chest pain",
    'I cannot lie down without chest pain',
    'The pills do not help my chest pain',
    'It does not stop, chest pain all day',
    'Not only heartburn but chest pain',
    'I am not sure if it is heartburn or chest pain',
    'Could my chest pain come from stress?',
    'I told my mother about my chest pain',
    'My father died of a heart attack and now I have chest pain',
    'Since my mother died, chest pain every night',
    'My daughter has chest pain when she plays soccer',
    'It started two years ago and I still get chest pain',
    'never had heart trouble until this chest pain',
    'Chest pain, no fever',
    'My mother is worried about my chest pain',
    'I do not smoke, chest pain after meals',
    'It does not help or stop my chest pain',
    'chest   pain',
    'My doctor said it was not chest pain but I know it is chest pain',
  ])('is affirmed in: %s', (sentence) => {
    expect(findIn(sentence)).toEqual(['Mentions chest pain'])
  })

  it.each([
    'No chest pain.',
    'I have no chest pain',
    'I don’t have any chest pain',
    'I do not have chest pain',
    'I have not had chest pain',
    "I haven't noticed any chest pain",
    'Never had chest pain',
    'Denies chest pain',
    'denies fever, cough, chest pain and dizziness',
    'without chest pain',
    'no fever, no chest pain',
    'No fever, chest pain or cough',
    'no cough, chest pain, or dizziness',
    'no fever or chest pain',
    'neither cough nor chest pain',
    "I don't think it is chest pain",
    'Chest pain: no',
    'Chest pain? No.',
    'chest pain - none',
    'My father had chest pain',
    'my older sister gets chest pain when she runs',
    'Family history of chest pain',
    'chest pain runs in my family',
    'What if I get chest pain after the vaccine?',
    'Can this medicine cause chest pain?',
    'I read about the risk of chest pain',
    'a chest X-ray and a chest cold',
    'Patient denies: fever, chest pain and dizziness',
    'I have not fainted or had chest pain',
    "I can't remember ever having chest pain",
    'My mother, who is 80, had chest pain',
  ])('is not in: %s', (sentence) => {
    expect(findIn(sentence)).toEqual([])
  })

  it.each([
    ['I had chest pain in 2014, it was my gallbladder', 'Mentions chest pain at an earlier time'],
    ['As a child I fainted at every shot', 'Mentions fainting'],
    ['As a child I fainted at the sight of needles', 'Mentions fainting at an earlier time'],
    ['I used to get short of breath', 'Mentions shortness of breath at an earlier time'],
    ['Years ago I wanted to die', 'Mentions suicidal thoughts or self-harm'],
    ['I wanted to kill myself in 2015', 'Mentions suicidal thoughts or self-harm'],
    ["I can't breathe at night", 'Mentions shortness of breath'],
    ['I do not want to live anymore', 'Mentions suicidal thoughts or self-harm'],
    ['I keep thinking of hurting myself', 'Mentions suicidal thoughts or self-harm'],
    ['I almost passed out in the shower', 'Mentions fainting'],
    ["Last night I couldn't speak for ten minutes", 'Mentions sudden weakness, numbness or trouble with speech'],
    ['the right side of my face is drooping', 'Mentions sudden weakness, numbness or trouble with speech'],
    ['I threw up blood', 'Mentions blood in stool, vomit or urine'],
    ['my poop is black and tarry', 'Mentions blood in stool, vomit or urine'],
    ['Headache, the worst of my life', 'Mentions a sudden or worst headache'],
    ['I have been losing weight and I don’t know why', 'Mentions unexplained weight loss'],
    ['blood when I cough', 'Mentions coughing blood'],
    ['I suddenly lost vision in one eye', 'Mentions sudden loss of sight'],
    ['My tongue is swelling up', 'Mentions swelling of the throat or tongue'],
    [
      'numb around my groin and I have no control over my bladder',
      'Mentions numbness between the legs or loss of control over bladder or bowel',
    ],
    ['My husband sometimes hits me', 'Mentions violence or not being safe at home'],
  ])('is found in: %s', (sentence, text) => {
    expect(findIn(sentence)).toEqual([text])
  })

  it.each([
    'A faint rash on my arm',
    'The power blacked out while I was cooking',
    'Trouble breathing through my nose in spring',
    'Cough with no blood',
    'I am not pregnant. Heavy bleeding.',
    'I was pregnant in 2015 and had bleeding then',
    'I have no thoughts of suicide or self-harm',
    "I can't speak Spanish, please have an interpreter",
    'I don’t want to live in the city anymore because of the noise',
    'I cut myself in the kitchen, needs stitches?',
    'I am afraid of the operation, I do not want to die',
    'I lost weight with a new diet',
    'My blood pressure is high',
    'Blood test results',
    'Mild headache after work',
    'My dad killed himself, and my aunt tried suicide',
    'I am safe at home',
  ])('is not mistaken in: %s', (sentence) => {
    expect(findIn(sentence)).toEqual([])
  })
})

describe('a medicine', () => {
  const chart = { allergies: ['Penicillin'], medications: ['Warfarin 5 mg'] }
  const findInMedicines = (medicines: string) =>
    analyze({ formType: 'medical-history', answers: { allergies: 'Penicillin', medicines }, chart }).findings.map(
      ({ text }) => text,
    )
  const takesAmoxicillin = 'Takes amoxicillin, and has an allergy to penicillin, of the same class'
  const takesIbuprofen = 'Takes warfarin (in the chart) with ibuprofen: higher risk of bleeding'

  it.each([
    ['Augmentin 875', takesAmoxicillin],
    ['amoxicilin from urgent care', takesAmoxicillin],
    ['none, only amoxicillin', takesAmoxicillin],
    ['vitamin D, Motrin as needed', takesIbuprofen],
    ['Stopped aspirin, now ibuprofen', takesIbuprofen],
    ['No prescriptions. Advil.', takesIbuprofen],
    ['off and on ibuprofen', takesIbuprofen],
    ['ibuprofen, in 2015 I had a bypass', takesIbuprofen],
    ['For my allergies Zyrtec and ibuprofen for pain', takesIbuprofen],
  ])('is taken in: %s', (medicines, text) => {
    expect(findInMedicines(medicines)).toEqual([text])
  })

  it.each([
    'None, I am allergic to amoxicillin',
    'No ibuprofen because of my warfarin',
    'I was warned to avoid NSAIDs',
    'Stopped ibuprofen in May',
    'I used to take ibuprofen',
    'In 2015 I took ibuprofen',
    'Ibuprofen until 2019',
    'I no longer take Advil',
    'I don’t take aspirin',
    'Tylenol instead of ibuprofen',
    'Levothyroxine for my thyroid, and I have iron deficiency',
    'a calcium channel blocker and Synthroid',
  ])('is not taken in: %s', (medicines) => {
    expect(findInMedicines(medicines)).toEqual([])
  })

  const findWithAllergies = (allergies: string) =>
    analyze({ formType: 'medical-history', answers: { allergies, medicines: 'Amoxicillin 500' } }).findings.map(
      ({ severity }) => severity,
    )

  it.each([
    'Penicillin',
    'penicillins - hives',
    'No food allergies. Penicillin!',
    'Only penicillin',
    'Allergic to PCN and amoxicillin',
  ])('is not tolerated with: %s', (allergies) => {
    expect(findWithAllergies(allergies)).toEqual(['urgent'])
  })

  it.each([
    'Pollen',
    'Not allergic to penicillin',
    'No penicillin allergy',
    'I tolerate penicillin',
    'My mother is allergic to penicillin',
  ])('is tolerated with: %s', (allergies) => {
    expect(findWithAllergies(allergies)).toEqual([])
  })
})

describe('the words of an analysis', () => {
  it('count the findings by weight, and give the scores', () => {
    const answers: Answers = {
      reason: 'Chest pain',
      medicines: 'Warfarin and ibuprofen',
      'has-allergies': false,
      smokes: false,
    }
    const { summary } = analyze({ formType: 'intake', answers })
    expect(summary).toBe('3 findings: 1 urgent, 1 to look at and 1 to know.')
    const scored = { 'phq9-1': 1, ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((item) => [`gad7-${item}`, 0])) }
    expect(analyze({ formType: 'assessment', answers: scored }).summary).toBe(
      '1 finding: 1 to know. PHQ-9 is incomplete, 1 of 9. GAD-7: 0 of 21, Minimal.',
    )
    expect(analyze({ formType: 'assessment', answers: {} }).summary).toBe('No findings.')
  })

  it('put the urgent first, and repeat no question or action', () => {
    const answers = {
      reason: 'Worst headache of my life, and I fainted twice',
      exercise: 'Passed out at the gym',
      smokes: false,
    }
    const { findings, followUpQuestions, suggestedActions } = analyze({ formType: 'intake', answers })
    expect(findings.map(({ severity }) => severity)).toEqual(['urgent', 'urgent', 'info'])
    expect(findings[0]?.evidence.map(({ questionId }) => questionId)).toEqual(['reason', 'exercise'])
    expect(new Set(followUpQuestions).size).toBe(followUpQuestions.length)
    expect(new Set(suggestedActions).size).toBe(suggestedActions.length)
  })

  it('quote of a long sentence the words around the phrase', () => {
    const reason = `${'and so it went on and on '.repeat(20)}until I had chest pain ${'again and again 😀 '.repeat(30)}`
    const [finding] = analyze({ formType: 'intake', answers: { reason } }).findings
    const quote = finding?.evidence[0]?.quote ?? ''
    expect(reason).toContain(quote)
    expect(quote).toContain('until I had chest pain')
    expect(quote.length).toBeLessThan(200)
  })

  it('read answers without a question by their id', () => {
    const answers = {
      chiefComplaint: 'Chest pain',
      currentMedications: 'Warfarin, Aleve',
      familyHistory: 'Mother fainted',
    }
    const { findings } = analyze({ formType: 'assessment', answers })
    expect(findings.map(({ text }) => text)).toEqual([
      'Mentions chest pain',
      'Takes warfarin with naproxen: higher risk of bleeding',
    ])
  })
})

describe('what is proven', () => {
  const template = requireTemplate('assessment')
  const answers: Answers = { 'phq9-1': 2, note: 'I sleep badly' }
  const finding = (...evidence: readonly (readonly [questionId: string, quote: string])[]) => ({
    text: 'A finding',
    severity: 'info' as const,
    evidence: evidence.map(([questionId, quote]) => ({ questionId, quote })),
  })
  const keep = (...findings: readonly ReturnType<typeof finding>[]) =>
    keepProven(
      {
        summary: 'Of the model',
        findings: [...findings],
        followUpQuestions: ['Why?'],
        suggestedActions: [],
        scores: [],
      },
      template,
      answers,
    )

  it('is a finding whose quotes are all in the answers, as a person reads them', () => {
    const proven = [
      finding(['phq9-1', 'More than half the days']),
      finding(['note', 'sleep badly'], ['phq9-1', 'half the days']),
      finding(['phq9-2', 'Not answered']),
    ]
    expect(keep(...proven)).toMatchObject({ summary: 'Of the model', findings: proven })
  })

  it.each([
    ['words that are not there', finding(['note', 'I sleep well'])],
    ['words in other letters', finding(['note', 'i sleep badly'])],
    ['the stored value', finding(['phq9-1', '2'])],
    ['an answer to another question', finding(['phq9-2', 'More than half the days'])],
    ['one wrong quote among right ones', finding(['note', 'sleep'], ['note', 'tired'])],
    ['a missing answer that is there', finding(['note', 'Not answered'])],
    ['a question that does not exist', finding(['invented', 'Not answered'])],
    ['what every object inherits', finding(['constructor', 'function'], ['toString', 'native'])],
    ['spaces', finding(['note', ' '])],
  ])('is no finding with %s', (_, invented) => {
    const kept = finding(['note', 'sleep'])
    expect(keep(kept, invented)).toEqual({
      summary: '1 finding: 1 to know. PHQ-9 is incomplete, 1 of 9.',
      findings: [kept],
      followUpQuestions: ['Why?'],
      suggestedActions: [],
      scores: [{ instrument: 'PHQ-9', answered: 1, items: 9, total: null, band: null }],
    })
  })

  it('includes everything that the rules find', () => {
    for (const { formType, answers: filledIn, chart } of examples) {
      const result = analyze({ formType, answers: filledIn, ...(chart ? { chart } : {}) })
      const questions = listQuestions(requireTemplate(formType))
      for (const { questionId, quote } of result.findings.flatMap(({ evidence }) => evidence)) {
        const question = questions.find(({ id }) => id === questionId)
        expect(formatAnswer(question, getAnswer(filledIn, questionId))).toContain(quote)
      }
    }
  })
})
