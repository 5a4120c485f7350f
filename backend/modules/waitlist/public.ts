import type { Pool } from 'pg'
import type { CommonQueryMethods } from 'slonik'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import type { PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { type RunWithLocks, withAdvisoryLocks } from '#database/advisory-locks.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { isOfEarlierAttempt } from '#eventstore/repetition.ts'
import { isRepeatedRequest } from '#eventstore/request-scope.ts'
import type { Recorded } from '#eventstore/event.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { type BookedForEntry, waitlistDecider } from './decider.ts'
import * as entries from './entries.ts'

/** Connections of one pool that may hold waitlist locks at the same time. */
const maxConnections = 2

const locksByPool = new WeakMap<Pool, RunWithLocks>()

function getLocks(pool: Pool): RunWithLocks {
  const locks = locksByPool.get(pool) ?? withAdvisoryLocks(pool, maxConnections)
  locksByPool.set(pool, locks)
  return locks
}

/** A booking for a waitlist entry. */
type Booking<Result> = {
  run: () => Promise<Result>
  /** Returns the appointment that a run has booked or moved. */
  toBooked: (result: Result) => BookedForEntry
  /** Returns whether an earlier attempt at the current request has booked. Called in a repeated request only. */
  wasRun: () => Promise<boolean>
}

/**
 * Runs a booking for a waitlist entry and then removes the entry; without an entry it only runs the booking. Throws 404
 * unless the entry belongs to the patient, and 409 `waitlist-booked` when another one was made for it: of two concurrent bookings
 * for one entry the second. A repeated
 * request may find its entry removed, but only when an earlier attempt has booked: otherwise another user removed or used it.
 * The job `remove-from-waitlist` removes the entry when the process stops in between.
 */
export async function withWaitlistEntry<Result>(
  { bus, pool, db }: Pick<Services, 'bus' | 'pool' | 'db'>,
  waitlistEntryId: WaitlistEntryId | undefined,
  { practiceId, patientId }: { practiceId: PracticeId; patientId: PatientId },
  context: CommandContext,
  { run, wasRun, toBooked }: Booking<Result>,
): Promise<Result> {
  if (waitlistEntryId === undefined) return await run()
  return await getLocks(pool)([`waitlist ${waitlistEntryId}`], async () => {
    const loaded = await bus.load(waitlistDecider, waitlistEntryId)
    const { state, history } = loaded
    const isOfPatient = state.status !== 'unknown' && state.practiceId === practiceId && state.patientId === patientId
    const isRepetition = async () => isRepeatedRequest() && (history.some(isOfEarlierAttempt) || (await wasRun()))
    const isOpen = isOfPatient && (state.status === 'waiting' || (await isRepetition()))
    if (!isOpen && isOfPatient && state.booked) throw await alreadyBooked(db, practiceId, state.booked, history)
    if (!isOpen) throw notFound('entry on the waitlist')
    const result = await run()
    const command = { type: 'Remove', practiceId, reason: 'booked', booked: toBooked(result) } as const
    await bus.execute(waitlistDecider, waitlistEntryId, command, context, { loaded })
    return result
  })
}

/** Says who has booked for an entry, and for when. */
async function alreadyBooked(
  db: CommonQueryMethods,
  practiceId: PracticeId,
  { startsAt }: BookedForEntry,
  history: readonly Recorded[],
): Promise<ProblemError> {
  const actor = history.findLast(({ type }) => type === 'PatientRemovedFromWaitlist')?.metadata.actor
  const userId = actor?.kind === 'user' ? actor.userId : null
  const [names, zone] = await Promise.all([
    userId === null ? new Map<string, string>() : findUserNames(db, [userId]),
    findTimeZone(db, practiceId),
  ])
  const { date, time } = toLocalDateTime(startsAt, zone)
  const by = names.get(userId ?? '') ?? 'a colleague'
  return new ProblemError(409, 'waitlist-booked', `Already booked by ${by} for ${date} at ${time}.`)
}

/** Finds the entries of a practice with their notes, longest wait first. */
export const findWaitlistNotes = entries.findEntriesWithNotes

/** Loads an entry of a practice; null unless its patient waits at this moment. */
export async function loadWaitingEntry(bus: CommandBus, practiceId: string, waitlistEntryId: WaitlistEntryId) {
  const { state } = await bus.load(waitlistDecider, waitlistEntryId)
  return state.status === 'waiting' && state.practiceId === practiceId ? state.entry : null
}
