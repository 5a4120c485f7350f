import { findMissingQuestions, notAnswered } from '#contracts/form-answers.ts'
import { createFinding, joinNames, type Outcome, type ReadForm } from './rule.ts'

/**
 * Finds required questions without an answer. `covered`: the questions on which another finding rests, which says more about
 * them.
 */
export function findMissingAnswers({ template, answers }: ReadForm, covered: ReadonlySet<string>): Outcome[] {
  const missing = findMissingQuestions(template, answers).filter(({ id }) => !covered.has(id))
  if (missing.length === 0) return []
  const labels = joinNames(missing.map(({ label }) => `"${label}"`))
  const text =
    missing.length === 1
      ? `A required answer is missing: ${labels}`
      : `${missing.length} required answers are missing: ${labels}`
  return [
    {
      finding: createFinding(
        'info',
        text,
        missing.map(({ id }) => ({ questionId: id, quote: notAnswered })),
      ),
      suggestedAction: 'Ask the patient for the missing answers',
    },
  ]
}
