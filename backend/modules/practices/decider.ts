import type { PracticeDetails } from '#contracts/practices.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { PracticeEvent } from './events.ts'

type Completion = { newsletterOptIn: boolean; selectedPlan: PlanId }

/** What can be asked of a practice. With `completion` the set-up is at its end. */
export type PracticeCommand = {
  type: 'SetUp'
  practiceId: PracticeId
  ownerId: UserId
  details: PracticeDetails
  completion: Completion | null
}

/** A practice as it stands; `completion` is null until the set-up is at its end. */
export type PracticeState =
  | { status: 'none' }
  | { status: 'set-up'; ownerId: UserId; details: PracticeDetails; completion: Completion | null }

export type PracticeRefusal = 'not-owner'

/** The rules of a practice's set-up: said twice, it happens once. */
export const practiceDecider: Decider<PracticeCommand, PracticeEvent, PracticeState, PracticeRefusal> = {
  category: 'practice',
  events: PracticeEvent,
  initial: { status: 'none' },
  decide,
  evolve,
}

function decide(command: PracticeCommand, state: PracticeState) {
  const { practiceId, ownerId, details } = command
  if (state.status === 'none') {
    const setUp: PracticeEvent = { type: 'PracticeSetUp', data: { practiceId, ownerId, ...details } }
    return [setUp, ...completed(command, null)]
  }
  if (state.ownerId !== ownerId) return reject('not-owner', 'Only the owner of the practice can change this.')
  return [...changed(practiceId, state.details, details), ...completed(command, state.completion)]
}

function changed(practiceId: PracticeId, from: PracticeDetails, to: PracticeDetails): PracticeEvent[] {
  const fields = (Object.keys(to) as (keyof PracticeDetails)[]).filter(
    (field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]),
  )
  if (fields.length === 0) return []
  const only = (details: PracticeDetails) => Object.fromEntries(fields.map((field) => [field, details[field]]))
  return [{ type: 'PracticeDetailsChanged', data: { practiceId, from: only(from), to: only(to) } }]
}

function completed(
  { practiceId, ownerId, completion: asked }: PracticeCommand,
  known: Completion | null,
): PracticeEvent[] {
  if (!asked) return []
  const { newsletterOptIn, selectedPlan } = asked
  if (known?.newsletterOptIn === newsletterOptIn && known.selectedPlan === selectedPlan) return []
  return [{ type: 'PracticeSetupCompleted', data: { practiceId, ownerId, newsletterOptIn, selectedPlan } }]
}

function evolve(state: PracticeState, event: PracticeEvent): PracticeState {
  if (event.type === 'PracticeSetUp') {
    const { practiceId: _, ownerId, ...details } = event.data
    return { status: 'set-up', ownerId, details: details as PracticeDetails, completion: null }
  }
  if (state.status === 'none') return state
  if (event.type === 'PracticeDetailsChanged')
    return { ...state, details: { ...state.details, ...(event.data.to as Partial<PracticeDetails>) } }
  const { newsletterOptIn, selectedPlan } = event.data
  return { ...state, completion: { newsletterOptIn, selectedPlan } }
}
