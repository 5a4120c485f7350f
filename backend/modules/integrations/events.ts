import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

/** A user tested the connection to a service outside of Everchart. */
export const IntegrationTested = event('IntegrationTested', {
  practiceId: PracticeId,
  userId: UserId,
  name: z.enum(['ai', 'payments', 'email', 'sms', 'database']),
  /** The code of the error; null when the service works. */
  error: z.string().min(1).nullable(),
  durationMs: z.int().nonnegative(),
})
export type IntegrationTested = z.infer<typeof IntegrationTested>
