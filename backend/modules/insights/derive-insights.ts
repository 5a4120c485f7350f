import type { AiInsight } from '#contracts/insights.ts'
import { InsightId, PracticeId } from '#contracts/values/ids.ts'
import { InsightPriority, InsightRule } from '#contracts/values/insights.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { coversGrounds, type DecidedInsight } from './decider.ts'
import type { InsightGrounds, OpenInsightsRow } from './queries.ts'
import type { RecordRule } from './records-sql.ts'
import { suggestCheckingAllergies } from './rules/allergy-conflicts.ts'
import { suggestCheckingCoverage } from './rules/coverage-ending.ts'
import { suggestVerifying } from './rules/coverage-unverified.ts'
import { suggestCancelling } from './rules/deceased-booked.ts'
import { suggestComparing } from './rules/duplicate-patients.ts'
import { findEmptyHours } from './rules/empty-hours.ts'
import { suggestLookingAfterForms } from './rules/forms-waiting.ts'
import { suggestAskingForContact } from './rules/no-contact.ts'
import { suggestFollowUp } from './rules/overdue-follow-up.ts'
import { suggestCallingAhead } from './rules/repeated-no-shows.ts'
import type { FoundRecords, Suggestion } from './rules/suggestion.ts'
import { suggestConfirming } from './rules/unconfirmed-tomorrow.ts'
import { suggestWritingNotes } from './rules/notes-missing.ts'
import { suggestComparingPolicies } from './rules/other-policy.ts'
import { suggestUrgentReview } from './rules/urgent-findings.ts'

/** The rules that rest on records; each is asked only when records were found. */
const recordRules: Readonly<Record<RecordRule, (found: FoundRecords) => Suggestion>> = {
  'urgent-findings': suggestUrgentReview,
  'allergy-conflicts': suggestCheckingAllergies,
  'deceased-booked': suggestCancelling,
  'unconfirmed-tomorrow': suggestConfirming,
  'coverage-ending': suggestCheckingCoverage,
  'coverage-unverified': suggestVerifying,
  'other-policy': suggestComparingPolicies,
  'forms-waiting': suggestLookingAfterForms,
  'notes-missing': suggestWritingNotes,
  'repeated-no-shows': suggestCallingAhead,
  'no-contact': suggestAskingForContact,
  'duplicate-patients': suggestComparing,
  'overdue-follow-up': suggestFollowUp,
}

/** An insight with what a decision about it remembers. `isOpen`: no decision in force covers its grounds. */
export type DerivedInsight = { insight: AiInsight; decided: DecidedInsight; isOpen: boolean }

type Derived = Pick<DecidedInsight, 'rule' | 'subject' | 'grounds'> & { suggestion: Suggestion; isOpen: boolean }

/** Derives all insights of a practice, the most urgent first, those that were decided included. */
export function deriveInsights(practiceId: string, { found, workingTime }: InsightGrounds): DerivedInsight[] {
  const derived: Derived[] = found
    .filter(({ total }) => total > 0)
    .map(({ rule, subject, grounds, isOpen, ...records }) => ({
      rule,
      subject,
      grounds,
      isOpen,
      suggestion: recordRules[rule](records),
    }))
  for (const { isOpen, ...emptyHours } of deriveEmptyHours(workingTime))
    derived.push({ rule: 'empty-hours', isOpen, ...emptyHours })
  const byUrgency = derived.toSorted(
    (one, other) =>
      rank(InsightPriority.options, one.suggestion.priority) -
        rank(InsightPriority.options, other.suggestion.priority) ||
      rank(InsightRule.options, one.rule) - rank(InsightRule.options, other.rule),
  )
  return byUrgency.map(({ suggestion, isOpen, ...grounds }) => {
    const insightId = deriveInsightId(practiceId, grounds)
    return {
      insight: { id: insightId, origin: 'rules', ...suggestion },
      decided: { insightId, practiceId: PracticeId.parse(practiceId), ...grounds },
      isOpen,
    }
  })
}

const rank = <Value>(order: readonly Value[], value: Value) => order.indexOf(value)

/** Returns the id of an insight, the same whatever it is based on at the moment. */
const deriveInsightId = (practiceId: string, { rule, subject }: Pick<DecidedInsight, 'rule' | 'subject'>) =>
  InsightId.parse(deriveId(`insight ${practiceId} ${rule} ${subject}`))

function deriveEmptyHours(workingTime: InsightGrounds['workingTime']) {
  const decided = new Map(workingTime.decided.map(({ subject, grounds }) => [subject, grounds]))
  return findEmptyHours(workingTime).map((found) => ({
    ...found,
    isOpen: !coversGrounds(decided.get(found.subject) ?? [], found.grounds),
  }))
}

/** Counts the open insights. */
export const countOpenInsights = ({ openCount, workingTime }: OpenInsightsRow): number =>
  openCount + deriveEmptyHours(workingTime).filter(({ isOpen }) => isOpen).length
