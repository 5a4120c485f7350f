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
  type SubscriptionView,
} from '#contracts/billing.ts'
import type { Reply } from '#contracts/endpoint.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan, plans } from '#contracts/values/plans.ts'
import { patientLimits, providerLimits } from '#contracts/values/tiers.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { isRepeatedRequest, OutcomeUnknown, trackEffect } from '#eventstore/request-scope.ts'
import { invalidRequest, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { countPatients } from '#modules/patients/public.ts'
import { countProviderSeats } from '#modules/providers/public.ts'
import { awaitsFirstPayment, computeAccess, currentSubscription, isRunning } from './access.ts'
import {
  billingDecider,
  type BillingCommand,
  type BillingState,
  type ChangeRequest,
  type ProviderSnapshot,
} from './decider.ts'
import type { Subscription } from './events.ts'
import { type PaymentProvider, PaymentRefused } from './payment-provider.ts'
import { fetchSubscriptionJob } from './process-manager.ts'
import { findCustomer } from './queries.ts'
import { findProvider, requireProvider } from './select-provider.ts'
import { billingSettings } from './settings.ts'
import { startCheckout } from './start-checkout.ts'

const noSubscription = () => new ProblemError(404, 'no-subscription', 'There is no subscription yet.')

/** Reports a payment that the bank declined as 402 `card-declined`, with the bank's message. */
export async function withCardErrors<Result>(work: Promise<Result>): Promise<Result> {
  return await work.catch((error: unknown) => {
    throw error instanceof PaymentRefused ? new ProblemError(402, 'card-declined', error.message) : error
  })
}

/** Endpoints for choosing, changing and cancelling the practice's subscription. */
export function billingRoutes(services: Services): Router {
  const { bus, db } = services
  const router = new Router()

  const execute = (command: BillingCommand, practiceId: PracticeId, context: CommandContext) =>
    bus.execute(billingDecider, practiceId, command, { ...context, practiceId })

  /** Counts what a plan must have room for. */
  const countUse = async (practiceId: PracticeId) => ({
    patients: await countPatients(db, practiceId),
    providers: await countProviderSeats(services, practiceId),
  })

  async function view(practiceId: PracticeId, state: BillingState): Promise<SubscriptionView> {
    const current = currentSubscription(state)
    if (!current || awaitsFirstPayment(current)) throw noSubscription()
    const { plan, nextPlan, status, cancelAtPeriodEnd, currentPeriodEnd } = current
    const { name, price } = getPlan(plan)
    const [{ email }, patients, providers, providerTime] = await Promise.all([
      findCustomer(db, practiceId),
      countPatients(db, practiceId),
      countProviderSeats(services, practiceId),
      findProvider(services)?.now(practiceId),
    ])
    return {
      plan: { id: plan, name, amount: price * 100, interval: 'month' },
      nextPlan,
      status,
      cancelAtPeriodEnd,
      currentPeriodEnd,
      accessUntil: computeAccess(state)?.until ?? (cancelAtPeriodEnd ? currentPeriodEnd : null),
      asOf: providerTime ?? services.clock().toISOString(),
      patients,
      providers,
      customer: { email },
      isEndedSandbox: state.subscriptions[current.subscriptionId]?.endedAt !== undefined,
    }
  }

  type SubscriptionRef = { practiceId: PracticeId; subscriptionId: string }

  /** Checks a change against the rules, requests it from the provider, and records the provider's reply before responding. */
  async function requestChange(
    request: ChangeRequest,
    practiceId: PracticeId,
    context: CommandContext,
    apply: (provider: PaymentProvider, subscription: SubscriptionRef) => Promise<ProviderSnapshot>,
  ) {
    const provider = requireProvider(services)
    if (isRepeatedRequest()) {
      const { state: before } = await bus.load(billingDecider, practiceId)
      const current = currentSubscription(before)
      // The first attempt was not confirmed, and has happened.
      if (current && isDone(request, current)) return await view(practiceId, before)
    }
    const checked = await execute(request, practiceId, context)
    const subscriptionId = currentSubscription(checked.state)?.subscriptionId
    if (subscriptionId === undefined) throw noSubscription()
    const subscription = { practiceId, subscriptionId }
    const applyOrAsk = async () => {
      try {
        return await apply(provider, subscription)
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error
        return await confirmChange(provider, subscription, request, context, error)
      }
    }
    const snapshot = await withCardErrors(trackEffect(applyOrAsk))
    const { state } = await execute({ type: 'RecordProviderUpdate', practiceId, snapshot }, practiceId, context)
    return await view(practiceId, state)
  }

  /**
   * Asks the provider whether a change that it did not confirm has happened, and returns the subscription if so. Otherwise
   * rethrows the error, and a job asks once more after a minute, because the change may still happen. The webhook and the
   * reconciliation twice a day cover the rest.
   */
  async function confirmChange(
    provider: PaymentProvider,
    subscription: SubscriptionRef,
    request: ChangeRequest,
    { correlationId }: CommandContext,
    error: OutcomeUnknown,
  ): Promise<ProviderSnapshot> {
    const found = await provider.getSubscription(subscription).catch(() => null)
    if (found?.kind === 'subscription' && isDone(request, found.subscription)) return found
    const cause = { correlationId, causationId: correlationId }
    await services.jobs
      .send(fetchSubscriptionJob, { ...subscription, cause }, { delaySeconds: 60 })
      .catch((err: unknown) => services.logger.warn({ err }, 'an unconfirmed change waits for its webhook'))
    throw error
  }

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
    view(practiceId, (await bus.load(billingDecider, practiceId)).state),
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
    const { state } = await execute({ type: 'RecordProviderUpdate', practiceId, snapshot }, practiceId, context)
    return { checkout: describeCheckout(currentSubscription(state)) }
  })

  serve(router, cancelSubscription, ({ caller: { practiceId } }, { commandContext: context }) =>
    requestChange({ type: 'CancelSubscription' }, practiceId, context, (provider, subscription) =>
      provider.cancelAtPeriodEnd(subscription),
    ),
  )

  serve(router, reactivateSubscription, ({ caller: { practiceId } }, { commandContext: context }) =>
    requestChange({ type: 'ReactivateSubscription' }, practiceId, context, (provider, subscription) =>
      provider.reactivate(subscription),
    ),
  )

  serve(router, changePlan, async ({ caller: { practiceId }, body: { priceId } }, { commandContext: context }) => {
    const plan = plans.find(({ id }) => getPriceId(services, id) === priceId)?.id
    if (plan === undefined) throw invalidRequest([{ path: 'priceId', message: 'There is no such plan.' }])
    const limits = { patientLimit: patientLimits[plan], providerLimit: providerLimits[plan] }
    const request = { type: 'ChangeSubscriptionPlan', plan, ...limits, ...(await countUse(practiceId)) } as const
    return await requestChange(request, practiceId, context, (provider, subscription) =>
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

/** Returns whether a subscription is as a change request would leave it. */
function isDone(request: ChangeRequest, { plan, nextPlan, cancelAtPeriodEnd }: Subscription): boolean {
  if (request.type === 'ChangeSubscriptionPlan') return request.plan === (nextPlan ?? plan)
  return cancelAtPeriodEnd === (request.type === 'CancelSubscription')
}

function describeCheckout(current: Subscription | null): Reply<typeof refreshCheckout>['checkout'] {
  if (current && awaitsFirstPayment(current)) return 'unpaid'
  // A failed payment of a later month says nothing about a checkout.
  return isRunning(current) && current?.status !== 'past_due' ? 'open' : 'none'
}

/** Returns a plan's price id, with a placeholder when payments are disabled: prices are public in any case. */
const getPriceId = (services: Services, plan: PlanId) => findProvider(services)?.getPriceId(plan) ?? `price_${plan}`
