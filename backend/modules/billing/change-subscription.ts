import type { SubscriptionView } from '#contracts/billing.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { isRepeatedRequest, OutcomeUnknown, trackEffect } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { currentSubscription } from './access.ts'
import { type BillingCommand, billingDecider, type ChangeRequest, type ProviderSnapshot } from './decider.ts'
import type { Subscription } from './events.ts'
import { type PaymentProvider, PaymentRefused } from './payment-provider.ts'
import { fetchSubscriptionJob } from './process-manager.ts'
import { requireProvider } from './select-provider.ts'
import { noSubscription, viewSubscription } from './view-subscription.ts'

/** A subscription of a practice, as the payment provider names it. */
export type SubscriptionRef = { practiceId: PracticeId; subscriptionId: string }

/** Reports a payment that the bank declined as 402 `card-declined`, with the bank's message. */
export async function withCardErrors<Result>(work: Promise<Result>): Promise<Result> {
  return await work.catch((error: unknown) => {
    throw error instanceof PaymentRefused ? new ProblemError(402, 'card-declined', error.message) : error
  })
}

/** Checks a change against the rules, requests it from the provider, and records the provider's reply before responding. */
export async function changeSubscription(
  services: Services,
  request: ChangeRequest,
  { practiceId, context }: { practiceId: PracticeId; context: CommandContext },
  apply: (provider: PaymentProvider, subscription: SubscriptionRef) => Promise<ProviderSnapshot>,
): Promise<SubscriptionView> {
  const { bus } = services
  const execute = (command: BillingCommand) =>
    bus.execute(billingDecider, practiceId, command, { ...context, practiceId })
  const provider = requireProvider(services)
  if (isRepeatedRequest()) {
    const { state: before } = await bus.load(billingDecider, practiceId)
    const current = currentSubscription(before)
    // The first attempt was not confirmed, and has happened.
    if (current && isDone(request, current)) return await viewSubscription(services, practiceId, before)
  }
  const checked = await execute(request)
  const subscriptionId = currentSubscription(checked.state)?.subscriptionId
  if (subscriptionId === undefined) throw noSubscription()
  const subscription = { practiceId, subscriptionId }
  const applyOrAsk = async () => {
    try {
      return await apply(provider, subscription)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      return await confirmChange(services, provider, subscription, request, context, error)
    }
  }
  const snapshot = await withCardErrors(trackEffect(applyOrAsk))
  const { state } = await execute({ type: 'RecordProviderUpdate', practiceId, snapshot })
  return await viewSubscription(services, practiceId, state)
}

/**
 * Asks the provider whether a change that it did not confirm has happened, and returns the subscription if so. Otherwise
 * rethrows the error, and a job asks once more after a minute, because the change may still happen. The webhook and the
 * reconciliation twice a day cover the rest.
 */
async function confirmChange(
  { jobs, logger }: Services,
  provider: PaymentProvider,
  subscription: SubscriptionRef,
  request: ChangeRequest,
  { correlationId }: CommandContext,
  error: OutcomeUnknown,
): Promise<ProviderSnapshot> {
  const found = await provider.getSubscription(subscription).catch(() => null)
  if (found?.kind === 'subscription' && isDone(request, found.subscription)) return found
  const cause = { correlationId, causationId: correlationId }
  await jobs
    .send(fetchSubscriptionJob, { ...subscription, cause }, { delaySeconds: 60 })
    .catch((err: unknown) => logger.warn({ err }, 'an unconfirmed change waits for its webhook'))
  throw error
}

/** Returns whether a subscription is as a change request would leave it. */
function isDone(request: ChangeRequest, { plan, nextPlan, cancelAtPeriodEnd }: Subscription): boolean {
  if (request.type === 'ChangeSubscriptionPlan') return request.plan === (nextPlan ?? plan)
  return cancelAtPeriodEnd === (request.type === 'CancelSubscription')
}
