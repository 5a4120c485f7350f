import type { FormTemplate } from '#contracts/forms.ts'
import type { Answers, Finding, FindingSeverity } from '#contracts/values/forms.ts'
import type { FormText } from './form-texts.ts'

/** The lists of the patient's chart, in the words of the chart. */
export type Chart = { allergies: readonly string[]; medications: readonly string[] }

/** A form as the rules read it. */
export type FormToAnalyze = {
  template: FormTemplate
  answers: Answers
  chart: Chart
  /** The practice's local date, YYYY-MM-DD. Without it, no date is compared with today. */
  today?: string
}

export type ReadForm = FormToAnalyze & { texts: readonly FormText[] }

export type Evidence = Finding['evidence'][number]

/** A finding, with what to ask the patient and what to do about it. */
export type Outcome = { finding: Finding; followUpQuestion?: string; suggestedAction?: string }

/** Derives findings from a form. Pure: the same form always has the same findings. */
export type Rule = (form: ReadForm) => Outcome[]

/** The limits of a finding in `contracts/values/forms.ts`. */
const maxTextLength = 500
const maxEvidence = 5

/** Cuts between characters, so that none is halved: an emoji counts as two units of length. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  let short = ''
  for (const character of text) {
    if (short.length + character.length >= max) break
    short += character
  }
  return `${short}…`
}

const isSameEvidence = (one: Evidence, other: Evidence) =>
  one.questionId === other.questionId && one.quote === other.quote

/** Creates a finding within the limits of its contract. */
export function createFinding(severity: FindingSeverity, text: string, evidence: readonly Evidence[]): Finding {
  const distinct = evidence.filter((each, index) => evidence.findIndex((one) => isSameEvidence(one, each)) === index)
  return { text: shorten(text, maxTextLength), severity, evidence: distinct.slice(0, maxEvidence) }
}

/** Joins names as in "A", "A and B", "A, B and C". */
export const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
