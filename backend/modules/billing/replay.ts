import type { PracticeId } from '#contracts/values/ids.ts'
import { isRejection } from '#eventstore/decider.ts'
import type { Recorded } from '#eventstore/event.ts'
import { type Access, computeAccess, currentSubscription } from './access.ts'
import { billingDecider, type BillingState } from './decider.ts'
import type { BillingEvent, Subscription } from './events.ts'
import type { Message, ProviderUpdate } from './payment-provider.ts'

/** What a practice pays for at one moment: its subscription in short, and what it may use because of it. */
type Standing = Pick<
  Subscription,
  'subscriptionId' | 'status' | 'plan' | 'nextPlan' | 'cancelAtPeriodEnd' | 'currentPeriodEnd'
>

/**
 * One thing that happened, or that is assumed, and how things stood after it. `at` is when the payment provider says so, or
 * when it was written down; an instant in UTC. `what` is the name of the fact; of a message also where nothing follows from it.
 */
export type Step = {
  at: string
  what: string
  assumed: boolean
  subscription: Standing | null
  access: Access | null
}

function stepOf(at: string, what: string, assumed: boolean, state: BillingState): Step {
  const current = currentSubscription(state)
  return {
    at,
    what,
    assumed,
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

const saidAt = ({ data }: BillingEvent, otherwise: string) => ('seen' in data ? data.seen.at : otherwise)

/** Lives through what is recorded of a practice, and then what is assumed, by the rules of every day. Writes nothing. */
export function replay(
  practiceId: PracticeId,
  history: readonly Recorded<BillingEvent>[],
  assumed: readonly { message: Message; told: ProviderUpdate | null }[],
): Step[] {
  let state = billingDecider.initial
  const steps: Step[] = []
  for (const event of history) {
    state = billingDecider.evolve(state, event)
    steps.push(stepOf(saidAt(event, event.metadata.at), event.type, false, state))
  }
  for (const { message, told } of assumed) {
    const decided = told ? billingDecider.decide({ type: 'TakeIn', practiceId, fact: told.fact }, state) : []
    if (isRejection(decided)) throw new Error('A fact of the provider is never refused')
    const why = told ? 'nothing new' : 'does not matter here'
    if (decided.length === 0) steps.push(stepOf(message.createdAt, `${message.type}: ${why}`, true, state))
    for (const event of decided) {
      state = billingDecider.evolve(state, event)
      steps.push(stepOf(saidAt(event, message.createdAt), `${message.type}: ${event.type}`, true, state))
    }
  }
  return steps
}
