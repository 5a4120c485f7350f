import type { PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { WaitlistEvent } from './events.ts'

type Entry = Extract<WaitlistEvent, { type: 'PatientAddedToWaitlist' }>['data']

/** The reason why an entry is removed. */
type RemovalReason = Extract<WaitlistEvent, { type: 'PatientRemovedFromWaitlist' }>['data']['reason']

/** Commands for one waitlist entry. */
export type WaitlistCommand =
  | { type: 'Add'; entry: Entry }
  | { type: 'Remove'; practiceId: PracticeId; reason: RemovalReason }

export type WaitlistState =
  | { status: 'unknown' }
  | {
      status: 'waiting' | 'removed'
      waitlistEntryId: WaitlistEntryId
      practiceId: PracticeId
      patientId: PatientId
    }

/** The rules of a waitlist entry: it is removed once, for the first reason that occurs. */
export const waitlistDecider: Decider<WaitlistCommand, WaitlistEvent, WaitlistState, 'not-found'> = {
  category: 'waitlist',
  events: WaitlistEvent,
  initial: { status: 'unknown' },
  decide(command, state) {
    if (command.type === 'Add')
      return state.status === 'unknown' ? [{ type: 'PatientAddedToWaitlist', data: command.entry }] : []
    if (state.status === 'unknown' || state.practiceId !== command.practiceId)
      return reject('not-found', 'There is no such entry on the waitlist.')
    if (state.status === 'removed') return []
    const { waitlistEntryId, patientId } = state
    return [{ type: 'PatientRemovedFromWaitlist', data: { waitlistEntryId, patientId, reason: command.reason } }]
  },
  evolve(state, event) {
    if (event.type === 'PatientAddedToWaitlist') {
      const { waitlistEntryId, practiceId, patientId } = event.data
      return { status: 'waiting', waitlistEntryId, practiceId, patientId }
    }
    return state.status === 'unknown' ? state : { ...state, status: 'removed' }
  },
}
