import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { WaitlistEntryId } from '#contracts/values/ids.ts'
import { findStarts } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findPatients } from '#modules/patients/public.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import {
  findBookedEntry,
  findEntriesWithNotes,
  fits,
  type FreedSlot,
  openNotes,
  selectWaiting,
  StoredEntry,
} from './entries.ts'

const WaitingSinceRow = z.object({ waitingSince: z.string() })
const IdRow = z.object({ id: WaitlistEntryId })

/** The read models and the keys of their encrypted columns. */
type Readers = Pick<Services, 'db' | 'keyStore'>

/** Adds the patients' names. Entries of removed patients are left out. */
async function withPatients(
  db: CommonQueryMethods,
  practiceId: string,
  rows: readonly StoredEntry[],
): Promise<WaitlistEntry[]> {
  const patients = await findPatients(db, practiceId, [...new Set(rows.map(({ patientId }) => patientId))])
  const byId = new Map(patients.filter(({ removed }) => !removed).map((patient) => [patient.id, patient]))
  return rows.flatMap((row) => {
    const patient = byId.get(row.patientId)
    if (!patient) return []
    const { firstName, lastName, deceasedOn } = patient
    return [{ ...row, patient: { firstName, lastName }, patientDeceased: deceasedOn !== null }]
  })
}

/** Finds the waitlist of a practice, longest wait first. */
export const findWaitlist = async (readers: Readers, practiceId: string): Promise<WaitlistEntry[]> =>
  await withPatients(readers.db, practiceId, await findEntriesWithNotes(readers, practiceId))

/** Finds the entry for which an appointment was booked; null without one, and when its patient was removed. */
export async function findEntryOf(
  readers: Readers,
  practiceId: string,
  appointmentId: string,
): Promise<WaitlistEntry | null> {
  const entry = await findBookedEntry(readers, practiceId, appointmentId)
  return entry && ((await withPatients(readers.db, practiceId, [entry]))[0] ?? null)
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
export async function findCandidates(readers: Readers, scope: RecordScope, slot: FreedSlot): Promise<WaitlistEntry[]> {
  const { db } = readers
  const { practiceId } = scope
  const rows = await db.any(sql.type(StoredEntry)`${selectWaiting(practiceId)}
    order by type = 'emergency' desc, provider_id is null, waiting_since, id`)
  const starts = await findStarts(
    db,
    scope,
    rows.flatMap(({ appointmentId }) => appointmentId ?? []),
  )
  const fitting = rows.filter((row) => fits(row, slot, starts))
  const entries = await withPatients(db, practiceId, await openNotes(readers.keyStore, fitting))
  return entries.filter(({ patientDeceased }) => !patientDeceased).slice(0, 3)
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
