import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, trialDays } from '#contracts/values/plans.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { billingDecider } from './decider.ts'
import type { PaymentProvider } from './payment-provider.ts'

/**
 * Chooses a plan and answers the secret with which the browser pays for it, and how many days pass before anything is
 * charged. The choice is written down before the provider is asked: whoever was killed in between, or clicks twice, asks
 * for the same subscription again.
 */
export async function beginCheckout(
  { bus, newId }: Pick<Services, 'bus' | 'newId'>,
  provider: PaymentProvider,
  practiceId: PracticeId,
  plan: PlanId,
  context: CommandContext,
): Promise<{ clientSecret: string; trialDays: number }> {
  const choose = { type: 'BeginCheckout', practiceId, checkoutId: newId(), plan } as const
  const { checkout, subscriptions } = (await bus.execute(billingDecider, practiceId, choose, context)).state
  if (!checkout) throw new Error('A checkout that was begun is there')
  const known = Object.values(subscriptions).map(({ subscription }) => subscription)
  const hadTrial = known.some(({ trialEnd }) => trialEnd !== null)
  const unpaid = known.find(({ status, checkoutId }) => status === 'incomplete' && checkoutId !== checkout.checkoutId)
  const asked = { practiceId, ...checkout, hadTrial, replaces: unpaid?.subscriptionId ?? null }
  const { fact, clientSecret } = await provider.create(asked)
  await bus.execute(billingDecider, practiceId, { type: 'TakeIn', practiceId, fact }, context)
  return { clientSecret, trialDays: hadTrial ? 0 : trialDays }
}
