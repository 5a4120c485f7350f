import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { BillingStatus } from '#contracts/values/tiers.ts'
import { event } from '#eventstore/event.ts'

/** An ISO instant in UTC, as the payment provider gave it. */
const instant = z.iso.datetime()
const providerId = z.string().min(1).max(255)

/**
 * A subscription as the payment provider has it. `plan` is what is in effect; `nextPlan` takes its place when the period ends.
 * `trialEnd` is null where no trial was ever begun. While it is past due, the period is the one that was not paid.
 * `checkoutId` is the choice it came from; null where it was made at the provider itself.
 */
export const Subscription = z.strictObject({
  subscriptionId: providerId,
  checkoutId: z.uuid().nullable(),
  status: BillingStatus,
  plan: PlanId,
  nextPlan: PlanId.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  createdAt: instant,
  currentPeriodStart: instant,
  currentPeriodEnd: instant,
  trialEnd: instant.nullable(),
})
export type Subscription = z.infer<typeof Subscription>

/** A bill of the payment provider for one period. `failed`: the card was asked and refused; it is still to be paid. */
export const Invoice = z.strictObject({
  invoiceId: providerId,
  subscriptionId: providerId,
  status: z.enum(['paid', 'failed', 'void']),
  plan: PlanId,
  amount: Money,
  periodStart: instant,
  periodEnd: instant,
})
export type Invoice = z.infer<typeof Invoice>

/**
 * When the provider said so, by its own clock, and the version its object had then: a whole number that goes up with what
 * changes. Two states of one object may share a version where the provider's clock is too coarse to tell them apart.
 */
export const Observation = z.strictObject({ version: z.number().int().nonnegative(), at: instant })
export type Observation = z.infer<typeof Observation>

const ofSubscription = { practiceId: PracticeId, seen: Observation, subscription: Subscription }
const ofInvoice = { practiceId: PracticeId, seen: Observation, invoice: Invoice }

/** Everything that can have happened to what a practice pays us for Everchart. */
export const BillingEvent = z.discriminatedUnion('type', [
  /** Somebody chose a plan. Written before the provider is asked, so that a second try asks for the same thing. */
  event('CheckoutBegun', { practiceId: PracticeId, checkoutId: z.uuid(), plan: PlanId }),
  event('SubscriptionStarted', ofSubscription),
  event('TrialStarted', ofSubscription),
  event('SubscriptionActivated', ofSubscription),
  event('SubscriptionRenewed', ofSubscription),
  event('SubscriptionFellPastDue', ofSubscription),
  event('PlanChangeScheduled', ofSubscription),
  event('PlanChangeWithdrawn', ofSubscription),
  event('PlanChanged', { ...ofSubscription, from: PlanId }),
  event('CancellationScheduled', ofSubscription),
  event('SubscriptionReactivated', ofSubscription),
  event('SubscriptionCanceled', ofSubscription),
  /** The provider has a newer version in which nothing changed that matters here. */
  event('SubscriptionConfirmed', ofSubscription),
  event('PaymentSucceeded', ofInvoice),
  event('PaymentFailed', ofInvoice),
  event('InvoiceVoided', ofInvoice),
  /** What came cannot be put in order, or shows that something is missing: the provider has to be asked. */
  event('GapNoticed', { practiceId: PracticeId, subscriptionId: providerId, version: Observation.shape.version }),
])
export type BillingEvent = z.infer<typeof BillingEvent>
