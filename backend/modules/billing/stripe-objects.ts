import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import type { Invoice, Subscription } from './events.ts'
import type { Message, ProviderUpdate } from './payment-provider.ts'

/** What Stripe calls the monthly price of each plan. */
export type Prices = Readonly<Record<PlanId, string>>

const seconds = z.number().int()
const instantOf = (at: number) => new Date(at * 1_000).toISOString()

/**
 * What is read of Stripe's subscriptions. Its metadata is ours. `plan` is the one on the bill, for prices that are not on
 * offer any more. `keeps` and `keeps_until`: a smaller plan is on the next bill already, and the better one is kept until
 * then (an instant in UTC).
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

/** Stripe has more words. An unpaid trial is none: Stripe begins it before it has a card. */
function statusOf({ status, pending_setup_intent }: z.infer<typeof StripeSubscription>): BillingStatus | null {
  if (status === 'trialing') return pending_setup_intent ? 'incomplete' : 'trialing'
  if (status === 'incomplete' || status === 'active' || status === 'past_due' || status === 'canceled') return status
  if (status === 'incomplete_expired') return 'canceled'
  return status === 'unpaid' || status === 'paused' ? 'past_due' : null
}

/** A subscription of Stripe's as it is at an instant, and whose it is; null when it is none of ours. */
export function parseSubscription(
  object: unknown,
  prices: Prices,
  at: string,
): { practiceId: PracticeId; subscription: Subscription } | null {
  const parsed = StripeSubscription.safeParse(object)
  if (!parsed.success) return null
  const found = parsed.data
  const status = statusOf(found)
  const [item] = found.items.data
  const priced = item && (planAt(item.price.id, prices) ?? found.metadata.plan)
  if (!status || !item || !priced) return null
  const { practiceId, checkoutId, keeps, keeps_until } = found.metadata
  const kept = keeps !== undefined && keeps_until !== undefined && at < keeps_until && keeps !== priced
  // A trial that nobody gave a card for was none, also once Stripe has ended it.
  const tried = status !== 'incomplete' && (status !== 'canceled' || Boolean(found.default_payment_method))
  const subscription: Subscription = {
    subscriptionId: found.id,
    checkoutId: checkoutId ?? null,
    status,
    plan: kept ? keeps : priced,
    nextPlan: kept ? priced : null,
    cancelAtPeriodEnd: status !== 'canceled' && found.cancel_at_period_end,
    createdAt: instantOf(found.created),
    currentPeriodStart: instantOf(item.current_period_start),
    currentPeriodEnd: instantOf(item.current_period_end),
    trialEnd: tried && found.trial_end ? instantOf(found.trial_end) : null,
  }
  return { practiceId, subscription }
}

const planAt = (price: string, prices: Prices) => PlanId.options.find((plan) => prices[plan] === price)

const invoiceStates: Readonly<Record<string, Invoice['status']>> = {
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'failed',
  'invoice.voided': 'void',
  // Nobody believes in it any more, and yet it is owed.
  'invoice.marked_uncollectible': 'failed',
}

/**
 * What a message of Stripe's tells. Its objects have no version: the second in which it was made is taken for one, and what
 * falls into the same second is asked for.
 */
export function parseStripeMessage({ type, createdAt, object }: Message, prices: Prices): ProviderUpdate | null {
  const seen = { version: Math.floor(Date.parse(createdAt) / 1_000), at: createdAt }
  if (type.startsWith('customer.subscription.')) {
    const found = parseSubscription(object, prices, createdAt)
    return found && { practiceId: found.practiceId, fact: { kind: 'subscription', seen, ...found, asked: false } }
  }
  const status = invoiceStates[type]
  const parsed = StripeInvoice.safeParse(object)
  // Nothing is paid by the bill over nothing with which a trial begins.
  if (!status || !parsed.success || parsed.data.amount_due <= 0) return null
  const { id: invoiceId, amount_due: cents, parent, lines } = parsed.data
  const { subscription: subscriptionId, metadata } = parent.subscription_details
  const plan =
    lines.data
      .map(({ pricing }) => pricing && planAt(pricing.price_details.price, prices))
      .findLast((one) => one != null) ?? metadata.plan
  if (!plan) return null
  const invoice: Invoice = {
    invoiceId,
    subscriptionId,
    status,
    plan,
    amount: { cents, currency: 'USD' },
    periodStart: instantOf(Math.min(...lines.data.map(({ period }) => period.start))),
    periodEnd: instantOf(Math.max(...lines.data.map(({ period }) => period.end))),
  }
  // Whatever made the bill has changed the subscription by then.
  const fact = { kind: 'invoice', seen, invoice, subscriptionVersion: seen.version } as const
  return { practiceId: metadata.practiceId, fact }
}
