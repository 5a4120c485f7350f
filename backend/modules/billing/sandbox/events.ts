import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'
import { Invoice, Observation, Subscription } from '../events.ts'

/**
 * The behavior of a test card: it pays; it is accepted but every later payment fails; or it asks for a confirmation first.
 * Cards that are declined immediately are never stored.
 */
export const CardBehaviour = z.enum(['succeeds', 'fails-later', 'requires-confirmation'])
export type CardBehaviour = z.infer<typeof CardBehaviour>

/** The stored part of a card: enough to recognize it, not enough to pay with it. */
export const StoredCard = z.strictObject({
  brand: z.enum(['visa', 'mastercard', 'amex', 'discover', 'other']),
  lastFour: z.string().regex(/^\d{4}$/),
  expMonth: z.number().int().min(1).max(12),
  expYear: z.number().int(),
  behaviour: CardBehaviour,
})
export type StoredCard = z.infer<typeof StoredCard>

const practiceId = PracticeId

/** The beginning of the ids of the sandbox's subscriptions; Stripe's have no second underscore. */
export const sandboxSubscriptionPrefix = 'sub_sandbox_'

/**
 * The ledger of the billing sandbox for one practice; no real card is ever charged. These events play the part of Stripe's
 * database: the billing module learns about them from webhooks only.
 */
export const SandboxEvent = z.discriminatedUnion('type', [
  /** The test clock of a practice was moved forward. */
  event('SandboxClockAdvanced', { practiceId, days: z.number().int().positive() }),
  event('SandboxCardAttached', { practiceId, card: StoredCard }),
  event('SandboxSubscriptionChanged', { practiceId, observed: Observation, subscription: Subscription }),
  /** `number` counts the invoices of a practice from 1; `subscriptionVersion` is the subscription's version at the time. */
  event('SandboxInvoiceChanged', {
    practiceId,
    observed: Observation,
    invoice: Invoice,
    number: z.number().int().positive(),
    subscriptionVersion: Observation.shape.version,
  }),
])
export type SandboxEvent = z.infer<typeof SandboxEvent>
