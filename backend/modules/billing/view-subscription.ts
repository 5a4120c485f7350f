import type { SubscriptionView } from '#contracts/billing.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { getPlan } from '#contracts/values/plans.ts'
import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { countPatients } from '#modules/patients/public.ts'
import { countProviderSeats } from '#modules/providers/public.ts'
import { awaitsFirstPayment, computeAccess, currentSubscription } from './access.ts'
import type { BillingState } from './decider.ts'
import { findCustomer } from './queries.ts'
import { findProvider } from './select-provider.ts'

/** The refusal for a practice that has no subscription. */
export const noSubscription = () => new ProblemError(404, 'no-subscription', 'There is no subscription yet.')

/** Returns a practice's subscription as its screen shows it. Throws 404 without one. */
export async function viewSubscription(
  services: Services,
  practiceId: PracticeId,
  state: BillingState,
): Promise<SubscriptionView> {
  const { db } = services
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
