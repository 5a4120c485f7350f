import type { Stripe } from 'stripe'
import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan, trialDays } from '#contracts/values/plans.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { currentRequest, OutcomeUnknown } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import type { ProviderSnapshot } from '../decider.ts'
import { findCustomerId, findOrCreateCustomer } from '../customers.ts'
import { isUnpaid, type PaymentProvider, PaymentRefused } from '../payment-provider.ts'
import { findCustomer } from '../queries.ts'
import { billingSettings, type StripeSettings } from '../settings.ts'
import { findFailure, getStripeClient } from './client.ts'
import { parseSubscription, parseStripeMessage } from './objects.ts'
import { getStripeSdk } from './sdk.ts'

const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

/**
 * The adapter of Stripe's SDK. Throws PaymentRefused when the bank declines, OutcomeUnknown when Stripe does not confirm a
 * change, and 503 when Stripe refuses it or cannot be asked.
 */
export function stripeProvider(
  services: Pick<Services, 'db' | 'pool' | 'settings' | 'vendors'>,
  settings: StripeSettings,
): PaymentProvider {
  const { db, pool, vendors } = services
  const { prices } = settings
  const stripe = getStripeClient(settings)
  const { mapStripeErrors, mapChangeErrors } = createErrorMapping((error) => void vendors.record('payments', error))

  function toSnapshot(reply: Stripe.Response<Stripe.Subscription>): ProviderSnapshot {
    const at = new Date(reply.lastResponse.headers['date'] ?? Number.NaN)
    const observed = { version: Math.floor(at.getTime() / 1_000), at: at.toISOString() }
    const found = parseSubscription(reply, prices, observed.at)
    if (!found) throw new Error('Stripe replied with a subscription that Everchart did not create')
    return { kind: 'subscription', observed, subscription: found.subscription, isRequested: true }
  }

  async function update(id: string, change: Stripe.SubscriptionUpdateParams): Promise<ProviderSnapshot> {
    const reply = await mapChangeErrors(stripe.subscriptions.update(id, change, createIdempotencyKey(id, change)))
    return toSnapshot((isReplayed(reply) ? await retrieve(id) : null) ?? reply)
  }

  const retrieve = (id: string, params: Stripe.SubscriptionRetrieveParams = {}) =>
    mapStripeErrors(stripe.subscriptions.retrieve(id, params).catch(nullIfMissing))

  function toCreated(reply: Stripe.Response<Stripe.Subscription>) {
    const snapshot = toSnapshot(reply)
    return { snapshot, clientSecret: isUnpaid(snapshot) ? getClientSecret(reply) : null }
  }

  async function requireCustomer(practiceId: PracticeId): Promise<string> {
    return await findOrCreateCustomer(pool, practiceId, async () => {
      const { email, name } = await findCustomer(db, practiceId)
      const params = { email, name, metadata: { practiceId } }
      return (await mapChangeErrors(stripe.customers.create(params, { idempotencyKey: `customer ${practiceId}` }))).id
    })
  }

  return {
    getPriceId: (plan) => prices[plan],
    async create({ practiceId, checkoutId, plan, hadTrial, existingSubscriptionId }) {
      const existing = existingSubscriptionId === null ? null : await retrieve(existingSubscriptionId, { expand })
      if (existing) return toCreated(existing)
      const reply = await mapChangeErrors(
        stripe.subscriptions.create(
          {
            customer: await requireCustomer(practiceId),
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
      return toCreated((isReplayed(reply) ? await retrieve(reply.id, { expand }) : null) ?? reply)
    },
    async abandon({ subscriptionId }) {
      const found = await retrieve(subscriptionId)
      const snapshot = found && toSnapshot(found)
      if (!snapshot || !isUnpaid(snapshot)) return snapshot
      return toSnapshot(await mapChangeErrors(stripe.subscriptions.cancel(subscriptionId)))
    },
    async changePlan({ subscriptionId }, plan) {
      const reply = await mapStripeErrors(stripe.subscriptions.retrieve(subscriptionId))
      const item = reply.items.data[0]?.id ?? ''
      const snapshot = toSnapshot(reply)
      if (snapshot.kind !== 'subscription') return snapshot
      const { plan: from, nextPlan, currentPeriodEnd } = snapshot.subscription
      const planParams = (billedPlan: PlanId, keptPlan: { keeps: string; keeps_until: string }) => ({
        items: [{ id: item, price: prices[billedPlan] }],
        proration_behavior: 'none' as const,
        metadata: { plan: billedPlan, ...keptPlan },
      })
      const noKeptPlan = { keeps: '', keeps_until: '' }
      const keepUntilPeriodEnd = { keeps: from, keeps_until: currentPeriodEnd }
      if (getPlan(plan).price < getPlan(from).price)
        return await update(subscriptionId, planParams(plan, keepUntilPeriodEnd))
      if (plan === from) return await update(subscriptionId, planParams(plan, noKeptPlan))
      // Proration starts from the plan in effect, not from the smaller plan that is already scheduled for the next bill.
      if (nextPlan !== null) await update(subscriptionId, planParams(from, noKeptPlan))
      try {
        return await update(subscriptionId, {
          ...planParams(plan, noKeptPlan),
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
        })
      } catch (error) {
        // A declined payment restores the scheduled plan change; one that may have succeeded does not.
        if (nextPlan !== null && !(error instanceof OutcomeUnknown))
          await update(subscriptionId, planParams(nextPlan, keepUntilPeriodEnd))
        throw error
      }
    },
    cancelAtPeriodEnd: ({ subscriptionId }) => update(subscriptionId, { cancel_at_period_end: true }),
    async reactivate({ subscriptionId }) {
      const snapshot = await update(subscriptionId, { cancel_at_period_end: false })
      // The portal sets a date in place of the flag; Stripe takes one of the two at a time.
      const isScheduled = snapshot.kind === 'subscription' && snapshot.subscription.cancelAtPeriodEnd
      return isScheduled ? await update(subscriptionId, { cancel_at: '' }) : snapshot
    },
    async getSubscription({ subscriptionId }) {
      const found = await retrieve(subscriptionId)
      return found && toSnapshot(found)
    },
    async updateContact(practiceId) {
      const customerId = await findCustomerId(pool, practiceId)
      if (customerId !== undefined)
        await mapStripeErrors(stripe.customers.update(customerId, await findCustomer(db, practiceId)))
    },
    now: async () => null,
    async portalUrl({ practiceId }) {
      const return_url = `${billingSettings.read(services).address}/manage-subscription`
      return (
        await mapStripeErrors(
          stripe.billingPortal.sessions.create({ customer: await requireCustomer(practiceId), return_url }),
        )
      ).url
    },
    async latestInvoiceUrl({ subscriptionId }) {
      const list = stripe.invoices.list({ subscription: subscriptionId, limit: 1 })
      const found = await mapStripeErrors(list.catch(nullIfMissing))
      return found?.data[0]?.invoice_pdf ?? null
    },
    read: (message) => parseStripeMessage(message, prices),
  }
}

/** Returns the secret of the setup intent in a trial, which only stores the card; otherwise the one of the first invoice. */
function getClientSecret({ pending_setup_intent: setUp, latest_invoice: invoice }: Stripe.Subscription): string {
  const setupSecret = typeof setUp === 'object' ? setUp?.client_secret : null
  const paymentSecret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : null
  const secret = setupSecret ?? paymentSecret
  if (!secret) throw new ProblemError(502, 'no-client-secret', 'No client secret received from server')
  return secret
}

/** Returns whether Stripe sent its first reply to a repeated request again: the subscription may have changed since. */
const isReplayed = ({ lastResponse }: Stripe.Response<Stripe.Subscription>) =>
  lastResponse.headers['idempotent-replayed'] === 'true'

/** Returns the idempotency key of one change within the user's intent; without an intent, the SDK's repetitions have one. */
function createIdempotencyKey(id: string, change: Stripe.SubscriptionUpdateParams): Stripe.RequestOptions {
  const intentId = currentRequest()?.intentId
  return intentId ? { idempotencyKey: deriveId(`stripe ${intentId}:${id}:${JSON.stringify(change)}`) } : {}
}

const nullIfMissing = (error: unknown): null => {
  if (error instanceof getStripeSdk().errors.StripeError && error.code === 'resource_missing') return null
  throw error
}

type MapErrors = <Reply>(call: Promise<Reply>) => Promise<Reply>

/** Creates the mapping of Stripe's errors. `onOutcome` is called with null for a reply, or with the code of a failure. */
function createErrorMapping(onOutcome: (error: string | null) => void) {
  async function observe<Reply>(call: Promise<Reply>): Promise<Reply> {
    try {
      const reply = await call
      onOutcome(null)
      return reply
    } catch (error) {
      onOutcome(findFailure(error))
      throw error
    }
  }

  /** Maps the errors of a call that changes something: without Stripe's reply, or after a failure of Stripe, it may have happened. */
  const mapChangeErrors: MapErrors = (call) => mapErrors(observe(call).catch(toOutcomeUnknown))
  const mapStripeErrors: MapErrors = (call) => mapErrors(observe(call))
  return { mapChangeErrors, mapStripeErrors }
}

function toOutcomeUnknown(error: unknown): never {
  const { StripeAPIError, StripeConnectionError } = getStripeSdk().errors
  if (!(error instanceof StripeConnectionError || error instanceof StripeAPIError)) throw error
  throw new OutcomeUnknown(
    'The payment service did not confirm this, so it may have happened. Check your plan before you try again: nothing is charged twice.',
    { cause: error },
  )
}

/** Maps Stripe's errors to problems for users. Only the bank's message is passed on, never Stripe's own. */
const mapErrors: MapErrors = async (call) =>
  await call.catch((error: unknown) => {
    if (error instanceof getStripeSdk().errors.StripeCardError) throw new PaymentRefused(error.message)
    if (error instanceof getStripeSdk().errors.StripeError)
      throw new ProblemError(
        503,
        'payments-unavailable',
        'The payment service is not responding right now. Please try again in a moment.',
      )
    throw error
  })
