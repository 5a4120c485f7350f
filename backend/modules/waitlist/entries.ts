import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { WaitlistEntry } from '#contracts/waitlist.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { openFields } from '#projections/sealed-columns.ts'

/** An entry as it is stored: its notes are encrypted, its patient is not named, and its appointment is only an id. */
export const StoredEntry = WaitlistEntry.omit({
  patient: true,
  patientDeceased: true,
  appointmentDate: true,
  isOver: true,
})
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

/** Decrypts the notes of entries. */
export const openNotes = async <Entry extends StoredEntry>(
  keyStore: Pick<KeyStore, 'getMany'>,
  stored: readonly Entry[],
): Promise<Entry[]> => {
  const findPlace = ({ id, patientId }: StoredEntry) => ({ key: id, subject: patientId })
  return (await openFields(keyStore, stored, { notes: 'notes' }, findPlace)) as Entry[]
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
