import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { PlanId } from '#contracts/values/plans.ts'
import { BillingStatus } from '#contracts/values/tiers.ts'
import { event } from '#eventstore/event.ts'

/** An ISO instant in UTC, as reported by the payment provider. */
const instant = z.iso.datetime()
const providerId = z.string().min(1).max(255)

/**
 * A subscription as reported by the payment provider. `plan` is in effect; `nextPlan` replaces it when the period ends.
 * `trialEnd` is null when no trial ever started. While it is past due, the current period is the unpaid one. `checkoutId` is
 * the checkout that created it; null when it was created at the provider.
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

/** An invoice of the payment provider for one period. `failed`: the card was declined; the amount is still due. */
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
 * The instant of a report by the provider's clock, and the version of the object: a whole number that grows with every
 * change. Two states of one object may share a version when the provider's clock is too coarse to tell them apart.
 */
export const Observation = z.strictObject({ version: z.number().int().nonnegative(), at: instant })
export type Observation = z.infer<typeof Observation>

const subscriptionFields = { practiceId: PracticeId, observed: Observation, subscription: Subscription }
const invoiceFields = { practiceId: PracticeId, observed: Observation, invoice: Invoice }

/** The first of these two opens the plan: from then on, sample records count nowhere. */
export const TrialStarted = event('TrialStarted', subscriptionFields)
export const SubscriptionActivated = event('SubscriptionActivated', subscriptionFields)

/** The events of a practice's subscription to Everchart. */
export const BillingEvent = z.discriminatedUnion('type', [
  /** A plan was chosen. Written before the provider is called, so that a retry requests the same subscription. */
  event('CheckoutStarted', { practiceId: PracticeId, checkoutId: z.uuid(), plan: PlanId }),
  event('SubscriptionStarted', subscriptionFields),
  TrialStarted,
  SubscriptionActivated,
  event('SubscriptionRenewed', subscriptionFields),
  event('SubscriptionPastDue', subscriptionFields),
  event('PlanChangeScheduled', subscriptionFields),
  event('PlanChangeWithdrawn', subscriptionFields),
  event('PlanChanged', { ...subscriptionFields, from: PlanId }),
  event('CancellationScheduled', subscriptionFields),
  event('SubscriptionReactivated', subscriptionFields),
  event('SubscriptionCanceled', subscriptionFields),
  /** The provider reported a newer version without a relevant change. */
  event('SubscriptionConfirmed', subscriptionFields),
  event('PaymentSucceeded', invoiceFields),
  event('PaymentFailed', invoiceFields),
  event('InvoiceVoided', invoiceFields),
  /**
   * A subscription that was paid with test cards ended, because the installation takes real payments now. `at` is an instant
   * by the real clock, not by the sandbox's.
   */
  event('SandboxSubscriptionEnded', { practiceId: PracticeId, subscriptionId: providerId, at: instant }),
  /** An update cannot be ordered, or shows that another one is missing: the subscription must be fetched. */
  event('ProviderUpdateMissed', {
    practiceId: PracticeId,
    subscriptionId: providerId,
    version: Observation.shape.version,
  }),
])
export type BillingEvent = z.infer<typeof BillingEvent>
