import { getMaxTotal, getPoints, listItemIds, scoreForm } from '#contracts/values/form-scores.ts'
import type { FindingSeverity, FormScore } from '#contracts/values/forms.ts'
import { quoteAnswer } from './quote-answer.ts'
import { createFinding, type Evidence, type Outcome, type ReadForm, type Rule } from './rule.ts'

/** Item 9 of PHQ-9 asks for thoughts of death or self-harm: any answer above "Not at all" is acted on, whatever the total. */
const selfHarmItem = 'phq9-9'

const severities: Readonly<Record<string, FindingSeverity>> = {
  Moderate: 'attention',
  'Moderately severe': 'attention',
  Severe: 'urgent',
}

const subjects = { 'PHQ-9': 'depression', 'GAD-7': 'anxiety' } as const

const quoteItems = (form: ReadForm, itemIds: readonly string[]): Evidence[] =>
  itemIds.map((itemId) => quoteAnswer(form, itemId))

/** Describes a score as in "PHQ-9: 12 of 27, Moderate". */
export const describeScore = (score: FormScore): string =>
  score.total === null
    ? `${score.instrument} is incomplete, ${score.answered} of ${score.items}`
    : `${score.instrument}: ${score.total} of ${getMaxTotal(score)}, ${score.band ?? ''}`

function findIncomplete(form: ReadForm, score: FormScore): Outcome {
  const open = listItemIds(score.instrument).filter((id) => getPoints(form.answers, id) === undefined)
  return {
    finding: createFinding('info', describeScore(score), quoteItems(form, open)),
    suggestedAction: `Have the open questions of ${score.instrument} answered`,
  }
}

/** The items with the highest answers are the evidence of a total. */
function findByBand(form: ReadForm, score: FormScore): Outcome[] {
  const severity = severities[score.band ?? '']
  if (!severity) return []
  const points = (id: string) => getPoints(form.answers, id) ?? 0
  const highest = listItemIds(score.instrument).toSorted((a, b) => points(b) - points(a))
  return [
    {
      finding: createFinding(
        severity,
        `${describeScore(score)}: signs of ${subjects[score.instrument]}`,
        quoteItems(form, highest),
      ),
      followUpQuestion: `Since when have you felt this way, and how much does the ${subjects[score.instrument]} affect your day?`,
      suggestedAction: `Talk about the ${score.instrument} score, and plan when it is measured again`,
    },
  ]
}

function findSelfHarm(form: ReadForm): Outcome[] {
  if ((getPoints(form.answers, selfHarmItem) ?? 0) === 0) return []
  return [
    {
      finding: createFinding(
        'urgent',
        'Has had thoughts of death or self-harm in the last 2 weeks (PHQ-9, item 9)',
        quoteItems(form, [selfHarmItem]),
      ),
      followUpQuestion: 'Are you safe right now? Have you thought about how you would do it?',
      suggestedAction: 'Assess the risk of suicide today; give the 988 Suicide & Crisis Lifeline',
    },
  ]
}

/** Finds totals that need attention, and incomplete scores, of which nothing else is derived. */
export const findScoreConcerns: Rule = (form) => [
  ...findSelfHarm(form),
  ...scoreForm(form.answers).flatMap((score) =>
    score.total === null ? [findIncomplete(form, score)] : findByBand(form, score),
  ),
]
