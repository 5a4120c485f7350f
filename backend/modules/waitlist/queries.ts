import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { WaitlistEntryId } from '#contracts/values/ids.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import { findBookedEntry, findEntriesWithNotes, openNotes, selectWaiting, StoredEntry } from './entries.ts'
import { addRecords, fits, type FreedSlot, isOver, type KnownEntry } from './matching/public.ts'

const WaitingSinceRow = z.object({ waitingSince: z.string() })
const IdRow = z.object({ id: WaitlistEntryId })

/** The read models, the keys of their encrypted columns, and the clock. */
type Readers = Pick<Services, 'db' | 'keyStore' | 'clock'>

/** Returns the shape of the contract, at this moment in the caller's practice. */
function toReply({ own, ...entry }: KnownEntry, caller: Member, now: Date): WaitlistEntry {
  const moment = { now: now.toISOString(), today: toLocalDate(now, caller.timezone) }
  return { ...entry, appointmentDate: own && own.startsAt, isOver: isOver({ ...entry, own }, moment) }
}

/** Returns entries with their patients and appointments. Entries of removed patients are left out. */
export async function toReplies(
  { db, clock }: Pick<Readers, 'db' | 'clock'>,
  caller: Member,
  entries: readonly StoredEntry[],
): Promise<WaitlistEntry[]> {
  const now = clock()
  return (await addRecords(db, recordScope(caller), entries)).map((entry) => toReply(entry, caller, now))
}

/** Finds the waitlist of a practice, longest wait first. */
export const findWaitlist = async (readers: Readers, caller: Member): Promise<WaitlistEntry[]> =>
  await toReplies(readers, caller, await findEntriesWithNotes(readers, caller.practiceId))

/** Finds the entry for which an appointment was booked; null without one, and when its patient was removed. */
export async function findEntryOf(
  readers: Readers,
  caller: Member,
  appointmentId: string,
): Promise<WaitlistEntry | null> {
  const entry = await findBookedEntry(readers, caller.practiceId, appointmentId)
  return entry && ((await toReplies(readers, caller, [entry]))[0] ?? null)
}

/** Finds the instant at which an entry was added; null when it is not in the read model (yet). */
export async function findWaitingSince(db: CommonQueryMethods, entryId: WaitlistEntryId): Promise<string | null> {
  const row = await db.maybeOne(
    sql.type(WaitingSinceRow)`
      select waiting_since as "waitingSince" from read.waitlist where id = ${entryId}`,
  )
  return row?.waitingSince ?? null
}

/**
 * Finds the three entries that fit a slot best. Patients whose own appointment is earlier than the slot are left out, and patients who
 * have died.
 */
export async function findCandidates(readers: Readers, caller: Member, slot: FreedSlot): Promise<WaitlistEntry[]> {
  const { db, keyStore, clock } = readers
  const rows = await db.any(sql.type(StoredEntry)`${selectWaiting(caller.practiceId)}
    order by type = 'emergency' desc, provider_id is null, waiting_since, id`)
  const entries = await addRecords(db, recordScope(caller), rows)
  const best = entries.filter((entry) => fits(entry, slot)).slice(0, 3)
  const now = clock()
  return (await openNotes(keyStore, best)).map((entry) => toReply(entry, caller, now))
}

/** Finds the waitlist entries of a patient. */
export const findPatientEntries = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<readonly { id: WaitlistEntryId }[]> =>
  db.any(sql.type(IdRow)`
    select id from read.waitlist
    where practice_id = ${practiceId} and patient_id = ${patientId} and booked_appointment_id is null`)
