import { type CommonQueryMethods, sql } from 'slonik'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { prepared } from '#database/prepared.ts'
import { findStarts } from '#modules/appointments/public.ts'
import { findPatients } from '#modules/patients/public.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import { selectWaiting, StoredEntry } from '../entries.ts'

/**
 * An entry with its patient, and the start of the appointment that the patient has. `isOpen`: this appointment can still be moved;
 * one that was cancelled is none.
 */
export type KnownEntry = StoredEntry &
  Pick<WaitlistEntry, 'patient' | 'patientDeceased'> & { own: { startsAt: string; isOpen: boolean } | null }

/** Finds the entries of a practice in any order, without those of removed patients; their notes are encrypted. */
export const findEntries = async (db: CommonQueryMethods, scope: RecordScope): Promise<KnownEntry[]> =>
  await addRecords(db, scope, await db.any(prepared(sql.type(StoredEntry)`${selectWaiting(scope.practiceId)}`)))

/** Adds the patients and their appointments to entries. Entries of removed patients are left out. */
export async function addRecords(
  db: CommonQueryMethods,
  scope: RecordScope,
  entries: readonly StoredEntry[],
): Promise<KnownEntry[]> {
  if (entries.length === 0) return []
  const appointmentIds = entries.flatMap(({ appointmentId }) => appointmentId ?? [])
  const [patients, starts] = await Promise.all([
    findPatients(db, scope.practiceId, [...new Set(entries.map(({ patientId }) => patientId))]),
    findStarts(db, scope, appointmentIds),
  ])
  const byId = new Map(patients.filter(({ removed }) => !removed).map((patient) => [patient.id, patient]))
  return entries.flatMap((entry) => {
    const patient = byId.get(entry.patientId)
    if (!patient) return []
    const { firstName, lastName, deceasedOn } = patient
    const start = starts.get(entry.appointmentId ?? '')
    const own = start && start.status !== 'cancelled' ? start : null
    return {
      ...entry,
      patient: { firstName, lastName },
      patientDeceased: deceasedOn !== null,
      appointmentId: own && entry.appointmentId,
      own: own && { startsAt: own.startsAt, isOpen: own.status === 'scheduled' || own.status === 'confirmed' },
    }
  })
}

/** A free slot. `startsAt` is an ISO instant, `day` its local date in the practice, `duration` in minutes. */
export type FreedSlot = { providerId: string; startsAt: string; day: string; duration: number }

/** Returns whether a slot suits a living patient, and is earlier than the appointment that the patient has. */
export const fits = (
  { patientDeceased, own, providerId, duration, earliest, latest }: KnownEntry,
  slot: FreedSlot,
): boolean =>
  !patientDeceased &&
  (providerId === null || providerId === slot.providerId) &&
  duration <= slot.duration &&
  (earliest === null || earliest <= slot.day) &&
  (latest === null || latest >= slot.day) &&
  (own === null || (own.isOpen && own.startsAt > slot.startsAt))

/** Returns whether no slot can suit an entry any more. `now` is an ISO instant, `today` the local date in the practice. */
export const isOver = (
  { latest, own }: Pick<KnownEntry, 'latest' | 'own'>,
  { now, today }: { now: string; today: string },
): boolean => (latest !== null && latest < today) || (own !== null && (!own.isOpen || own.startsAt <= now))
