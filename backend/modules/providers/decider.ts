import type { Colour } from '#contracts/values/colours.ts'
import type { PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { ProviderEvent } from './events.ts'

/** The name, title and color of a provider. */
export type ProviderDetails = { name: string; title: string | null; colour: Colour }

/**
 * The commands for a provider. The number of upcoming appointments and whether other providers are active are known to
 * the caller.
 */
export type ProviderCommand =
  | {
      type: 'Add'
      providerId: ProviderId
      practiceId: PracticeId
      userId: UserId | null
      details: ProviderDetails
      timezone: string
    }
  | {
      type: 'Change'
      practiceId: PracticeId
      change: Partial<ProviderDetails> & { active?: boolean }
      upcomingAppointmentCount: number
      hasOtherActiveProviders: boolean
    }

export type ProviderState =
  | { exists: false }
  | { exists: true; providerId: ProviderId; practiceId: PracticeId; details: ProviderDetails; isActive: boolean }

export type ProviderRejection = 'not-found' | 'upcoming-appointments' | 'last-provider'

/** The rules for a provider: one with upcoming appointments, and the last active one, cannot be deactivated. */
export const providerDecider: Decider<ProviderCommand, ProviderEvent, ProviderState, ProviderRejection> = {
  category: 'provider',
  events: ProviderEvent,
  initial: { exists: false },
  decide,
  evolve,
}

/** The refusal to deactivate a provider with whom patients are booked. */
export const upcomingAppointments = reject(
  'upcoming-appointments',
  'Patients are booked with this provider. Move their appointments first.',
  'active',
)

function decide(command: ProviderCommand, state: ProviderState) {
  if (command.type === 'Add') {
    if (state.exists) return []
    const { providerId, practiceId, userId, details, timezone } = command
    return [{ type: 'ProviderAdded', data: { providerId, practiceId, userId, ...details, timezone } } as const]
  }
  if (!state.exists || state.practiceId !== command.practiceId) return reject('not-found', 'There is no such provider.')
  const { active } = command.change
  if (active === false && state.isActive) {
    if (command.upcomingAppointmentCount > 0) return upcomingAppointments
    if (!command.hasOtherActiveProviders)
      return reject('last-provider', 'A practice needs at least one active provider.', 'active')
  }
  return [...changeDetails(command.change, state), ...changeActive(active, state)]
}

const detailFields = ['name', 'title', 'colour'] as const
type ExistingProvider = Extract<ProviderState, { exists: true }>

function changeDetails(change: Partial<ProviderDetails>, { providerId, details }: ExistingProvider): ProviderEvent[] {
  const different = detailFields.filter((field) => change[field] !== undefined && change[field] !== details[field])
  if (different.length === 0) return []
  const only = (of: Partial<ProviderDetails>) => Object.fromEntries(different.map((field) => [field, of[field]]))
  return [{ type: 'ProviderDetailsChanged', data: { providerId, from: only(details), to: only(change) } }]
}

function changeActive(active: boolean | undefined, state: ExistingProvider): ProviderEvent[] {
  if (active === undefined || active === state.isActive) return []
  return [{ type: active ? 'ProviderReactivated' : 'ProviderDeactivated', data: { providerId: state.providerId } }]
}

function evolve(state: ProviderState, event: ProviderEvent): ProviderState {
  if (event.type === 'ProviderAdded') {
    const { providerId, practiceId, name, title, colour } = event.data
    return { exists: true, providerId, practiceId, details: { name, title, colour }, isActive: true }
  }
  if (!state.exists) return state
  if (event.type === 'ProviderDetailsChanged')
    return { ...state, details: { ...state.details, ...(event.data.to as Partial<ProviderDetails>) } }
  return { ...state, isActive: event.type === 'ProviderReactivated' }
}
