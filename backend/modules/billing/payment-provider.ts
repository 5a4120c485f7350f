import { z } from 'zod'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import type { ProviderSnapshot } from './decider.ts'

/** What a payment provider calls an object or a message of its own, such as `sub_1Abc`; never the name of a person. */
export const ProviderObjectId = z.stringFormat('provider-object-id', /^[a-z]+_[\w-]{1,250}$/)

type Of = { practiceId: PracticeId; subscriptionId: string }

/** A message as it came; `createdAt` is when the provider says it was made, an instant in UTC. */
export type Message = { type: string; createdAt: string; object: unknown }

/** A plan that was chosen. `begun` is the subscription that was made for this choice before, null where none is known. */
type Checkout = {
  practiceId: PracticeId
  checkoutId: string
  plan: PlanId
  hadTrial: boolean
  begun: string | null
}

/** What a message of the provider tells, and of whom. */
export type ProviderUpdate = { practiceId: PracticeId; fact: ProviderSnapshot }

/** Whoever takes the money: Stripe, or the sandbox. Every answer of a change is as new as the change. */
export type PaymentProvider = {
  /** What the provider calls the monthly price of a plan. */
  priceIdOf(plan: PlanId): string
  /**
   * Begins a subscription that is not paid yet, once for a checkout, however often it is called; answers it as it is now.
   * The secret is null when nothing is left to pay.
   */
  create(asked: Checkout): Promise<{ fact: ProviderSnapshot; clientSecret: string | null }>
  /** Ends a subscription, unless it was paid meanwhile; answers it as it is then, null when the provider does not know it. */
  giveUp(of: Of): Promise<ProviderSnapshot | null>
  /** Throws PaymentRefused when the card does not pay what is due at once. */
  changePlan(of: Of, plan: PlanId): Promise<ProviderSnapshot>
  cancelAtPeriodEnd(of: Of): Promise<ProviderSnapshot>
  reactivate(of: Of): Promise<ProviderSnapshot>
  /** A subscription as it is now; null when the provider does not know it. */
  look(of: Of): Promise<ProviderSnapshot | null>
  /** What the provider's own clock for a practice shows, an instant in UTC; null where it is everybody's. */
  now(practiceId: PracticeId): Promise<string | null>
  /** Where the practice can change its card. */
  portalUrl(of: Of): Promise<string>
  /** Where the newest invoice is as a PDF; null when there is none. */
  latestInvoiceUrl(of: Of): Promise<string | null>
  /** Null when a message is about something that does not matter here. */
  read(message: Message): ProviderUpdate | null
}

/** The bank does not pay: 402 `card-declined` with its own words. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
}
