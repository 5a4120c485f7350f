import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, trialDays } from '#contracts/values/plans.ts'
import { findPlanFor, patientLimits, providerLimits } from '#contracts/values/tiers.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { trackEffect } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { awaitsFirstPayment, currentSubscription, isRunning } from './access.ts'
import { billingDecider, type BillingState, type PlanUse, type ProviderSnapshot } from './decider.ts'
import type { PaymentProvider } from './payment-provider.ts'

/**
 * Starts the checkout of a plan; `patients` is the number without samples, `providers` the number with open invitations. Returns the secret with which the browser pays, and the number of days before the first
 * charge. The choice is stored before the provider is called, so that a retry after a crash, or a second click, requests the
 * same subscription. Only the last choice can be paid. Throws 409 `too-many-patients` or `too-many-providers` with the
 * smallest suitable plan as `tier`, 409 `already-subscribed` when a subscription was paid in the
 * meantime, and 409 `plan-selection-conflict` when another plan was chosen concurrently.
 */
export async function startCheckout(
  services: Pick<Services, 'bus' | 'newId'>,
  provider: PaymentProvider,
  practiceId: PracticeId,
  choice: { plan: PlanId; patients: number; providers: number },
  context: CommandContext,
): Promise<{ clientSecret: string; trialDays: number }> {
  const { bus, newId } = services
  const { plan, patients, providers } = choice
  const recordUpdate = async (snapshot: ProviderSnapshot) => {
    const command = { type: 'RecordProviderUpdate', practiceId, snapshot } as const
    return (await bus.execute(billingDecider, practiceId, command, context)).state
  }

  /** Cancels every unpaid subscription that must no longer be paid. */
  async function abandonOthers(initial: BillingState): Promise<BillingState> {
    let state = initial
    for (const subscriptionId of listAbandoned(initial)) {
      const snapshot = await trackEffect(() => provider.abandon({ practiceId, subscriptionId }))
      if (snapshot) state = await recordUpdate(snapshot)
    }
    if (!hasRunningSubscription(state)) return state
    for (const subscriptionId of listAbandoned(state))
      await trackEffect(() => provider.abandon({ practiceId, subscriptionId }))
    throw new ProblemError(409, 'already-subscribed', 'You have a subscription already. You can change its plan.')
  }

  const use = { patients, patientLimit: patientLimits[plan], providers, providerLimit: providerLimits[plan] }
  const command = { type: 'StartCheckout', practiceId, checkoutId: newId('checkout'), plan, ...use } as const
  const { state } = await bus.execute(billingDecider, practiceId, command, context).catch((error: unknown) => {
    throw withSuitablePlan(error, use)
  })
  const { checkout, hadTrial } = state
  if (!checkout) throw new Error('A started checkout is missing from the state')
  const { checkoutId } = checkout
  const existing = listSubscriptions(state).find((subscription) => subscription.checkoutId === checkoutId)
  await abandonOthers(state)
  const existingSubscriptionId = existing?.subscriptionId ?? null
  const { snapshot, clientSecret } = await trackEffect(() =>
    provider.create({ practiceId, ...checkout, hadTrial, existingSubscriptionId }),
  )
  // Repeated, because another plan may have been chosen during the provider call.
  const after = await abandonOthers(await recordUpdate(snapshot))
  // The subscription of this checkout expired unpaid, as it does after a day.
  if (!after.checkout) return await startCheckout(services, provider, practiceId, choice, context)
  if (after.checkout.checkoutId !== checkoutId || clientSecret === null)
    throw new ProblemError(
      409,
      'plan-selection-conflict',
      'Another plan was chosen at the same moment. Please choose again.',
    )
  return { clientSecret, trialDays: hadTrial ? 0 : trialDays }
}

/** Adds the plan that is large enough to the refusal of one that is too small. */
function withSuitablePlan(error: unknown, { patients, providers }: PlanUse): unknown {
  if (!(error instanceof CommandRejected)) return error
  const { rejected, message } = error.rejection
  if (rejected !== 'too-many-patients' && rejected !== 'too-many-providers') return error
  return new ProblemError(409, rejected, message, { tier: findPlanFor(patients, providers) })
}

const listSubscriptions = ({ subscriptions }: BillingState) =>
  Object.values(subscriptions).map(({ subscription }) => subscription)

const hasRunningSubscription = (state: BillingState) => isRunning(currentSubscription(state))

/** Returns the unpaid subscriptions other than the last choice; the last choice too when one is already running. */
const listAbandoned = (state: BillingState) =>
  listSubscriptions(state)
    .filter(awaitsFirstPayment)
    .filter(({ checkoutId }) => hasRunningSubscription(state) || checkoutId !== state.checkout?.checkoutId)
    .map(({ subscriptionId }) => subscriptionId)
