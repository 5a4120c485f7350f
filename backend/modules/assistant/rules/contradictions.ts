import { getAnswer } from '#contracts/form-answers.ts'
import type { FormText } from './form-texts.ts'
import { findMentions, isDenial, quoteStart, toEvidence } from './mentions.ts'
import { quoteAnswer } from './quote-answer.ts'
import { createFinding, type Evidence, joinNames, type Outcome, type ReadForm, type Rule } from './rule.ts'

const allergicTo = /\b(?:i am|i'm|am) (?:\w+ )?allergic to\b|\ballergic reaction to\b|\bmy (?:\w+ )?allergy\b/gi

/** Texts for allergies and for reactions to medicines say something unless they deny it. */
const describesReaction = ({ topic, text }: FormText) =>
  (topic === 'allergies' || topic === 'reactions') && !isDenial(text)

function findAllergyEvidence({ texts }: ReadForm): Evidence[] {
  const described = texts.filter(describesReaction).map(quoteStart)
  const mentioned = texts
    .filter(({ topic }) => topic !== 'family' && topic !== 'allergies' && topic !== 'reactions')
    .flatMap((text) => findMentions(text, allergicTo).map(toEvidence))
  return [...described, ...mentioned]
}

/** The answers that deny allergies: "no", or a text such as "none". */
const findAllergyDenials = (form: ReadForm): Evidence[] => [
  ...(getAnswer(form.answers, 'has-allergies') === false ? [quoteAnswer(form, 'has-allergies')] : []),
  ...form.texts.filter(({ topic, text }) => topic === 'allergies' && isDenial(text)).map(quoteStart),
]

/** The chart contradicts a denial too: an allergy may have been forgotten, or have been entered for another patient. */
function findAllergyContradiction(form: ReadForm): Outcome[] {
  const denials = findAllergyDenials(form)
  if (denials.length === 0) return []
  const evidence = findAllergyEvidence(form)
  const { allergies } = form.chart
  if (evidence.length === 0 && allergies.length === 0) return []
  const text =
    evidence.length > 0
      ? 'Denies allergies, but describes an allergy or a reaction to a medicine'
      : `Denies allergies, but the chart lists ${joinNames(allergies)}`
  return [
    {
      finding: createFinding('attention', text, [...denials.slice(0, 2), ...evidence]),
      followUpQuestion: 'Have you ever had a rash, swelling or trouble breathing after a medicine or food?',
      suggestedAction: 'Clarify the allergies, and correct the chart',
    },
  ]
}

const smoking =
  /\bi (?:still |sometimes |occasionally |only |also |do |now )*(?:smoke|vape)\b|\bcigarettes?\b|\bpacks? (?:a|per) (?:day|week)\b|\bsmoking\b|\bsmoker\b/gi
const stoppedSmoking =
  /\b(?:quit|quitting|stopped|gave up|given up|used to|ex-?|former(?:ly)?|second-?hand|passive|previously|non-?|before|until|around|other people)\b/i

function findSmokingEvidence(form: ReadForm): Evidence[] {
  const perDay = getAnswer(form.answers, 'cigarettes-per-day')
  const counted = typeof perDay === 'number' && perDay > 0 ? [quoteAnswer(form, 'cigarettes-per-day')] : []
  const mentioned = form.texts
    .filter(({ topic }) => topic !== 'family' && topic !== 'administrative')
    .flatMap((text) => findMentions(text, smoking))
    .filter(({ quote, isPast }) => !isPast && !stoppedSmoking.test(quote))
  return [...counted, ...mentioned.map(toEvidence)]
}

function findSmokingContradiction(form: ReadForm): Outcome[] {
  if (getAnswer(form.answers, 'smokes') !== false) return []
  const evidence = findSmokingEvidence(form)
  if (evidence.length === 0) return []
  return [
    {
      finding: createFinding('attention', 'Denies smoking, but mentions cigarettes', [
        quoteAnswer(form, 'smokes'),
        ...evidence,
      ]),
      followUpQuestion: 'Do you smoke now and then, or have you stopped? When?',
    },
  ]
}

/** Finds answers of one form that cannot both be true. */
export const findContradictions: Rule = (form) => [...findAllergyContradiction(form), ...findSmokingContradiction(form)]
