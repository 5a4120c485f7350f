import type { Pool } from 'pg'
import type { PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { type RunWithLocks, withAdvisoryLocks } from '#database/advisory-locks.ts'
import { type CommandContext, isOfEarlierAttempt } from '#eventstore/command-bus.ts'
import { isRepeatedRequest } from '#eventstore/request-scope.ts'
import { notFound } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { waitlistDecider } from './decider.ts'
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
  /** Returns whether an earlier attempt at the current request has booked. Called in a repeated request only. */
  wasRun: () => Promise<boolean>
}

/**
 * Runs a booking for a waitlist entry and then removes the entry; without an entry it only runs the booking. Throws 404
 * unless the entry belongs to the patient. Of two concurrent bookings for one entry the second gets the 404. A repeated
 * request may find its entry removed, but only when an earlier attempt has booked: otherwise another user removed or used it.
 * The job `remove-from-waitlist` removes the entry when the process stops in between.
 */
export async function withWaitlistEntry<Result>(
  { bus, pool }: Pick<Services, 'bus' | 'pool'>,
  waitlistEntryId: WaitlistEntryId | undefined,
  { practiceId, patientId }: { practiceId: PracticeId; patientId: PatientId },
  context: CommandContext,
  { run, wasRun }: Booking<Result>,
): Promise<Result> {
  if (waitlistEntryId === undefined) return await run()
  return await getLocks(pool)([`waitlist ${waitlistEntryId}`], async () => {
    const loaded = await bus.load(waitlistDecider, waitlistEntryId)
    const { state, history } = loaded
    const isOfPatient = state.status !== 'unknown' && state.practiceId === practiceId && state.patientId === patientId
    const isRepetition = async () => isRepeatedRequest() && (history.some(isOfEarlierAttempt) || (await wasRun()))
    const isOpen = isOfPatient && (state.status === 'waiting' || (await isRepetition()))
    if (!isOpen) throw notFound('entry on the waitlist')
    const result = await run()
    const command = { type: 'Remove', practiceId, reason: 'booked' } as const
    await bus.execute(waitlistDecider, waitlistEntryId, command, context, { loaded })
    return result
  })
}

/** Finds the entries of a practice with their notes, longest wait first. */
export const findWaitlistNotes = entries.findEntriesWithNotes

/** Finds the entries of a practice in any order. */
export const findWaitlistEntries = entries.findEntries

/** Returns whether a slot suits an entry, and is earlier than the patient's own appointment. */
export const fitsSlot = entries.fits
