import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const minutes = z.number().int().min(0)

/** The practice stated how long a person would need, in minutes, and the pay of an hour, in cents. */
export const AutomationEstimatesChanged = event('AutomationEstimatesChanged', {
  practiceId: PracticeId,
  minutesPerMessage: minutes,
  minutesPerForm: minutes,
  hourlyRateCents: z.number().int().min(0),
})
export type AutomationEstimatesChanged = z.infer<typeof AutomationEstimatesChanged>
