import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { SessionTimeout } from '#contracts/values/session-timeout.ts'
import { event } from '#eventstore/event.ts'

const practiceId = PracticeId
const text = z.string().min(1)

/** The fields of a practice. `timezone` is an IANA name; it determines the practice's current date. */
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

/**
 * The fields that the settings can change. `sessionTimeout` in minutes; a practice begins with the default, and without
 * requiring two-factor sign-in.
 */
const changes = z.strictObject({ ...details, sessionTimeout: SessionTimeout, requireTwoFactor: z.boolean() }).partial()

/** The events of a practice. */
export const PracticeEvent = z.discriminatedUnion('type', [
  event('PracticeSetUp', { practiceId, ownerId: UserId, ...details }),
  /** The changed fields only, before and after. */
  event('PracticeDetailsChanged', {
    practiceId,
    from: changes,
    to: changes,
  }),
  /** The owner finished the setup, or changed these choices later. */
  event('PracticeSetupCompleted', {
    practiceId,
    ownerId: UserId,
    newsletterOptIn: z.boolean(),
    selectedPlan: PlanId,
  }),
])
export type PracticeEvent = z.infer<typeof PracticeEvent>
