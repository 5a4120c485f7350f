import type { InsightDecisionKind, InsightRule } from '#contracts/values/insights.ts'
import type { Recorded } from '#eventstore/event.ts'
import { defineProjection } from '#projections/projection.ts'
import type { InsightEvent } from '../events.ts'

type DecisionRow = {
  insight_id: string
  practice_id: string
  rule: InsightRule
  subject: string
  kind: InsightDecisionKind
  /** The grounds of the insight when it was decided. */
  grounds: readonly string[]
  /** The end of a snooze, an ISO instant in UTC. */
  until: string | null
  decided_at: string
}

type Decided = Exclude<InsightEvent, { type: 'InsightReopened' }>

const toDecision = (kind: InsightDecisionKind, { data, metadata }: Pick<Recorded<Decided>, 'data' | 'metadata'>) => ({
  insight_id: data.insightId,
  practice_id: data.practiceId,
  rule: data.rule,
  subject: data.subject,
  kind,
  grounds: data.grounds,
  until: null,
  decided_at: metadata.at,
})

/** The last decision about each insight that was dismissed, snoozed or done. */
export const insightDecisions = defineProjection<InsightEvent, DecisionRow>({
  name: 'insight_decisions',
  version: 1,
  isMetadataOnly: true,
  columns: {
    insight_id: 'uuid',
    practice_id: 'uuid',
    rule: 'text',
    subject: 'text',
    kind: 'text',
    grounds: 'text[]',
    until: 'timestamptz',
    decided_at: 'timestamptz',
  },
  key: 'insight_id',
  indexes: ['(practice_id, rule, subject)', '(practice_id, decided_at)'],
  rowOf: ({ data }) => data.insightId,
  on: {
    InsightDismissed: (_, event) => toDecision('dismissed', event),
    InsightSnoozed: (_, event) => ({ ...toDecision('snoozed', event), until: event.data.until }),
    InsightDone: (_, event) => toDecision('done', event),
    InsightReopened: () => null,
  },
})
