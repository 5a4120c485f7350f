import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents } from './values/money.ts'
import { PlanId } from './values/plans.ts'
import { BillingStatus } from './values/tiers.ts'

/** The owner and administrators may change the subscription. */
const access = { permission: 'settings' } as const

/** A plan on offer; `price` in whole US dollars per month, `priceId` is the payment provider's id of it. */
export const OfferedPlan = z.object({
  id: PlanId,
  name: z.string(),
  price: z.number().int(),
  description: z.string(),
  features: z.array(z.string()),
  recommended: z.boolean(),
  priceId: z.string(),
})

export const listPlans = endpoint({
  method: 'GET',
  path: '/api/subscription/plans',
  access: 'public',
  reply: z.array(OfferedPlan),
})

/**
 * The subscription of the practice. Instants are in UTC. A chosen `nextPlan` takes effect at `currentPeriodEnd`; `accessUntil`
 * is the end of access, null when no end is known; `asOf` is the time of the provider's clock, which the sandbox can move.
 * `patients` and `providers` are the numbers that count against the plan's limits. `isEndedSandbox`: it was paid with test cards, and ended when
 * the installation began to take real payments. `customer` is null for callers who may not change the
 * subscription: it names its owner.
 */
export const SubscriptionView = z.object({
  plan: z.object({ id: PlanId, name: z.string(), amount: Cents, interval: z.literal('month') }),
  nextPlan: PlanId.nullable(),
  status: BillingStatus,
  cancelAtPeriodEnd: z.boolean(),
  currentPeriodEnd: z.iso.datetime(),
  accessUntil: z.iso.datetime().nullable(),
  asOf: z.iso.datetime(),
  patients: z.number().int().nonnegative(),
  providers: z.number().int().nonnegative(),
  customer: z.object({ email: z.string() }).nullable(),
  isEndedSandbox: z.boolean(),
})
export type SubscriptionView = z.infer<typeof SubscriptionView>

/** Returns the subscription. 404 `no-subscription` when there was never a paid one or a trial. */
export const subscriptionStatus = endpoint({
  method: 'GET',
  path: '/api/subscription/status',
  access: { permission: 'billing' },
  reply: SubscriptionView,
  withhold: (view: SubscriptionView, may): SubscriptionView => (may('settings') ? view : { ...view, customer: null }),
})

/**
 * Chooses a plan. Repeated calls for the same plan return the same secret until it is paid. `publishableKey` is for Stripe's
 * form in the browser; null with the sandbox, which has its own form. `trialDays` is the time before the first charge; 0 for
 * a practice that has had its trial.
 */
export const createSubscription = endpoint({
  method: 'POST',
  path: '/api/create-subscription',
  access,
  isPayment: true,
  body: z.strictObject({ planType: PlanId }),
  reply: z.object({ clientSecret: z.string(), publishableKey: z.string().nullable(), trialDays: z.number().int() }),
})

/**
 * Fetches the subscription from the payment provider after a checkout, without waiting for its webhook. `none`: no plan was
 * chosen, or its subscription has ended; `unpaid`: a plan was chosen and not paid; `open`: the practice has its plan.
 */
export const refreshCheckout = endpoint({
  method: 'POST',
  path: '/api/subscription/refresh',
  access,
  isPayment: true,
  reply: z.object({ checkout: z.enum(['none', 'unpaid', 'open']) }),
})

/** Cancels the subscription at the end of the paid period. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/cancel',
  access,
  reply: SubscriptionView,
})

/** Withdraws a cancellation before the period ends. */
export const reactivateSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/reactivate',
  access,
  isPayment: true,
  reply: SubscriptionView,
})

/**
 * Upgrades immediately, downgrades at the end of the period. 409 `too-many-patients` or `too-many-providers`, 402
 * `card-declined`.
 */
export const changePlan = endpoint({
  method: 'POST',
  path: '/api/subscription/change-plan',
  access,
  isPayment: true,
  body: z.strictObject({ priceId: z.string().min(1).max(255) }),
  reply: SubscriptionView,
})

/** Returns the page where the card can be changed: the payment provider's, or the sandbox's own. */
export const billingPortal = endpoint({
  method: 'POST',
  path: '/api/billing/portal',
  access,
  isPayment: true,
  reply: z.object({ url: z.string() }),
})

/** Returns the address of the newest invoice as a PDF; 404 `no-invoice`. */
export const latestInvoice = endpoint({
  method: 'GET',
  path: '/api/billing/invoice/latest',
  access,
  reply: z.object({ invoice_pdf: z.string() }),
})
