import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { event } from '#eventstore/event.ts'

const practiceId = PracticeId
const text = z.string().min(1)

/** What a practice is called, where it is and how it is reached. `timezone` is an IANA name; every "today" is in it. */
const details = {
  name: text,
  address: text,
  phone: text,
  email: text,
  website: text.nullable(),
  specialties: z.array(text),
  npi: text.nullable(),
  taxId: text.nullable(),
  timezone: text,
}

/** Everything that can have happened to a practice. */
export const PracticeEvent = z.discriminatedUnion('type', [
  event('PracticeSetUp', { practiceId, ownerId: UserId, ...details }),
  /** Only the fields concerned, as they were and as they are. */
  event('PracticeDetailsChanged', {
    practiceId,
    from: z.strictObject(details).partial(),
    to: z.strictObject(details).partial(),
  }),
  /** The owner went through the set-up to its end; once more when they chose otherwise later. */
  event('PracticeSetupCompleted', {
    practiceId,
    ownerId: UserId,
    newsletterOptIn: z.boolean(),
    selectedPlan: PlanId,
  }),
])
export type PracticeEvent = z.infer<typeof PracticeEvent>
