import { z } from 'zod'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { NonRetryableError } from '#jobs/job.ts'
import { awaitsFirstPayment } from './access.ts'
import type { ProviderSnapshot } from './decider.ts'

/** The payment provider's id of an object or message, such as `sub_1Abc`; never the name of a person. */
export const ProviderObjectId = z.stringFormat('provider-object-id', /^[a-z]+_[\w-]{1,250}$/)

type SubscriptionRef = { practiceId: PracticeId; subscriptionId: string }

/** A webhook of the payment provider; `createdAt` is the instant (UTC) at which the provider created it. */
export type Message = { type: string; createdAt: string; object: unknown }

/** A chosen plan. `existingSubscriptionId` is the subscription already created for this checkout; null when unknown. */
type Checkout = {
  practiceId: PracticeId
  checkoutId: string
  plan: PlanId
  hadTrial: boolean
  existingSubscriptionId: string | null
}

/** The content of a webhook, and the practice concerned. */
export type ProviderUpdate = { practiceId: PracticeId; snapshot: ProviderSnapshot }

/**
 * The payment provider: Stripe or its stand-in. Every reply to a change is at least as new as the change. A change that the
 * provider did not confirm throws OutcomeUnknown; repeated for the same intent of the user, it happens once.
 */
export type PaymentProvider = {
  /** Returns the provider's id of a plan's monthly price. */
  getPriceId(plan: PlanId): string
  /**
   * Creates an unpaid subscription, once per checkout however often it is called, and returns its current state. The
   * secret is null when nothing is left to pay.
   */
  create(checkout: Checkout): Promise<{ snapshot: ProviderSnapshot; clientSecret: string | null }>
  /** Cancels a subscription unless it was paid by then. Returns its state; null when the provider does not know it. */
  abandon(subscription: SubscriptionRef): Promise<ProviderSnapshot | null>
  /** Throws PaymentRefused when the card is declined for the amount due immediately. */
  changePlan(subscription: SubscriptionRef, plan: PlanId): Promise<ProviderSnapshot>
  cancelAtPeriodEnd(subscription: SubscriptionRef): Promise<ProviderSnapshot>
  reactivate(subscription: SubscriptionRef): Promise<ProviderSnapshot>
  /** Returns the current state of a subscription; null when the provider does not know it. */
  getSubscription(subscription: SubscriptionRef): Promise<ProviderSnapshot | null>
  /** Gives the provider the current name of the practice and address of its owner, if it knows the practice. */
  updateContact(practiceId: PracticeId): Promise<void>
  /** Returns the time of the provider's clock for a practice, an instant in UTC; null when it is the real time. */
  now(practiceId: PracticeId): Promise<string | null>
  /** Returns the address of the page where the practice can change its card. */
  portalUrl(subscription: SubscriptionRef): Promise<string>
  /** Returns the address of the newest invoice as a PDF; null when there is none. */
  latestInvoiceUrl(subscription: SubscriptionRef): Promise<string | null>
  /**
   * Parses a webhook; null when its subject is not relevant here. Throws UnreadableMessage when it names a practice but
   * cannot be read.
   */
  read(message: Message): ProviderUpdate | null
}

/** Returns whether a snapshot shows a subscription that still awaits its first payment. */
export const isUnpaid = (snapshot: ProviderSnapshot): boolean =>
  snapshot.kind === 'subscription' && awaitsFirstPayment(snapshot.subscription)

/**
 * A webhook names one of our practices and cannot be read, so that a payment may be missing: it becomes a dead letter.
 * `isOutOfRange`: one of its instants is outside the years 1970 to 9999, which no provider sends.
 */
export class UnreadableMessage extends NonRetryableError {
  override readonly name = 'UnreadableMessage'
  readonly isOutOfRange: boolean
  constructor(isOutOfRange: boolean) {
    super('unreadable-provider-message')
    this.isOutOfRange = isOutOfRange
  }
}

/** The bank declined a payment: 402 `card-declined` with the bank's message. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
}
