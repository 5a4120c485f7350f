import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import type { Invoice, Subscription } from './events.ts'
import type { Message, ProviderUpdate } from './payment-provider.ts'

/** Stripe's id of the monthly price of each plan. */
export type Prices = Readonly<Record<PlanId, string>>

const seconds = z.number().int()
const toInstant = (at: number) => new Date(at * 1_000).toISOString()

/**
 * The fields used of Stripe's subscriptions. The metadata is written by Everchart: `plan` is the billed plan, for prices that
 * are no longer offered; `keeps` and `keeps_until` (an instant in UTC) hold the larger plan that stays in effect while a
 * smaller one is already scheduled for the next bill.
 */
const StripeSubscription = z.object({
  id: z.string(),
  status: z.string(),
  created: seconds,
  cancel_at_period_end: z.boolean(),
  trial_end: seconds.nullish(),
  pending_setup_intent: z.unknown(),
  default_payment_method: z.unknown(),
  items: z.object({
    data: z
      .array(
        z.object({
          price: z.object({ id: z.string() }),
          current_period_start: seconds,
          current_period_end: seconds,
        }),
      )
      .min(1),
  }),
  metadata: z.object({
    practiceId: PracticeId,
    checkoutId: z.uuid().optional(),
    plan: PlanId.optional(),
    keeps: PlanId.optional(),
    keeps_until: z.iso.datetime().optional(),
  }),
})

const StripeInvoice = z.object({
  id: z.string(),
  amount_due: z.number().int(),
  parent: z.object({
    subscription_details: z.object({
      subscription: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]),
      metadata: z.object({ practiceId: PracticeId, plan: PlanId.optional() }),
    }),
  }),
  lines: z.object({
    data: z
      .array(
        z.object({
          period: z.object({ start: seconds, end: seconds }),
          pricing: z.object({ price_details: z.object({ price: z.string() }) }).nullish(),
        }),
      )
      .min(1),
  }),
})

/**
 * Maps Stripe's statuses to ours. A trial without a card counts as incomplete: Stripe starts trials before it has one. Null
 * for an unknown status.
 */
function mapStatus({ status, pending_setup_intent }: z.infer<typeof StripeSubscription>): BillingStatus | null {
  if (status === 'trialing') return pending_setup_intent ? 'incomplete' : 'trialing'
  if (status === 'incomplete' || status === 'active' || status === 'past_due' || status === 'canceled') return status
  if (status === 'incomplete_expired') return 'canceled'
  return status === 'unpaid' || status === 'paused' ? 'past_due' : null
}

/** Parses a Stripe subscription as of an instant. Returns it with its practice; null when Everchart did not create it. */
export function parseSubscription(
  object: unknown,
  prices: Prices,
  at: string,
): { practiceId: PracticeId; subscription: Subscription } | null {
  const parsed = StripeSubscription.safeParse(object)
  if (!parsed.success) return null
  const found = parsed.data
  const status = mapStatus(found)
  const [item] = found.items.data
  const billedPlan = item && (findPlan(item.price.id, prices) ?? found.metadata.plan)
  if (!status || !item || !billedPlan) return null
  const { practiceId, checkoutId, keeps, keeps_until } = found.metadata
  const keepsPlan = keeps !== undefined && keeps_until !== undefined && at < keeps_until && keeps !== billedPlan
  // A trial without a card does not count as a trial, even after Stripe has ended it.
  const hadTrial = status !== 'incomplete' && (status !== 'canceled' || Boolean(found.default_payment_method))
  const subscription: Subscription = {
    subscriptionId: found.id,
    checkoutId: checkoutId ?? null,
    status,
    plan: keepsPlan ? keeps : billedPlan,
    nextPlan: keepsPlan ? billedPlan : null,
    cancelAtPeriodEnd: status !== 'canceled' && found.cancel_at_period_end,
    createdAt: toInstant(found.created),
    currentPeriodStart: toInstant(item.current_period_start),
    currentPeriodEnd: toInstant(item.current_period_end),
    trialEnd: hadTrial && found.trial_end ? toInstant(found.trial_end) : null,
  }
  return { practiceId, subscription }
}

const findPlan = (price: string, prices: Prices) => PlanId.options.find((plan) => prices[plan] === price)

const invoiceStatuses: Readonly<Record<string, Invoice['status']>> = {
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'failed',
  'invoice.voided': 'void',
  // Written off by Stripe's dunning, but still due.
  'invoice.marked_uncollectible': 'failed',
}

/**
 * Parses a Stripe webhook; null when it is not relevant. Stripe's objects have no version: the second in which a webhook was
 * created serves as one, and conflicting states within one second are resolved by fetching the subscription.
 */
export function parseStripeMessage({ type, createdAt, object }: Message, prices: Prices): ProviderUpdate | null {
  const observed = { version: Math.floor(Date.parse(createdAt) / 1_000), at: createdAt }
  if (type.startsWith('customer.subscription.')) {
    const found = parseSubscription(object, prices, createdAt)
    return (
      found && {
        practiceId: found.practiceId,
        snapshot: { kind: 'subscription', observed, ...found, isRequested: false },
      }
    )
  }
  const status = invoiceStatuses[type]
  const parsed = StripeInvoice.safeParse(object)
  // A trial starts with an invoice over zero, which is not a payment.
  if (!status || !parsed.success || parsed.data.amount_due <= 0) return null
  const { id: invoiceId, amount_due: cents, parent, lines } = parsed.data
  const { subscription: subscriptionId, metadata } = parent.subscription_details
  const plan =
    lines.data
      .map(({ pricing }) => pricing && findPlan(pricing.price_details.price, prices))
      .findLast((found) => found != null) ?? metadata.plan
  if (!plan) return null
  const invoice: Invoice = {
    invoiceId,
    subscriptionId,
    status,
    plan,
    amount: { cents, currency: 'USD' },
    periodStart: toInstant(Math.min(...lines.data.map(({ period }) => period.start))),
    periodEnd: toInstant(Math.max(...lines.data.map(({ period }) => period.end))),
  }
  // The change that created the invoice also changed the subscription.
  const snapshot = { kind: 'invoice', observed, invoice, subscriptionVersion: observed.version } as const
  return { practiceId: metadata.practiceId, snapshot }
}
