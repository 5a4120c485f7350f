import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { WaitlistEntry } from '#contracts/waitlist.ts'
import { prepared } from '#database/prepared.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { openFields } from '#projections/sealed-columns.ts'

/** An entry as it is stored: its notes are encrypted, and its patient is not named. */
export const StoredEntry = WaitlistEntry.omit({ patient: true, patientDeceased: true })
export type StoredEntry = z.infer<typeof StoredEntry>

const selectAll = sql.fragment`
  select id, patient_id as "patientId", provider_id as "providerId", type, duration, earliest, latest,
    appointment_id as "appointmentId", notes, waiting_since as "waitingSince"
  from read.waitlist`

/** Returns the SQL that selects the entries of a practice that wait. */
export const selectWaiting = (practiceId: string) =>
  sql.fragment`${selectAll} where practice_id = ${practiceId} and booked_appointment_id is null`

/** Finds the entry for which an appointment of a practice was booked, with its notes; null without one. */
export async function findBookedEntry(
  { db, keyStore }: { db: CommonQueryMethods; keyStore: Pick<KeyStore, 'getMany'> },
  practiceId: string,
  appointmentId: string,
): Promise<StoredEntry | null> {
  const found = await db.any(sql.type(StoredEntry)`
    ${selectAll} where booked_appointment_id = ${appointmentId} and practice_id = ${practiceId} limit 1`)
  return (await openNotes(keyStore, found))[0] ?? null
}

/** Finds the entries of a practice in any order. */
export const findEntries = (db: CommonQueryMethods, practiceId: string): Promise<readonly StoredEntry[]> =>
  db.any(prepared(sql.type(StoredEntry)`${selectWaiting(practiceId)}`))

/** Decrypts the notes of entries. */
export const openNotes = async (
  keyStore: Pick<KeyStore, 'getMany'>,
  stored: readonly StoredEntry[],
): Promise<StoredEntry[]> => {
  const findPlace = ({ id, patientId }: StoredEntry) => ({ key: id, subject: patientId })
  return (await openFields(keyStore, stored, { notes: 'notes' }, findPlace)) as StoredEntry[]
}

/** Finds the entries of a practice with their notes, longest wait first. */
export const findEntriesWithNotes = async (
  { db, keyStore }: { db: CommonQueryMethods; keyStore: Pick<KeyStore, 'getMany'> },
  practiceId: string,
): Promise<StoredEntry[]> =>
  await openNotes(
    keyStore,
    await db.any(sql.type(StoredEntry)`${selectWaiting(practiceId)} order by waiting_since, id`),
  )

/** A free slot. `startsAt` is an ISO instant, `day` its local date in the practice, `duration` in minutes. */
export type FreedSlot = { providerId: string; startsAt: string; day: string; duration: number }

/**
 * Returns whether a slot suits an entry, and is earlier than the patient's own appointment; `starts` are the starts of these
 * (ISO instants) by appointment id.
 */
export function fits(
  { appointmentId, providerId, duration, earliest, latest }: StoredEntry,
  slot: FreedSlot,
  starts: ReadonlyMap<string, string>,
): boolean {
  const own = appointmentId === null ? undefined : starts.get(appointmentId)
  return (
    (providerId === null || providerId === slot.providerId) &&
    duration <= slot.duration &&
    (earliest === null || earliest <= slot.day) &&
    (latest === null || latest >= slot.day) &&
    (own === undefined || own > slot.startsAt)
  )
}
