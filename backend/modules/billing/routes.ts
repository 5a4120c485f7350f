import { Router } from '@koa/router'
import {
  billingPortal,
  cancelSubscription,
  changePlan,
  createSubscription,
  latestInvoice,
  listPlans,
  reactivateSubscription,
  subscriptionStatus,
  type SubscriptionView,
} from '#contracts/billing.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan, plans } from '#contracts/values/plans.ts'
import { patientLimits } from '#contracts/values/tiers.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { invalidRequest, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { computeAccess, currentSubscription } from './access.ts'
import { startCheckout } from './start-checkout.ts'
import { billingDecider, type BillingCommand, type BillingState, type ProviderSnapshot } from './decider.ts'
import { type PaymentProvider, PaymentRefused } from './payment-provider.ts'
import { findProvider, requireProvider } from './select-provider.ts'
import { findCustomer } from './queries.ts'

const none = () => new ProblemError(404, 'no-subscription', 'There is no subscription yet.')

/** What a bank refuses, for the person who wants to pay. */
export async function withCardErrors<Result>(work: Promise<Result>): Promise<Result> {
  return await work.catch((error: unknown) => {
    throw error instanceof PaymentRefused ? new ProblemError(402, 'card-declined', error.message) : error
  })
}

/** Choosing, changing and ending what the practice pays for. */
export function billingRoutes(services: Services): Router {
  const { bus, db } = services
  const router = new Router()

  const decide = (command: BillingCommand, practiceId: PracticeId, context: CommandContext) =>
    bus.execute(billingDecider, practiceId, command, { ...context, practiceId })
  const takeIn = (fact: ProviderSnapshot, practiceId: PracticeId, context: CommandContext) =>
    decide({ type: 'TakeIn', practiceId, fact }, practiceId, context)

  async function view(practiceId: PracticeId, state: BillingState): Promise<SubscriptionView> {
    const current = currentSubscription(state)
    if (!current || current.status === 'incomplete') throw none()
    const { plan, nextPlan, status, cancelAtPeriodEnd, currentPeriodEnd } = current
    const { name, price } = getPlan(plan)
    const { email, patients } = await findCustomer(db, practiceId)
    const asOf = (await findProvider(services)?.now(practiceId)) ?? services.clock().toISOString()
    const ends = cancelAtPeriodEnd ? currentPeriodEnd : null
    return {
      plan: { id: plan, name, amount: price * 100, interval: 'month' },
      nextPlan,
      status,
      cancelAtPeriodEnd,
      currentPeriodEnd,
      accessUntil: computeAccess(state)?.until ?? ends,
      asOf,
      patients,
      customer: { email },
    }
  }

  type Wish = Exclude<BillingCommand, { type: 'BeginCheckout' | 'TakeIn' }>
  type Of = { practiceId: PracticeId; subscriptionId: string }

  /** Asks the provider for what the rules allow, and takes its answer in before anybody is told. */
  async function fulfil(
    wish: Wish,
    practiceId: PracticeId,
    context: CommandContext,
    ask: (provider: PaymentProvider, of: Of) => Promise<ProviderSnapshot>,
  ) {
    const provider = requireProvider(services)
    const { state } = await decide(wish, practiceId, context)
    const subscriptionId = currentSubscription(state)?.subscriptionId
    if (subscriptionId === undefined) throw none()
    const fact = await withCardErrors(ask(provider, { practiceId, subscriptionId }))
    return await view(practiceId, (await takeIn(fact, practiceId, context)).state)
  }

  serve(router, listPlans, async () =>
    plans.map(({ id, name, price, summary, features, recommended }) => ({
      id,
      name,
      price,
      description: summary,
      features: [...features],
      recommended,
      priceId: priceIdOf(services, id),
    })),
  )

  serve(router, subscriptionStatus, async ({ caller: { practiceId } }) =>
    view(practiceId, (await bus.load(billingDecider, practiceId)).state),
  )

  serve(
    router,
    createSubscription,
    async ({ caller: { practiceId }, body: { planType: plan } }, { commandContext: context }) => {
      const checkout = await startCheckout(services, requireProvider(services), practiceId, plan, context)
      return { ...checkout, publishableKey: services.billing.stripe?.publishableKey ?? null }
    },
  )

  serve(router, cancelSubscription, ({ caller: { practiceId } }, { commandContext: context }) =>
    fulfil({ type: 'WishToCancel' }, practiceId, context, (provider, of) => provider.cancelAtPeriodEnd(of)),
  )

  serve(router, reactivateSubscription, ({ caller: { practiceId } }, { commandContext: context }) =>
    fulfil({ type: 'WishToReactivate' }, practiceId, context, (provider, of) => provider.reactivate(of)),
  )

  serve(router, changePlan, async ({ caller: { practiceId }, body: { priceId } }, { commandContext: context }) => {
    const plan = plans.find(({ id }) => priceIdOf(services, id) === priceId)?.id
    if (plan === undefined) throw invalidRequest([{ path: 'priceId', message: 'There is no such plan.' }])
    const { patients } = await findCustomer(db, practiceId)
    const wish = { type: 'WishToChangePlan', plan, patients, patientLimit: patientLimits[plan] } as const
    return await fulfil(wish, practiceId, context, (provider, of) => provider.changePlan(of, plan))
  })

  /** The practice's subscription, whatever its state. */
  async function ofPractice(practiceId: PracticeId): Promise<Of> {
    const current = currentSubscription((await bus.load(billingDecider, practiceId)).state)
    if (!current) throw none()
    return { practiceId, subscriptionId: current.subscriptionId }
  }

  serve(router, billingPortal, async ({ caller: { practiceId } }) => {
    const provider = requireProvider(services)
    return { url: await provider.portalUrl(await ofPractice(practiceId)) }
  })

  serve(router, latestInvoice, async ({ caller: { practiceId } }) => {
    const provider = requireProvider(services)
    const url = await provider.latestInvoiceUrl(await ofPractice(practiceId))
    if (url === null) throw new ProblemError(404, 'no-invoice', 'There is no invoice yet.')
    return { invoice_pdf: url }
  })

  return router
}

/** Prices are shown also where nobody can pay yet. */
const priceIdOf = (services: Services, plan: PlanId) => findProvider(services)?.priceIdOf(plan) ?? `price_${plan}`
