import type { Stripe } from 'stripe'
import type { PlanId } from '#contracts/values/plans.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { currentRequest } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import type { ProviderSnapshot } from '../decider.ts'
import { isUnpaid } from '../payment-provider.ts'
import { type createErrorMapping, nullIfMissing } from './errors.ts'
import { parseSubscription } from './objects.ts'

const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

type Parts = ReturnType<typeof createErrorMapping> & { stripe: Stripe; prices: Readonly<Record<PlanId, string>> }

/** The calls of Stripe for subscriptions, with snapshots as replies. They throw what `createErrorMapping` describes. */
export type StripeSubscriptions = ReturnType<typeof createStripeSubscriptions>

/** Creates the calls of Stripe for subscriptions. */
export function createStripeSubscriptions({ stripe, prices, mapStripeErrors, mapChangeErrors }: Parts) {
  function toSnapshot(reply: Stripe.Response<Stripe.Subscription>): ProviderSnapshot {
    const at = new Date(reply.lastResponse.headers['date'] ?? Number.NaN)
    const observed = { version: Math.floor(at.getTime() / 1_000), at: at.toISOString() }
    const found = parseSubscription(reply, prices, observed.at)
    if (!found) throw new Error('Stripe replied with a subscription that Everchart did not create')
    return { kind: 'subscription', observed, subscription: found.subscription, isRequested: true }
  }

  function toCreated(reply: Stripe.Response<Stripe.Subscription>) {
    const snapshot = toSnapshot(reply)
    return { snapshot, clientSecret: isUnpaid(snapshot) ? getClientSecret(reply) : null }
  }

  const retrieve = (id: string, params: Stripe.SubscriptionRetrieveParams = {}) =>
    mapStripeErrors(stripe.subscriptions.retrieve(id, params).catch(nullIfMissing))

  return {
    /** Returns the current state of a subscription; null when Stripe does not know it. */
    async find(id: string): Promise<ProviderSnapshot | null> {
      const found = await retrieve(id)
      return found && toSnapshot(found)
    },
    /** Returns the state of a subscription and the id of its only item. Throws 503 when Stripe does not know it. */
    async requireWithItem(id: string): Promise<{ snapshot: ProviderSnapshot; itemId: string }> {
      const reply = await mapStripeErrors(stripe.subscriptions.retrieve(id))
      return { snapshot: toSnapshot(reply), itemId: reply.items.data[0]?.id ?? '' }
    },
    /** Returns a subscription with the secret of its payment; null when Stripe does not know it. */
    async findCreated(id: string) {
      const found = await retrieve(id, { expand })
      return found && toCreated(found)
    },
    /** Creates a subscription, once for each key, and returns its current state with the secret of its payment. */
    async create(params: Stripe.SubscriptionCreateParams, idempotencyKey: string) {
      const reply = await mapChangeErrors(stripe.subscriptions.create({ ...params, expand }, { idempotencyKey }))
      return toCreated((isReplayed(reply) ? await retrieve(reply.id, { expand }) : null) ?? reply)
    },
    /** Changes a subscription and returns its current state. */
    async update(id: string, change: Stripe.SubscriptionUpdateParams): Promise<ProviderSnapshot> {
      const reply = await mapChangeErrors(stripe.subscriptions.update(id, change, createIdempotencyKey(id, change)))
      return toSnapshot((isReplayed(reply) ? await retrieve(id) : null) ?? reply)
    },
    /** Ends a subscription at once. */
    cancel: async (id: string) => toSnapshot(await mapChangeErrors(stripe.subscriptions.cancel(id))),
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
