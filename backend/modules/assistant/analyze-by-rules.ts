import { formatAnswer, getAnswer, isAnswered } from '#contracts/form-answers.ts'
import { listQuestions } from '#contracts/form-templates.ts'
import type { FormTemplate } from '#contracts/forms.ts'
import { scoreForm } from '#contracts/values/form-scores.ts'
import type { AnalysisResult, Answers, Finding, FindingSeverity, FormScore } from '#contracts/values/forms.ts'
import { findAllergyConflicts } from './rules/allergy-conflicts.ts'
import { findConsentConcerns } from './rules/consent.ts'
import { findContradictions } from './rules/contradictions.ts'
import { listTexts } from './rules/form-texts.ts'
import { findInsuranceConcerns } from './rules/insurance.ts'
import { findInteractions } from './rules/interactions.ts'
import { findMissingAnswers } from './rules/missing-answers.ts'
import { findPregnancyConcerns } from './rules/pregnancy.ts'
import { findRedFlags } from './rules/red-flags.ts'
import { type FormToAnalyze, joinNames, type Outcome, type Rule, shorten } from './rules/rule.ts'
import { describeScore, findScoreConcerns } from './rules/scores.ts'

const rules: readonly Rule[] = [
  findScoreConcerns,
  findRedFlags,
  findPregnancyConcerns,
  findAllergyConflicts,
  findInteractions,
  findContradictions,
  findConsentConcerns,
  findInsuranceConcerns,
]

/** The limits of `AnalysisResult`. */
const maxFindings = 30
const maxSuggestions = 10
const maxSuggestionLength = 300

const severities: readonly FindingSeverity[] = ['urgent', 'attention', 'info']
const severityLabels = { urgent: 'urgent', attention: 'to look at', info: 'to know' } as const

function countFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No findings.'
  const counts = severities
    .map((severity) => [findings.filter((finding) => finding.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severityLabels[severity]}`)
  return `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}: ${joinNames(counts)}.`
}

const summarize = (findings: readonly Finding[], scores: readonly FormScore[]): string =>
  [countFindings(findings), ...scores.map((score) => `${describeScore(score)}.`)].join(' ')

const listSuggestions = (suggestions: readonly (string | undefined)[]): string[] =>
  [...new Set(suggestions.filter((suggestion) => suggestion !== undefined))]
    .slice(0, maxSuggestions)
    .map((suggestion) => shorten(suggestion, maxSuggestionLength))

const bySeverity = ({ finding: a }: Outcome, { finding: b }: Outcome) =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity)

/**
 * Analyzes the answers of a form by fixed rules: pure, without a model. Every finding quotes the answers on which it rests.
 * Rules find what is written down; they do not diagnose, and "No findings." does not mean that there is nothing.
 */
export function analyzeByRules(form: FormToAnalyze): AnalysisResult {
  const readForm = { ...form, texts: listTexts(form.template, form.answers) }
  const found = rules.flatMap((rule) => rule(readForm))
  const covered = new Set(found.flatMap(({ finding }) => finding.evidence.map(({ questionId }) => questionId)))
  const outcomes = [...found, ...findMissingAnswers(readForm, covered)].toSorted(bySeverity).slice(0, maxFindings)
  const findings = outcomes.map(({ finding }) => finding)
  const scores = scoreForm(form.answers)
  return {
    summary: summarize(findings, scores),
    findings,
    followUpQuestions: listSuggestions(outcomes.map(({ followUpQuestion }) => followUpQuestion)),
    suggestedActions: listSuggestions(outcomes.map(({ suggestedAction }) => suggestedAction)),
    scores,
  }
}

/** Returns whether a quote is part of an answer. "Not answered" is one of a question of the template without an answer. */
function isProven(
  template: FormTemplate,
  answers: Answers,
  { questionId, quote }: Finding['evidence'][number],
): boolean {
  const question = listQuestions(template).find(({ id }) => id === questionId)
  const answer = getAnswer(answers, questionId)
  if (quote.trim() === '' || (!question && !isAnswered(answer))) return false
  return formatAnswer(question, answer).includes(quote)
}

/**
 * Drops the findings of which a quote is not literally in the answers: a model may invent words. Scores are computed again, and the
 * summary is replaced when it may rest on a dropped finding.
 */
export function keepProven(result: AnalysisResult, template: FormTemplate, answers: Answers): AnalysisResult {
  const findings = result.findings.filter(({ evidence }) => evidence.every((each) => isProven(template, answers, each)))
  const scores = scoreForm(answers)
  const summary = findings.length === result.findings.length ? result.summary : summarize(findings, scores)
  return { ...result, summary, findings, scores }
}
