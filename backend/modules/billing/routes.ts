import { Router } from '@koa/router'
import {
  billingPortal,
  cancelSubscription,
  changePlan,
  createSubscription,
  latestInvoice,
  listPlans,
  reactivateSubscription,
  refreshCheckout,
  subscriptionStatus,
} from '#contracts/billing.ts'
import type { Reply } from '#contracts/endpoint.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, plans } from '#contracts/values/plans.ts'
import { patientLimits, providerLimits } from '#contracts/values/tiers.ts'
import { invalidRequest, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { countPatients } from '#modules/patients/public.ts'
import { countProviderSeats } from '#modules/providers/public.ts'
import { awaitsFirstPayment, currentSubscription, isRunning } from './access.ts'
import { changeSubscription, type SubscriptionRef } from './change-subscription.ts'
import { billingDecider } from './decider.ts'
import type { Subscription } from './events.ts'
import { findProvider, requireProvider } from './select-provider.ts'
import { billingSettings } from './settings.ts'
import { startCheckout } from './start-checkout.ts'
import { noSubscription, viewSubscription } from './view-subscription.ts'

/** Endpoints for choosing, changing and cancelling the practice's subscription. */
export function billingRoutes(services: Services): Router {
  const { bus, db } = services
  const router = new Router()

  /** Counts what a plan must have room for. */
  const countUse = async (practiceId: PracticeId) => ({
    patients: await countPatients(db, practiceId),
    providers: await countProviderSeats(services, practiceId),
  })

  serve(router, listPlans, async () =>
    plans.map(({ id, name, price, summary, features, recommended }) => ({
      id,
      name,
      price,
      description: summary,
      features: [...features],
      recommended,
      priceId: getPriceId(services, id),
    })),
  )

  serve(router, subscriptionStatus, async ({ caller: { practiceId } }) =>
    viewSubscription(services, practiceId, (await bus.load(billingDecider, practiceId)).state),
  )

  serve(
    router,
    createSubscription,
    async ({ caller: { practiceId }, body: { planType: plan } }, { commandContext: context }) => {
      const provider = requireProvider(services)
      const choice = { plan, ...(await countUse(practiceId)) }
      const checkout = await startCheckout(services, provider, practiceId, choice, context)
      return { ...checkout, publishableKey: billingSettings.read(services).stripe?.publishableKey ?? null }
    },
  )

  serve(router, refreshCheckout, async ({ caller: { practiceId } }, { commandContext: context }) => {
    const current = currentSubscription((await bus.load(billingDecider, practiceId)).state)
    const known = describeCheckout(current)
    if (!current || known !== 'unpaid') return { checkout: known }
    const { subscriptionId } = current
    const snapshot = await requireProvider(services).getSubscription({ practiceId, subscriptionId })
    if (!snapshot) return { checkout: 'none' as const }
    const command = { type: 'RecordProviderUpdate', practiceId, snapshot } as const
    const { state } = await bus.execute(billingDecider, practiceId, command, { ...context, practiceId })
    return { checkout: describeCheckout(currentSubscription(state)) }
  })

  serve(router, cancelSubscription, ({ caller: { practiceId } }, { commandContext: context }) =>
    changeSubscription(services, { type: 'CancelSubscription' }, { practiceId, context }, (provider, subscription) =>
      provider.cancelAtPeriodEnd(subscription),
    ),
  )

  serve(router, reactivateSubscription, ({ caller: { practiceId } }, { commandContext: context }) =>
    changeSubscription(
      services,
      { type: 'ReactivateSubscription' },
      { practiceId, context },
      (provider, subscription) => provider.reactivate(subscription),
    ),
  )

  serve(router, changePlan, async ({ caller: { practiceId }, body: { priceId } }, { commandContext: context }) => {
    const plan = plans.find(({ id }) => getPriceId(services, id) === priceId)?.id
    if (plan === undefined) throw invalidRequest([{ path: 'priceId', message: 'There is no such plan.' }])
    const limits = { patientLimit: patientLimits[plan], providerLimit: providerLimits[plan] }
    const request = { type: 'ChangeSubscriptionPlan', plan, ...limits, ...(await countUse(practiceId)) } as const
    return await changeSubscription(services, request, { practiceId, context }, (provider, subscription) =>
      provider.changePlan(subscription, plan),
    )
  })

  async function requireSubscription(practiceId: PracticeId): Promise<SubscriptionRef> {
    const current = currentSubscription((await bus.load(billingDecider, practiceId)).state)
    if (!current) throw noSubscription()
    return { practiceId, subscriptionId: current.subscriptionId }
  }

  serve(router, billingPortal, async ({ caller: { practiceId } }) => {
    const provider = requireProvider(services)
    return { url: await provider.portalUrl(await requireSubscription(practiceId)) }
  })

  serve(router, latestInvoice, async ({ caller: { practiceId } }) => {
    const provider = requireProvider(services)
    const url = await provider.latestInvoiceUrl(await requireSubscription(practiceId))
    if (url === null) throw new ProblemError(404, 'no-invoice', 'There is no invoice yet.')
    return { invoice_pdf: url }
  })

  return router
}

function describeCheckout(current: Subscription | null): Reply<typeof refreshCheckout>['checkout'] {
  if (current && awaitsFirstPayment(current)) return 'unpaid'
  // A failed payment of a later month says nothing about a checkout.
  return isRunning(current) && current?.status !== 'past_due' ? 'open' : 'none'
}

/** Returns a plan's price id, with a placeholder when payments are disabled: prices are public in any case. */
const getPriceId = (services: Services, plan: PlanId) => findProvider(services)?.getPriceId(plan) ?? `price_${plan}`
