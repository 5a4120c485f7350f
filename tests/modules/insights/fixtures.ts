import { InsightId } from '#contracts/values/ids.ts'
import type { DecidedInsight } from '#modules/insights/decider.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'

export const insightId = InsightId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0091')

/** Returns an insight about patients without contact data, as a decision remembers it. */
export const insightOn = (...grounds: string[]): DecidedInsight => ({
  insightId,
  practiceId,
  rule: 'no-contact',
  subject: '',
  grounds,
})
