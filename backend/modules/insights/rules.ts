import type { AiInsight } from '#contracts/insights.ts'

/**
 * What is counted. `unconfirmed`: visits of the practice's tomorrow that nobody has confirmed; `missedBefore`: how many of
 * their patients missed a visit within a year; `overdue`: patients last seen over a year ago, with no visit to come.
 */
export type InsightCounts = { unconfirmed: number; missedBefore: number; overdue: number }

const visits = (count: number) => (count === 1 ? '1 visit tomorrow is' : `${count} visits tomorrow are`)
const patients = (count: number, one: string, many: string) =>
  count === 1 ? `1 patient ${one}` : `${count} patients ${many}`

/** What is worth saying of it, the most urgent first. */
export function deriveInsights({ unconfirmed, missedBefore, overdue }: InsightCounts): AiInsight[] {
  const found: AiInsight[] = []
  if (unconfirmed > 0)
    found.push({
      type: 'alert',
      priority: missedBefore > 0 ? 'high' : 'medium',
      title: `${visits(unconfirmed)} not confirmed`,
      message:
        missedBefore > 0
          ? `Among them ${patients(missedBefore, 'who missed', 'who missed')} a visit this year. A call today keeps the slots filled.`
          : 'A call today keeps the slots filled.',
      actionItems: ['Call the patients who have not confirmed'],
    })
  if (overdue > 0)
    found.push({
      type: 'recommendation',
      priority: 'low',
      title: `${patients(overdue, 'has', 'have')} not been seen for over a year`,
      message: 'None of their visits is booked.',
      actionItems: ['Offer them a check-up'],
    })
  return found
}
