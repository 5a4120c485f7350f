import { z } from 'zod'
import { InsightId, PracticeId } from '#contracts/values/ids.ts'
import { InsightRule } from '#contracts/values/insights.ts'
import { event } from '#eventstore/event.ts'

/**
 * A decision. `subject` separates the insights of a rule: by date, or by half a weekday; empty where a rule has one insight per
 * practice. `grounds` are what it was based on at that moment, such as ids of records: with a further one it is listed again.
 */
const decision = {
  insightId: InsightId,
  practiceId: PracticeId,
  rule: InsightRule,
  subject: z.string(),
  grounds: z.array(z.string().min(1)).min(1),
}

/** The decisions about one insight. Insights themselves are derived from other events. */
export const InsightEvent = z.discriminatedUnion('type', [
  /** The insight was not useful. */
  event('InsightDismissed', decision),
  /** Hidden until an ISO instant in UTC. */
  event('InsightSnoozed', { ...decision, until: z.iso.datetime() }),
  /** The insight was right, and its action items were carried out. */
  event('InsightDone', decision),
  /** The last decision was taken back. */
  event('InsightReopened', { insightId: InsightId, practiceId: PracticeId }),
])
export type InsightEvent = z.infer<typeof InsightEvent>
