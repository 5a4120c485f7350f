import type { PracticeDetails, PracticeFields } from '#contracts/practice-settings.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { PlanId } from '#contracts/values/plans.ts'
import { defaultSessionTimeout, type SessionTimeout } from '#contracts/values/session-timeout.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { PracticeEvent } from './events.ts'

type Completion = { newsletterOptIn: boolean; selectedPlan: PlanId }

/** The details that a client may leave out of the setup. */
type DefaultDetails = Pick<PracticeDetails, 'email' | 'timezone'>

type SetUp = {
  type: 'SetUp'
  practiceId: PracticeId
  ownerId: UserId
  details: Omit<PracticeDetails, keyof DefaultDetails> & Partial<DefaultDetails>
  /** The details of a new practice that were left out; an existing practice keeps its own. */
  defaults: DefaultDetails
  /** Null until the setup is finished. */
  completion: Completion | null
}

/** The commands for a practice: its owner sets it up, and users with the permission change its settings. */
export type PracticeCommand =
  | SetUp
  | {
      type: 'ChangeDetails'
      practiceId: PracticeId
      change: Partial<PracticeFields>
      /** True if the user who changes them has two-factor sign-in, without which it cannot be required of everyone. */
      hasTwoFactor?: boolean
    }

/** The fields that the settings can change. */
type ChangeableDetails = PracticeDetails & { sessionTimeout: SessionTimeout; requireTwoFactor: boolean }

/** The state of a practice; `completion` is null until the setup is finished. */
export type PracticeState =
  | { status: 'none' }
  | { status: 'set-up'; ownerId: UserId; details: ChangeableDetails; completion: Completion | null }

export type PracticeRejection = 'not-owner' | 'not-found' | 'own-two-factor-missing'

/** The rules for a practice. Setting it up again changes it; a change records only what differs. */
export const practiceDecider: Decider<PracticeCommand, PracticeEvent, PracticeState, PracticeRejection> = {
  category: 'practice',
  events: PracticeEvent,
  initial: { status: 'none' },
  decide,
  evolve,
}

function decide(command: PracticeCommand, state: PracticeState) {
  if (command.type === 'ChangeDetails') {
    if (state.status === 'none') return reject('not-found', 'There is no such practice.')
    const { practiceId, change, hasTwoFactor = false } = command
    if (change.requireTwoFactor && !state.details.requireTwoFactor && !hasTwoFactor)
      return reject(
        'own-two-factor-missing',
        'Turn on two-factor authentication for yourself first',
        'requireTwoFactor',
      )
    return changeDetails(practiceId, state.details, { ...state.details, ...change })
  }
  const { practiceId, ownerId, defaults } = command
  if (state.status === 'none') {
    const details = withDefaults(command.details, defaults)
    const setUp: PracticeEvent = { type: 'PracticeSetUp', data: { practiceId, ownerId, ...details } }
    return [setUp, ...completeSetup(command, null)]
  }
  if (state.ownerId !== ownerId) return reject('not-owner', 'Only the owner of the practice can change this.')
  const details = withDefaults(command.details, state.details)
  return [...changeDetails(practiceId, state.details, details), ...completeSetup(command, state.completion)]
}

const withDefaults = (details: SetUp['details'], { email, timezone }: DefaultDetails): PracticeDetails => ({
  ...details,
  email: details.email ?? email,
  timezone: details.timezone ?? timezone,
})

function changeDetails(
  practiceId: PracticeId,
  from: ChangeableDetails,
  to: Partial<ChangeableDetails>,
): PracticeEvent[] {
  const fields = (Object.keys(to) as (keyof ChangeableDetails)[]).filter(
    (field) => JSON.stringify(from[field]) !== JSON.stringify(to[field]),
  )
  if (fields.length === 0) return []
  const only = (details: Partial<ChangeableDetails>) =>
    Object.fromEntries(fields.map((field) => [field, details[field]]))
  return [{ type: 'PracticeDetailsChanged', data: { practiceId, from: only(from), to: only(to) } }]
}

function completeSetup({ practiceId, ownerId, completion: asked }: SetUp, known: Completion | null): PracticeEvent[] {
  if (!asked) return []
  const { newsletterOptIn, selectedPlan } = asked
  if (known?.newsletterOptIn === newsletterOptIn && known.selectedPlan === selectedPlan) return []
  return [{ type: 'PracticeSetupCompleted', data: { practiceId, ownerId, newsletterOptIn, selectedPlan } }]
}

function evolve(state: PracticeState, event: PracticeEvent): PracticeState {
  if (event.type === 'PracticeSetUp') {
    const { practiceId: _, ownerId, ...details } = event.data
    return {
      status: 'set-up',
      ownerId,
      details: { ...(details as PracticeDetails), sessionTimeout: defaultSessionTimeout, requireTwoFactor: false },
      completion: null,
    }
  }
  if (state.status === 'none') return state
  if (event.type === 'PracticeDetailsChanged')
    return { ...state, details: { ...state.details, ...(event.data.to as Partial<ChangeableDetails>) } }
  const { newsletterOptIn, selectedPlan } = event.data
  return { ...state, completion: { newsletterOptIn, selectedPlan } }
}
