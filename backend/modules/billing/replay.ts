import type { PracticeId } from '#contracts/values/ids.ts'
import { isRejection } from '#eventstore/decider.ts'
import type { Recorded } from '#eventstore/event.ts'
import { type Access, computeAccess, currentSubscription } from './access.ts'
import { billingDecider, type BillingState } from './decider.ts'
import type { BillingEvent, Subscription } from './events.ts'
import type { Message, ProviderUpdate } from './payment-provider.ts'

type SubscriptionSummary = Pick<
  Subscription,
  'subscriptionId' | 'status' | 'plan' | 'nextPlan' | 'cancelAtPeriodEnd' | 'currentPeriodEnd'
>

/**
 * One recorded or assumed event, and the state after it. `at` is the provider's time of it, else the time of recording; an
 * instant in UTC. `event` is the event type; an assumed message without an effect is listed too.
 */
export type Step = {
  at: string
  event: string
  isAssumed: boolean
  subscription: SubscriptionSummary | null
  access: Access | null
}

function createStep(at: string, event: string, isAssumed: boolean, state: BillingState): Step {
  const current = currentSubscription(state)
  return {
    at,
    event,
    isAssumed,
    subscription: current && {
      subscriptionId: current.subscriptionId,
      status: current.status,
      plan: current.plan,
      nextPlan: current.nextPlan,
      cancelAtPeriodEnd: current.cancelAtPeriodEnd,
      currentPeriodEnd: current.currentPeriodEnd,
    },
    access: computeAccess(state),
  }
}

const observedAt = ({ data }: BillingEvent, fallback: string) => ('observed' in data ? data.observed.at : fallback)

/** Replays a practice's billing history and then assumed messages, with the same rules as at runtime. Writes nothing. */
export function replay(
  practiceId: PracticeId,
  history: readonly Recorded<BillingEvent>[],
  assumed: readonly { message: Message; update: ProviderUpdate | null }[],
): Step[] {
  let state = billingDecider.initial
  const steps: Step[] = []
  for (const event of history) {
    state = billingDecider.evolve(state, event)
    steps.push(createStep(observedAt(event, event.metadata.at), event.type, false, state))
  }
  for (const { message, update } of assumed) {
    const decided = update
      ? billingDecider.decide({ type: 'RecordProviderUpdate', practiceId, snapshot: update.snapshot }, state)
      : []
    if (isRejection(decided)) throw new Error('A provider update must never be refused')
    const reason = update ? 'nothing new' : 'not relevant'
    if (decided.length === 0) steps.push(createStep(message.createdAt, `${message.type}: ${reason}`, true, state))
    for (const event of decided) {
      state = billingDecider.evolve(state, event)
      steps.push(createStep(observedAt(event, message.createdAt), `${message.type}: ${event.type}`, true, state))
    }
  }
  return steps
}
