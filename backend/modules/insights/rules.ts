import type { AiInsight } from '#contracts/insights.ts'

/**
 * The counts behind insights. `unconfirmed`: appointments tomorrow (practice's local date) that are not confirmed; `missedBefore`:
 * how many of their patients missed an appointment within a year; `overdue`: patients last seen over a year ago, without an
 * upcoming appointment.
 */
export type InsightCounts = { unconfirmed: number; missedBefore: number; overdue: number }

const appointments = (count: number) =>
  count === 1 ? '1 appointment tomorrow is' : `${count} appointments tomorrow are`
const patients = (count: number, one: string, many: string) =>
  count === 1 ? `1 patient ${one}` : `${count} patients ${many}`

/** Derives the insights to show, the most urgent first. */
export function deriveInsights({ unconfirmed, missedBefore, overdue }: InsightCounts): AiInsight[] {
  const insights: AiInsight[] = []
  if (unconfirmed > 0)
    insights.push({
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
    insights.push({
      type: 'recommendation',
      priority: 'low',
      title: `${patients(overdue, 'has', 'have')} not been seen for over a year`,
      message: 'None of their appointments is booked.',
      actionItems: ['Offer them a check-up'],
    })
  return insights
}

/** Derives the insights about an upcoming appointment that is not confirmed; null without any. */
export function deriveAppointmentInsights(missed: number): AiInsight[] | null {
  if (missed === 0) return null
  return [
    {
      type: 'alert',
      priority: 'high',
      title: `This patient missed ${missed === 1 ? 'an appointment' : `${missed} appointments`} this year`,
      message: 'The appointment is not confirmed. A call keeps the slot filled.',
      actionItems: ['Call the patient to confirm'],
    },
  ]
}
