import type { AiInsight } from '#contracts/insights.ts'

/**
 * What is counted. `unconfirmed`: appointments of the practice's tomorrow that nobody has confirmed; `missedBefore`: how many of
 * their patients missed an appointment within a year; `overdue`: patients last seen over a year ago, with no appointment to come.
 */
export type InsightCounts = { unconfirmed: number; missedBefore: number; overdue: number }

const appointments = (count: number) =>
  count === 1 ? '1 appointment tomorrow is' : `${count} appointments tomorrow are`
const patients = (count: number, one: string, many: string) =>
  count === 1 ? `1 patient ${one}` : `${count} patients ${many}`

/** What is worth saying of it, the most urgent first. */
export function deriveInsights({ unconfirmed, missedBefore, overdue }: InsightCounts): AiInsight[] {
  const found: AiInsight[] = []
  if (unconfirmed > 0)
    found.push({
      type: 'alert',
      priority: missedBefore > 0 ? 'high' : 'medium',
      title: `${appointments(unconfirmed)} not confirmed`,
      message:
        missedBefore > 0
          ? `Among them ${patients(missedBefore, 'who missed', 'who missed')} an appointment this year. A call today keeps the slots filled.`
          : 'A call today keeps the slots filled.',
      actionItems: ['Call the patients who have not confirmed'],
    })
  if (overdue > 0)
    found.push({
      type: 'recommendation',
      priority: 'low',
      title: `${patients(overdue, 'has', 'have')} not been seen for over a year`,
      message: 'None of their appointments is booked.',
      actionItems: ['Offer them a check-up'],
    })
  return found
}
