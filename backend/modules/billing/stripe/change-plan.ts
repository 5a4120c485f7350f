import type { Stripe } from 'stripe'
import { getPlan, type PlanId } from '#contracts/values/plans.ts'
import { OutcomeUnknown } from '#eventstore/request-scope.ts'
import type { ProviderSnapshot } from '../decider.ts'
import type { StripeSubscriptions } from './subscriptions.ts'

type Parts = { subscriptions: StripeSubscriptions; prices: Readonly<Record<PlanId, string>> }

/**
 * Changes the plan of a subscription: to a larger one at once, with a payment for the rest of the period, to a smaller one from the
 * next period on. Throws PaymentRefused when the card is declined; the plan is then as before.
 */
export async function changeStripePlan(
  { subscriptions, prices }: Parts,
  subscriptionId: string,
  plan: PlanId,
): Promise<ProviderSnapshot> {
  const { snapshot, itemId } = await subscriptions.requireWithItem(subscriptionId)
  if (snapshot.kind !== 'subscription') return snapshot
  const { plan: from, nextPlan, currentPeriodEnd } = snapshot.subscription
  const bill = (billed: PlanId, kept: KeptPlan, payment: Stripe.SubscriptionUpdateParams = {}) =>
    subscriptions.update(subscriptionId, {
      items: [{ id: itemId, price: prices[billed] }],
      proration_behavior: 'none',
      metadata: { plan: billed, ...kept },
      ...payment,
    })
  const keptUntilPeriodEnd = { keeps: from, keeps_until: currentPeriodEnd }
  if (getPlan(plan).price < getPlan(from).price) return await bill(plan, keptUntilPeriodEnd)
  if (plan === from) return await bill(plan, noKeptPlan)
  // Proration starts from the plan in effect, not from the smaller plan that is already scheduled for the next bill.
  if (nextPlan !== null) await bill(from, noKeptPlan)
  try {
    return await bill(plan, noKeptPlan, paidAtOnce)
  } catch (error) {
    // A declined payment restores the scheduled plan change; one that may have succeeded does not.
    if (nextPlan !== null && !(error instanceof OutcomeUnknown)) await bill(nextPlan, keptUntilPeriodEnd)
    throw error
  }
}

/** The plan that is in effect until the end of the period, while a smaller one is billed from then on. */
type KeptPlan = { keeps: string; keeps_until: string }
const noKeptPlan: KeptPlan = { keeps: '', keeps_until: '' }

const paidAtOnce = { proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' } as const
