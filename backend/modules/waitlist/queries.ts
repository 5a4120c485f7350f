import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { WaitlistEntry } from '#contracts/waitlist.ts'
import { WaitlistEntryId } from '#contracts/values/ids.ts'
import { findPatients, findStarts } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import { openFields } from '#projections/sealed-columns.ts'

const Row = WaitlistEntry.omit({ patient: true })

/** The read models and the keys of their encrypted columns. */
type Readers = Pick<Services, 'db' | 'keyStore'>

const select = sql.fragment`
  select id, patient_id as "patientId", provider_id as "providerId", type, duration, earliest, latest,
    appointment_id as "appointmentId", notes, waiting_since as "waitingSince"
  from read.waitlist`

/** Decrypts the notes and adds the patients' names. Entries of removed patients are left out. */
async function withPatients(
  { db, keyStore }: Readers,
  practiceId: string,
  stored: readonly z.infer<typeof Row>[],
): Promise<WaitlistEntry[]> {
  const findPlace = ({ id, patientId }: z.infer<typeof Row>) => ({ key: id, subject: patientId })
  const rows = (await openFields(keyStore, stored, { notes: 'notes' }, findPlace)) as z.infer<typeof Row>[]
  const patients = await findPatients(db, practiceId, [...new Set(rows.map(({ patientId }) => patientId))])
  const byId = new Map(patients.filter(({ removed }) => !removed).map((patient) => [patient.id, patient]))
  return rows.flatMap((row) => {
    const patient = byId.get(row.patientId)
    return patient ? [{ ...row, patient: { firstName: patient.firstName, lastName: patient.lastName } }] : []
  })
}

/** Finds the waitlist of a practice, longest wait first. */
export async function findWaitlist(readers: Readers, practiceId: string): Promise<WaitlistEntry[]> {
  const rows = await readers.db.any(
    sql.type(Row)`${select} where practice_id = ${practiceId} order by waiting_since, id`,
  )
  return await withPatients(readers, practiceId, rows)
}

/** Finds the instant at which an entry was added; null when it is not in the read model (yet). */
export async function findWaitingSince(db: CommonQueryMethods, entryId: WaitlistEntryId): Promise<string | null> {
  const row = await db.maybeOne(
    sql.type(z.object({ waitingSince: z.string() }))`
      select waiting_since as "waitingSince" from read.waitlist where id = ${entryId}`,
  )
  return row?.waitingSince ?? null
}

/** A free slot. `startsAt` is an ISO instant, `day` its local date in the practice, `duration` in minutes. */
export type FreedSlot = { providerId: string; startsAt: string; day: string; duration: number }

/** Finds the three entries that fit a slot best. Patients whose own appointment is earlier than the slot are left out. */
export async function findCandidates(
  readers: Readers,
  scope: RecordScope,
  { providerId, startsAt, day, duration }: FreedSlot,
): Promise<WaitlistEntry[]> {
  const { db } = readers
  const { practiceId } = scope
  const rows = await db.any(sql.type(Row)`${select}
    where practice_id = ${practiceId} and (provider_id is null or provider_id = ${providerId})
      and duration <= ${duration} and (earliest is null or earliest <= ${day}::date)
      and (latest is null or latest >= ${day}::date)
    order by type = 'emergency' desc, provider_id is null, waiting_since, id`)
  const starts = await findStarts(
    db,
    scope,
    rows.flatMap(({ appointmentId }) => appointmentId ?? []),
  )
  const fitting = rows.filter(({ appointmentId }) => {
    const own = appointmentId === null ? undefined : starts.get(appointmentId)
    return own === undefined || own > startsAt
  })
  return (await withPatients(readers, practiceId, fitting)).slice(0, 3)
}

/** Finds the waitlist entries of a patient. */
export const findPatientEntries = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<readonly { id: WaitlistEntryId }[]> =>
  db.any(sql.type(z.object({ id: WaitlistEntryId }))`
    select id from read.waitlist where practice_id = ${practiceId} and patient_id = ${patientId}`)
