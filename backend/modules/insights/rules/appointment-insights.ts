import type { AppointmentInsight } from '#contracts/insights.ts'

/** Derives the insights about an upcoming appointment that is not confirmed; null without any. */
export function deriveAppointmentInsights(missed: number): AppointmentInsight[] | null {
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
