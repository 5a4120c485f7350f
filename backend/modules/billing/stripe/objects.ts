import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { PlanId } from '#contracts/values/plans.ts'
import type { BillingStatus } from '#contracts/values/tiers.ts'
import type { Invoice, Subscription } from '../events.ts'
import { type Message, type ProviderUpdate, UnreadableMessage } from '../payment-provider.ts'

/** Stripe's id of the monthly price of each plan. */
export type Prices = Readonly<Record<PlanId, string>>

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799
const seconds = z.number().int().min(0).max(lastSecond)
const stripeId = z.string().min(1).max(255)
const toInstant = (at: number) => new Date(at * 1_000).toISOString()

/**
 * The fields used of Stripe's subscriptions, in the shapes before and since API version 2025-03-31, which moved the current
 * period from the subscription to its items: webhooks come in the version of the Stripe account. The metadata is written by Everchart: `plan` is the billed plan, for prices that
 * are no longer offered; `keeps` and `keeps_until` (an instant in UTC) hold the larger plan that stays in effect while a
 * smaller one is already scheduled for the next bill.
 */
const StripeSubscription = z.object({
  id: stripeId,
  status: z.string(),
  created: seconds,
  cancel_at_period_end: z.boolean(),
  /** The date that Stripe's portal sets in place of the flag where billing is flexible. */
  cancel_at: seconds.nullish(),
  trial_end: seconds.nullish(),
  current_period_start: seconds.optional(),
  current_period_end: seconds.optional(),
  pending_setup_intent: z.unknown(),
  default_payment_method: z.unknown(),
  items: z.object({
    data: z
      .array(
        z.object({
          price: z.object({ id: z.string() }),
          current_period_start: seconds.optional(),
          current_period_end: seconds.optional(),
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

const SubscriptionId = z.union([stripeId, z.object({ id: stripeId }).transform(({ id }) => id)])
const InvoiceMetadata = z.object({ practiceId: PracticeId, plan: PlanId.optional() })

/** The fields used of Stripe's invoices. Before API version 2025-03-31 there was no `parent`, and a line had a `price`. */
const StripeInvoice = z.object({
  id: stripeId,
  // Negative for a credit.
  amount_due: z.number().int().max(100_000_000),
  parent: z
    .object({ subscription_details: z.object({ subscription: SubscriptionId, metadata: InvoiceMetadata }) })
    .nullish(),
  subscription: SubscriptionId.nullish(),
  subscription_details: z.object({ metadata: InvoiceMetadata }).nullish(),
  lines: z.object({
    data: z
      .array(
        z.object({
          period: z.object({ start: seconds, end: seconds }),
          pricing: z.object({ price_details: z.object({ price: z.string() }) }).nullish(),
          price: z.object({ id: z.string() }).nullish(),
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

/** The places in Stripe's objects that name a practice. */
const Named = z.object({ practiceId: PracticeId })
const NamingObject = z.union([
  z.object({ metadata: Named }),
  z.object({ parent: z.object({ subscription_details: z.object({ metadata: Named }) }) }),
  z.object({ subscription_details: z.object({ metadata: Named }) }),
])

/** Returns null for an object that does not concern us; throws UnreadableMessage for one that names a practice. */
function rejectUnreadable(object: unknown, issues: readonly z.core.$ZodIssue[] = []): null {
  if (!NamingObject.safeParse(object).success) return null
  throw new UnreadableMessage(issues.some((issue) => 'origin' in issue && /^(int|number)$/.test(issue.origin)))
}

/**
 * Parses a Stripe subscription as of an instant. Returns it with its practice; null when Everchart did not create it. Throws
 * UnreadableMessage.
 */
export function parseSubscription(
  object: unknown,
  prices: Prices,
  at: string,
): { practiceId: PracticeId; subscription: Subscription } | null {
  const parsed = StripeSubscription.safeParse(object)
  if (!parsed.success) return rejectUnreadable(object, parsed.error.issues)
  const found = parsed.data
  const status = mapStatus(found)
  const [item] = found.items.data
  const billedPlan = item && (findPlan(item.price.id, prices) ?? found.metadata.plan)
  const periodStart = item?.current_period_start ?? found.current_period_start
  const periodEnd = item?.current_period_end ?? found.current_period_end
  if (!status || !billedPlan || periodStart === undefined || periodEnd === undefined) return rejectUnreadable(object)
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
    cancelAtPeriodEnd: status !== 'canceled' && (found.cancel_at_period_end || Boolean(found.cancel_at)),
    createdAt: toInstant(found.created),
    currentPeriodStart: toInstant(periodStart),
    currentPeriodEnd: toInstant(periodEnd),
    trialEnd: hadTrial && found.trial_end ? toInstant(found.trial_end) : null,
  }
  return { practiceId, subscription }
}

const findPlan = (price: string | undefined, prices: Prices) => PlanId.options.find((plan) => prices[plan] === price)

const invoiceStatuses: Readonly<Record<string, Invoice['status']>> = {
  'invoice.paid': 'paid',
  'invoice.payment_failed': 'failed',
  'invoice.voided': 'void',
  // Written off by Stripe's dunning, but still due.
  'invoice.marked_uncollectible': 'failed',
}

/**
 * Parses a Stripe webhook; null when it is not relevant. Throws UnreadableMessage. Stripe's objects have no version: the second in which a webhook was
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
  if (!status) return null
  const parsed = StripeInvoice.safeParse(object)
  if (!parsed.success) return rejectUnreadable(object, parsed.error.issues)
  const { id: invoiceId, amount_due: cents, parent, lines } = parsed.data
  // A trial starts with an invoice over zero, which is not a payment.
  if (cents <= 0) return null
  const subscriptionId = parent?.subscription_details.subscription ?? parsed.data.subscription
  const metadata = parent?.subscription_details.metadata ?? parsed.data.subscription_details?.metadata
  const plan =
    lines.data
      .map(({ pricing, price }) => findPlan(pricing?.price_details.price ?? price?.id, prices))
      .findLast((found) => found !== undefined) ?? metadata?.plan
  if (!plan || !metadata || subscriptionId == null) return rejectUnreadable(object)
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
