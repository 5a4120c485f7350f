import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { WaitlistEntry } from '#contracts/waitlist.ts'
import { WaitlistEntryId } from '#contracts/values/ids.ts'

type Fragment = ReturnType<typeof sql.fragment>

const select = (rest: Fragment) => sql.type(WaitlistEntry)`
  select w.id, w.patient_id as "patientId",
    jsonb_build_object('firstName', coalesce(p.first_name, 'Erased'), 'lastName', coalesce(p.last_name, 'patient')) as patient,
    w.provider_id as "providerId", w.type, w.duration, w.earliest, w.latest, w.appointment_id as "appointmentId", w.notes,
    w.waiting_since as "waitingSince"
  from read.waitlist w join read.appointment_patients p on p.id = w.patient_id and not p.removed ${rest}`

/** Who waits in a practice, longest first. */
export const findWaitlist = async (db: CommonQueryMethods, practiceId: string): Promise<WaitlistEntry[]> => [
  ...(await db.any(select(sql.fragment`where w.practice_id = ${practiceId} order by w.waiting_since, w.id`))),
]

/** A slot that is free: when (ISO instant), on which day of the practice's calendar, with whom, for how many minutes. */
export type FreedSlot = { providerId: string; start: string; day: string; duration: number }

/** The three who fit a slot best; those whose later appointment is even earlier than it have nothing to win. */
export const findCandidates = async (
  db: CommonQueryMethods,
  practiceId: string,
  { providerId, start, day, duration }: FreedSlot,
): Promise<WaitlistEntry[]> => [
  ...(await db.any(
    select(sql.fragment`
      left join read.appointments a on a.id = w.appointment_id
      where w.practice_id = ${practiceId} and (w.provider_id is null or w.provider_id = ${providerId})
        and w.duration <= ${duration} and (w.earliest is null or w.earliest <= ${day}::date)
        and (w.latest is null or w.latest >= ${day}::date) and (a.starts_at is null or a.starts_at > ${start})
      order by w.type = 'emergency' desc, w.provider_id is null, w.waiting_since, w.id limit 3`),
  )),
]

/** What a patient waits for. */
export const findWaitlistEntries = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<readonly { id: WaitlistEntryId }[]> =>
  db.any(sql.type(z.object({ id: WaitlistEntryId }))`
    select id from read.waitlist where practice_id = ${practiceId} and patient_id = ${patientId}`)
