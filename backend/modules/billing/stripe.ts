import { Stripe } from 'stripe'
import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan, trialDays } from '#contracts/values/plans.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import type { ProviderSnapshot } from './decider.ts'
import { findOrCreateCustomer } from './customers.ts'
import { type PaymentProvider, PaymentRefused } from './payment-provider.ts'
import { findCustomer } from './queries.ts'
import { parseSubscription, parseStripeMessage } from './stripe-objects.ts'

type StripeSettings = NonNullable<Services['billing']['stripe']>

type Parts = Pick<Services, 'db' | 'pool'> & { billing: Pick<Services['billing'], 'address'> }

const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

/** Stripe, by its own SDK. What the bank refuses is thrown as PaymentRefused; that it is away as 503. */
export function stripeProvider({ db, pool, billing }: Parts, settings: StripeSettings): PaymentProvider {
  const { prices } = settings
  const stripe = clientOf(settings)

  function read(answer: Stripe.Response<Stripe.Subscription>): ProviderSnapshot {
    const at = new Date(answer.lastResponse.headers['date'] ?? Number.NaN)
    const seen = { version: Math.floor(at.getTime() / 1_000), at: at.toISOString() }
    const found = parseSubscription(answer, prices, seen.at)
    if (!found) throw new Error('Stripe answered with a subscription that is none of ours')
    return { kind: 'subscription', seen, subscription: found.subscription, asked: true }
  }

  const update = async (id: string, change: Stripe.SubscriptionUpdateParams) =>
    read(await mapStripeErrors(stripe.subscriptions.update(id, change)))

  const retrieve = (id: string, params: Stripe.SubscriptionRetrieveParams = {}) =>
    mapStripeErrors(stripe.subscriptions.retrieve(id, params).catch(nullIfUnknown))

  function payable(answer: Stripe.Response<Stripe.Subscription>) {
    const fact = read(answer)
    const unpaid = fact.kind === 'subscription' && fact.subscription.status === 'incomplete'
    return { fact, clientSecret: unpaid ? secretIn(answer) : null }
  }

  async function customer(practiceId: PracticeId): Promise<string> {
    return await findOrCreateCustomer(pool, practiceId, async () => {
      const { email, name } = await findCustomer(db, practiceId)
      const asked = { email, name, metadata: { practiceId } }
      return (await mapStripeErrors(stripe.customers.create(asked, { idempotencyKey: `customer ${practiceId}` }))).id
    })
  }

  return {
    priceIdOf: (plan) => prices[plan],
    async create({ practiceId, checkoutId, plan, hadTrial, begun }) {
      const known = begun === null ? null : await retrieve(begun, { expand })
      if (known) return payable(known)
      const answer = await mapStripeErrors(
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
            metadata: { practiceId, checkoutId, plan },
            expand,
          },
          { idempotencyKey: `checkout ${checkoutId}` },
        ),
      )
      // A question that is repeated is answered as it was the first time, whatever has happened since.
      const repeated = answer.lastResponse.headers['idempotent-replayed'] === 'true'
      return payable((repeated ? await retrieve(answer.id, { expand }) : null) ?? answer)
    },
    async giveUp({ subscriptionId }) {
      const found = await retrieve(subscriptionId)
      const fact = found && read(found)
      if (fact?.kind !== 'subscription' || fact.subscription.status !== 'incomplete') return fact
      return read(await mapStripeErrors(stripe.subscriptions.cancel(subscriptionId)))
    },
    async changePlan({ subscriptionId }, plan) {
      const answer = await mapStripeErrors(stripe.subscriptions.retrieve(subscriptionId))
      const item = answer.items.data[0]?.id ?? ''
      const fact = read(answer)
      if (fact.kind !== 'subscription') return fact
      const { plan: from, nextPlan, currentPeriodEnd } = fact.subscription
      const billing = (billed: PlanId, kept: { keeps: string; keeps_until: string }) => ({
        items: [{ id: item, price: prices[billed] }],
        proration_behavior: 'none' as const,
        metadata: { plan: billed, ...kept },
      })
      const keepingNothing = { keeps: '', keeps_until: '' }
      const keeping = { keeps: from, keeps_until: currentPeriodEnd }
      if (getPlan(plan).price < getPlan(from).price) return await update(subscriptionId, billing(plan, keeping))
      if (plan === from) return await update(subscriptionId, billing(plan, keepingNothing))
      // What is left is reckoned from the plan that is in effect, not from the smaller one of the next bill.
      if (nextPlan !== null) await update(subscriptionId, billing(from, keepingNothing))
      try {
        return await update(subscriptionId, {
          ...billing(plan, keepingNothing),
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
        })
      } catch (error) {
        // Where nothing is paid, what was chosen before stays chosen.
        if (nextPlan !== null) await update(subscriptionId, billing(nextPlan, keeping))
        throw error
      }
    },
    cancelAtPeriodEnd: ({ subscriptionId }) => update(subscriptionId, { cancel_at_period_end: true }),
    reactivate: ({ subscriptionId }) => update(subscriptionId, { cancel_at_period_end: false }),
    async look({ subscriptionId }) {
      const found = await retrieve(subscriptionId)
      return found && read(found)
    },
    now: async () => null,
    async portalUrl({ practiceId }) {
      const return_url = `${billing.address}/manage-subscription`
      return (
        await mapStripeErrors(
          stripe.billingPortal.sessions.create({ customer: await customer(practiceId), return_url }),
        )
      ).url
    },
    async latestInvoiceUrl({ subscriptionId }) {
      const { data } = await mapStripeErrors(stripe.invoices.list({ subscription: subscriptionId, limit: 1 }))
      return data[0]?.invoice_pdf ?? null
    },
    read: (message) => parseStripeMessage(message, prices),
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
async function mapStripeErrors<Answer>(question: Promise<Answer>): Promise<Answer> {
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
