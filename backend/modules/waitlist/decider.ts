import type { PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { WaitlistEvent } from './events.ts'

type Entry = Extract<WaitlistEvent, { type: 'PatientAddedToWaitlist' }>['data']

/** The slot that a patient waits for. */
export type Wishes = Omit<Entry, 'waitlistEntryId' | 'practiceId' | 'patientId'>

type Removed = Extract<WaitlistEvent, { type: 'PatientRemovedFromWaitlist' }>['data']

/** The appointment that was booked for an entry. */
export type BookedForEntry = NonNullable<Removed['booked']>

/** Commands for one waitlist entry. `waitingSince`: the instant (ISO) at which it was added. */
export type WaitlistCommand =
  | { type: 'Add'; entry: Entry }
  | { type: 'Change'; practiceId: PracticeId; change: Partial<Wishes> }
  | { type: 'Remove'; practiceId: PracticeId; reason: Removed['reason']; booked?: BookedForEntry }
  | { type: 'Return'; practiceId: PracticeId; waitingSince: string }

export type WaitlistState =
  | { status: 'unknown' }
  | {
      status: 'waiting' | 'removed'
      waitlistEntryId: WaitlistEntryId
      practiceId: PracticeId
      patientId: PatientId
      entry: Entry
      /** The appointment for which it was removed; null for another reason. */
      booked: BookedForEntry | null
    }

/**
 * The rules of a waitlist entry: it is removed once, for the first reason that occurs. One for which an appointment was booked can
 * return to its place.
 */
export const waitlistDecider: Decider<WaitlistCommand, WaitlistEvent, WaitlistState, 'not-found' | 'days-reversed'> = {
  category: 'waitlist',
  events: WaitlistEvent,
  initial: { status: 'unknown' },
  decide(command, state) {
    if (command.type === 'Add')
      return state.status === 'unknown' ? [{ type: 'PatientAddedToWaitlist', data: command.entry }] : []
    const notFound = reject('not-found', 'There is no such entry on the waitlist.')
    if (state.status === 'unknown' || state.practiceId !== command.practiceId) return notFound
    const { waitlistEntryId, patientId, entry, booked } = state
    if (command.type === 'Return') {
      if (state.status === 'waiting') return []
      if (booked === null) return notFound
      // The later appointment that was moved for it is the one that was cancelled.
      const appointmentId = entry.appointmentId === booked.appointmentId ? null : entry.appointmentId
      const { waitingSince } = command
      return [{ type: 'PatientReturnedToWaitlist', data: { ...entry, appointmentId, waitingSince } }]
    }
    if (command.type === 'Change') return state.status === 'removed' ? notFound : change(command.change, state.entry)
    if (state.status === 'removed') return []
    const { reason } = command
    const data = { waitlistEntryId, patientId, reason, ...(command.booked ? { booked: command.booked } : {}) }
    return [{ type: 'PatientRemovedFromWaitlist', data }]
  },
  evolve(state, event) {
    if (event.type === 'PatientAddedToWaitlist') {
      const { waitlistEntryId, practiceId, patientId } = event.data
      return { status: 'waiting', waitlistEntryId, practiceId, patientId, entry: event.data, booked: null }
    }
    if (state.status === 'unknown') return state
    if (event.type === 'PatientRemovedFromWaitlist')
      return { ...state, status: 'removed', booked: event.data.booked ?? null }
    if (event.type === 'WaitlistEntryChanged') return { ...state, entry: { ...state.entry, ...event.data.to } as Entry }
    const { waitingSince: _, ...entry } = event.data
    return { ...state, status: 'waiting', entry, booked: null }
  },
}

const wishFields = ['providerId', 'type', 'duration', 'earliest', 'latest', 'appointmentId', 'notes'] as const

function change(change: Partial<Wishes>, entry: Entry) {
  const { earliest, latest } = { ...entry, ...change }
  if (earliest !== null && latest !== null && earliest > latest)
    return reject('days-reversed', 'Must not be before the first day', 'latest')
  const changed = wishFields.filter((field) => change[field] !== undefined && change[field] !== entry[field])
  if (changed.length === 0) return []
  const pick = (of: Partial<Wishes>) => Object.fromEntries(changed.map((field) => [field, of[field]]))
  const { waitlistEntryId, patientId } = entry
  const data = { waitlistEntryId, patientId, from: pick(entry), to: pick(change) }
  return [{ type: 'WaitlistEntryChanged', data } as const]
}
