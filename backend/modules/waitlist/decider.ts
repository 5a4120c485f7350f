import type { PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { WaitlistEvent } from './events.ts'

type Entry = Extract<WaitlistEvent, { type: 'PatientAddedToWaitlist' }>['data']
type Reason = Extract<WaitlistEvent, { type: 'PatientTakenOffWaitlist' }>['data']['reason']

/** What can be asked of one wait. */
export type WaitlistCommand =
  | { type: 'Add'; entry: Entry }
  | { type: 'TakeOff'; practiceId: PracticeId; reason: Reason }

export type WaitlistState =
  | { status: 'unknown' }
  | {
      status: 'waiting' | 'over'
      waitlistEntryId: WaitlistEntryId
      practiceId: PracticeId
      patientId: PatientId
    }

/** The rules of a wait: it ends once, by whatever comes first. */
export const waitlistDecider: Decider<WaitlistCommand, WaitlistEvent, WaitlistState, 'not-found'> = {
  category: 'waitlist',
  events: WaitlistEvent,
  initial: { status: 'unknown' },
  decide(command, state) {
    if (command.type === 'Add')
      return state.status === 'unknown' ? [{ type: 'PatientAddedToWaitlist', data: command.entry }] : []
    if (state.status === 'unknown' || state.practiceId !== command.practiceId)
      return reject('not-found', 'There is no such entry on the waitlist.')
    if (state.status === 'over') return []
    const { waitlistEntryId, patientId } = state
    return [{ type: 'PatientTakenOffWaitlist', data: { waitlistEntryId, patientId, reason: command.reason } }]
  },
  evolve(state, event) {
    if (event.type === 'PatientAddedToWaitlist') {
      const { waitlistEntryId, practiceId, patientId } = event.data
      return { status: 'waiting', waitlistEntryId, practiceId, patientId }
    }
    return state.status === 'unknown' ? state : { ...state, status: 'over' }
  },
}
