import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, trialDays } from '#contracts/values/plans.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { currentSubscription, isRunning } from './access.ts'
import { billingDecider, type BillingState, type ProviderSnapshot } from './decider.ts'
import type { PaymentProvider } from './payment-provider.ts'

/**
 * Chooses a plan and answers the secret with which the browser pays for it, and how many days pass before anything is
 * charged. The choice is written down before the provider is asked: whoever was killed in between, or clicks twice, asks
 * for the same subscription again. Of all that was ever chosen only the last can be paid. Throws 409 `already-subscribed`
 * where one was paid meanwhile, and 409 `chosen-meanwhile` where somebody chose another plan at the same moment.
 */
export async function startCheckout(
  parts: Pick<Services, 'bus' | 'newId'>,
  provider: PaymentProvider,
  practiceId: PracticeId,
  plan: PlanId,
  context: CommandContext,
): Promise<{ clientSecret: string; trialDays: number }> {
  const { bus, newId } = parts
  const choose = { type: 'BeginCheckout', practiceId, checkoutId: newId(), plan } as const
  const takeIn = async (fact: ProviderSnapshot) =>
    (await bus.execute(billingDecider, practiceId, { type: 'TakeIn', practiceId, fact }, context)).state

  async function giveUpOthers(from: BillingState): Promise<BillingState> {
    let state = from
    for (const subscriptionId of abandonedSubscriptions(from)) {
      const fact = await provider.giveUp({ practiceId, subscriptionId })
      if (fact) state = await takeIn(fact)
    }
    if (!runs(state)) return state
    for (const subscriptionId of abandonedSubscriptions(state)) await provider.giveUp({ practiceId, subscriptionId })
    throw new ProblemError(409, 'already-subscribed', 'You have a subscription already. You can change its plan.')
  }

  const { state } = await bus.execute(billingDecider, practiceId, choose, context)
  const { checkout, hadTrial } = state
  if (!checkout) throw new Error('A checkout that was begun is there')
  const { checkoutId } = checkout
  const begun = all(state).find((one) => one.checkoutId === checkoutId)?.subscriptionId ?? null
  await giveUpOthers(state)
  const { fact, clientSecret } = await provider.create({ practiceId, ...checkout, hadTrial, begun })
  // Once more: somebody else may have chosen while the provider was asked.
  const after = await giveUpOthers(await takeIn(fact))
  // What was begun for this choice has ended unpaid, as after a day.
  if (!after.checkout) return await startCheckout(parts, provider, practiceId, plan, context)
  if (after.checkout.checkoutId !== checkoutId || clientSecret === null)
    throw new ProblemError(409, 'chosen-meanwhile', 'Somebody chose a plan at the same moment. Please choose again.')
  return { clientSecret, trialDays: hadTrial ? 0 : trialDays }
}

const all = ({ subscriptions }: BillingState) => Object.values(subscriptions).map(({ subscription }) => subscription)

const runs = (state: BillingState) => isRunning(currentSubscription(state))

/** What could still be paid and must not be: all but the last choice, and that too where something runs already. */
const abandonedSubscriptions = (state: BillingState) =>
  all(state).flatMap(({ status, checkoutId, subscriptionId }) =>
    status === 'incomplete' && (runs(state) || checkoutId !== state.checkout?.checkoutId) ? [subscriptionId] : [],
  )
