import type { PracticeId } from '#contracts/values/ids.ts'
import { trialDays } from '#contracts/values/plans.ts'
import type { Services } from '#modules/module.ts'
import { findCustomerId, findOrCreateCustomer } from '../customers.ts'
import { isUnpaid, type PaymentProvider } from '../payment-provider.ts'
import { findCustomer } from '../queries.ts'
import { billingSettings, type StripeSettings } from '../settings.ts'
import { changeStripePlan } from './change-plan.ts'
import { getStripeClient } from './client.ts'
import { createErrorMapping, nullIfMissing } from './errors.ts'
import { parseStripeMessage } from './objects.ts'
import { createStripeSubscriptions } from './subscriptions.ts'

/** A new practice tries for some days; without a card by then, its subscription ends. */
const trial = {
  trial_period_days: trialDays,
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
} as const

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
  const mapping = createErrorMapping((error) => void vendors.record('payments', error))
  const { mapStripeErrors, mapChangeErrors } = mapping
  const subscriptions = createStripeSubscriptions({ stripe, prices, ...mapping })

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
      const existing = existingSubscriptionId === null ? null : await subscriptions.findCreated(existingSubscriptionId)
      if (existing) return existing
      return await subscriptions.create(
        {
          customer: await requireCustomer(practiceId),
          items: [{ price: prices[plan] }],
          payment_behavior: 'default_incomplete',
          payment_settings: { save_default_payment_method: 'on_subscription' },
          ...(hadTrial ? {} : trial),
          metadata: { practiceId, checkoutId, plan },
        },
        `checkout ${checkoutId}`,
      )
    },
    async abandon({ subscriptionId }) {
      const snapshot = await subscriptions.find(subscriptionId)
      return snapshot && isUnpaid(snapshot) ? await subscriptions.cancel(subscriptionId) : snapshot
    },
    changePlan: ({ subscriptionId }, plan) => changeStripePlan({ subscriptions, prices }, subscriptionId, plan),
    cancelAtPeriodEnd: ({ subscriptionId }) => subscriptions.update(subscriptionId, { cancel_at_period_end: true }),
    async reactivate({ subscriptionId }) {
      const snapshot = await subscriptions.update(subscriptionId, { cancel_at_period_end: false })
      // The portal sets a date in place of the flag; Stripe takes one of the two at a time.
      const isScheduled = snapshot.kind === 'subscription' && snapshot.subscription.cancelAtPeriodEnd
      return isScheduled ? await subscriptions.update(subscriptionId, { cancel_at: '' }) : snapshot
    },
    getSubscription: ({ subscriptionId }) => subscriptions.find(subscriptionId),
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
