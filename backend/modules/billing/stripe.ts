import { Stripe } from 'stripe'
import type { PracticeId } from '#contracts/values/ids.ts'
import { planOf, trialDays } from '#contracts/values/plans.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import type { ProviderFact } from './decider.ts'
import { customerOf } from './customers.ts'
import { type PaymentProvider, PaymentRefused } from './payment-provider.ts'
import { findCustomer } from './queries.ts'
import { subscriptionIn, toldBy } from './stripe-objects.ts'

type StripeSettings = NonNullable<Services['billing']['stripe']>

type Parts = Pick<Services, 'db' | 'pool'> & { billing: Pick<Services['billing'], 'address'> }

const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

/** Stripe, by its own SDK. What the bank refuses is thrown as PaymentRefused; that it is away as 503. */
export function stripeProvider({ db, pool, billing }: Parts, settings: StripeSettings): PaymentProvider {
  const { prices } = settings
  const stripe = clientOf(settings)

  function read(answer: Stripe.Response<Stripe.Subscription>): ProviderFact {
    const at = new Date(answer.lastResponse.headers['date'] ?? Number.NaN)
    const seen = { version: Math.floor(at.getTime() / 1_000), at: at.toISOString() }
    const found = subscriptionIn(answer, prices, seen.at)
    if (!found) throw new Error('Stripe answered with a subscription that is none of ours')
    return { kind: 'subscription', seen, subscription: found.subscription, asked: true }
  }

  const update = async (id: string, change: Stripe.SubscriptionUpdateParams) =>
    read(await asking(stripe.subscriptions.update(id, change)))

  async function customer(practiceId: PracticeId): Promise<string> {
    return await customerOf(pool, practiceId, async () => {
      const { email, name } = await findCustomer(db, practiceId)
      const asked = { email, name, metadata: { practiceId } }
      return (await asking(stripe.customers.create(asked, { idempotencyKey: `customer ${practiceId}` }))).id
    })
  }

  return {
    priceIdOf: (plan) => prices[plan],
    async create({ practiceId, checkoutId, plan, hadTrial, replaces }) {
      if (replaces !== null) await giveUp(replaces)
      const answer = await asking(
        stripe.subscriptions.create(
          {
            customer: await customer(practiceId),
            items: [{ price: prices[plan] }],
            payment_behavior: 'default_incomplete',
            payment_settings: { save_default_payment_method: 'on_subscription' },
            ...(hadTrial
              ? {}
              : {
                  trial_period_days: trialDays,
                  trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
                }),
            metadata: { practiceId, checkoutId },
            expand,
          },
          { idempotencyKey: `checkout ${checkoutId}` },
        ),
      )
      return { fact: read(answer), clientSecret: secretIn(answer) }
    },
    async changePlan({ subscriptionId }, plan) {
      const answer = await asking(stripe.subscriptions.retrieve(subscriptionId))
      const item = answer.items.data[0]?.id ?? ''
      const fact = read(answer)
      if (fact.kind !== 'subscription') return fact
      const { plan: from, nextPlan, currentPeriodEnd } = fact.subscription
      const later = { items: [{ id: item, price: prices[plan] }], proration_behavior: 'none' as const }
      const keeping = { keeps: from, keeps_until: currentPeriodEnd }
      const keepingNothing = { keeps: '', keeps_until: '' }
      if (planOf(plan).price < planOf(from).price) return await update(subscriptionId, { ...later, metadata: keeping })
      if (plan === from) return await update(subscriptionId, { ...later, metadata: keepingNothing })
      // What is left is reckoned from the plan that is in effect, not from the smaller one of the next bill.
      if (nextPlan !== null)
        await update(subscriptionId, {
          items: [{ id: item, price: prices[from] }],
          proration_behavior: 'none',
          metadata: keepingNothing,
        })
      return await update(subscriptionId, {
        items: [{ id: item, price: prices[plan] }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      })
    },
    cancelAtPeriodEnd: ({ subscriptionId }) => update(subscriptionId, { cancel_at_period_end: true }),
    reactivate: ({ subscriptionId }) => update(subscriptionId, { cancel_at_period_end: false }),
    async look({ subscriptionId }) {
      const found = await asking(stripe.subscriptions.retrieve(subscriptionId).catch(nullIfUnknown))
      return found && read(found)
    },
    now: async () => null,
    async portalUrl({ practiceId }) {
      const return_url = `${billing.address}/manage-subscription`
      return (await asking(stripe.billingPortal.sessions.create({ customer: await customer(practiceId), return_url })))
        .url
    },
    async latestInvoiceUrl({ subscriptionId }) {
      const { data } = await asking(stripe.invoices.list({ subscription: subscriptionId, limit: 1 }))
      return data[0]?.invoice_pdf ?? null
    },
    read: (message) => toldBy(message, prices),
  }

  /** Ends a checkout that another one takes the place of, unless it was paid meanwhile. */
  async function giveUp(subscriptionId: string): Promise<void> {
    const found = read(await asking(stripe.subscriptions.retrieve(subscriptionId)))
    if (found.kind !== 'subscription' || found.subscription.status === 'canceled') return
    if (found.subscription.status !== 'incomplete')
      throw new ProblemError(409, 'already-subscribed', 'You have a subscription already. You can change its plan.')
    await asking(stripe.subscriptions.cancel(subscriptionId))
  }
}

/** With a trial nothing is paid yet, and the card is kept for later: another kind of secret. */
function secretIn({ pending_setup_intent: setUp, latest_invoice: invoice }: Stripe.Subscription): string {
  const later = typeof setUp === 'object' ? setUp?.client_secret : null
  const now = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : null
  const secret = later ?? now
  if (!secret) throw new ProblemError(502, 'no-client-secret', 'No client secret received from server')
  return secret
}

const nullIfUnknown = (error: unknown): null => {
  if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return null
  throw error
}

const clients = new WeakMap<StripeSettings, Stripe>()

/** One client for as long as the process lives: it keeps its connections. */
function clientOf(settings: StripeSettings): Stripe {
  const { secretKey, apiBase } = settings
  const patience = { maxNetworkRetries: 2, timeout: 10_000, telemetry: false }
  const client = clients.get(settings) ?? new Stripe(secretKey, { ...patience, ...addressOf(apiBase) })
  clients.set(settings, client)
  return client
}

function addressOf(apiBase: string | null): Stripe.StripeConfig {
  if (apiBase === null) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const http = protocol === 'http:'
  return { protocol: http ? 'http' : 'https', host: hostname, port: port || (http ? 80 : 443) }
}

/** Turns what Stripe refuses or cannot do into what people are told. Never its own words, but for what the bank says. */
async function asking<Answer>(question: Promise<Answer>): Promise<Answer> {
  return await question.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeCardError) throw new PaymentRefused(error.message)
    if (error instanceof Stripe.errors.StripeError)
      throw new ProblemError(
        503,
        'payments-unavailable',
        'Payments do not answer right now. Please try again in a moment.',
      )
    throw error
  })
}
