import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents } from './values/money.ts'
import { PlanId } from './values/plans.ts'
import { BillingStatus } from './values/tiers.ts'

/** Only the owner and administrators may change what the practice pays for. */
const access = { permission: 'settings' } as const

/** A plan on offer; `price` in whole US dollars a month, `priceId` is what the payment provider calls it. */
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
 * What the practice pays for. Instants are in UTC. `nextPlan` takes effect at `currentPeriodEnd`, where one was chosen;
 * `accessUntil` is when the practice loses what it uses now, null while nothing says so; `asOf` is now by the provider's clock,
 * which a sandbox can put forward. `patients` is how many count against the plan's limit.
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
  customer: z.object({ email: z.string() }),
})
export type SubscriptionView = z.infer<typeof SubscriptionView>

/** 404 `no-subscription` where nothing was ever paid for, nor tried. */
export const subscriptionStatus = endpoint({
  method: 'GET',
  path: '/api/subscription/status',
  access: 'member',
  reply: SubscriptionView,
})

/**
 * Chooses a plan: the same secret for the same plan, however often it is called before it is paid. `publishableKey` is what
 * Stripe's form in the browser needs; null in the sandbox, which has a form of its own. `trialDays` is how long nothing is
 * charged; 0 for a practice that had its trial.
 */
export const createSubscription = endpoint({
  method: 'POST',
  path: '/api/create-subscription',
  access,
  body: z.strictObject({ planType: PlanId }),
  reply: z.object({ clientSecret: z.string(), publishableKey: z.string().nullable(), trialDays: z.number().int() }),
})

/** Ends the subscription with the period that is paid for. */
export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/cancel',
  access,
  reply: SubscriptionView,
})

/** Takes a cancellation back before the period ends. */
export const reactivateSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/reactivate',
  access,
  reply: SubscriptionView,
})

/** A better plan at once, a smaller one when the period ends. 409 `too-many-patients`, 402 `card-declined`. */
export const changePlan = endpoint({
  method: 'POST',
  path: '/api/subscription/change-plan',
  access,
  body: z.strictObject({ priceId: z.string().min(1).max(255) }),
  reply: SubscriptionView,
})

/** Where the card can be changed: a page of the payment provider's, or of ours in the sandbox. */
export const billingPortal = endpoint({
  method: 'POST',
  path: '/api/billing/portal',
  access,
  reply: z.object({ url: z.string() }),
})

/** Where the newest invoice is as a PDF; 404 `no-invoice`. */
export const latestInvoice = endpoint({
  method: 'GET',
  path: '/api/billing/invoice/latest',
  access,
  reply: z.object({ invoice_pdf: z.string() }),
})
