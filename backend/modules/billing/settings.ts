import type { PlanId } from '#contracts/values/plans.ts'
import { defineSettings, type Services } from '#modules/module.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** Stripe's keys and the price id of each plan; `apiBase` overrides the address of its API. */
export type StripeSettings = {
  secretKey: string
  publishableKey: string
  prices: Readonly<Record<PlanId, string>>
  apiBase: string | null
}

/** Selects the payment provider, and verifies its webhooks. */
export type BillingSettings = {
  stripe: StripeSettings | null
  /** Creates the local stand-in for Stripe; null when it is disabled. Without either, payments are unavailable. */
  createStandIn: ((services: Services) => PaymentProvider) | null
  webhookSecret: string
  /** The address that users open, without a trailing slash. */
  address: string
}

export const billingSettings = defineSettings<BillingSettings>('billing')
