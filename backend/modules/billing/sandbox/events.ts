import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'
import { Invoice, Observation, Subscription } from '../events.ts'

/**
 * What a test card does: pays; attaches and refuses every later payment; asks for a confirmation first. Those that are
 * refused at once are never kept.
 */
export const CardBehaviour = z.enum(['pays', 'fails-later', 'asks-first'])
export type CardBehaviour = z.infer<typeof CardBehaviour>

/** What is kept of a card: enough to recognise it, nothing to pay with. */
export const StoredCard = z.strictObject({
  brand: z.enum(['visa', 'mastercard', 'amex', 'discover', 'other']),
  lastFour: z.string().regex(/^\d{4}$/),
  expMonth: z.number().int().min(1).max(12),
  expYear: z.number().int(),
  behaviour: CardBehaviour,
})
export type StoredCard = z.infer<typeof StoredCard>

const practiceId = PracticeId

/**
 * The books of the sandbox processor for one practice: no real card is ever charged. These are the sandbox's own facts, as
 * Stripe would have them; Everchart learns of them by messages alone.
 */
export const SandboxEvent = z.discriminatedUnion('type', [
  /** The test clock of a practice was put forward. */
  event('SandboxClockAdvanced', { practiceId, days: z.number().int().positive() }),
  event('SandboxCardAttached', { practiceId, card: StoredCard }),
  event('SandboxSubscriptionChanged', { practiceId, seen: Observation, subscription: Subscription }),
  /** `number` counts the invoices of a practice from 1; `subscriptionVersion` is what its subscription had then. */
  event('SandboxInvoiceChanged', {
    practiceId,
    seen: Observation,
    invoice: Invoice,
    number: z.number().int().positive(),
    subscriptionVersion: Observation.shape.version,
  }),
])
export type SandboxEvent = z.infer<typeof SandboxEvent>
