import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { EditedSample } from '#contracts/sample-data.ts'

const SampleEligibility = z.object({ timezone: z.string(), isDemo: z.boolean() })

/** Where a practice is, and whether its owner has no subscription; null while that is not known. */
export const findSampleEligibility = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<z.infer<typeof SampleEligibility> | null> =>
  db.maybeOne(sql.type(SampleEligibility)`
    select p.timezone, u.subscription_status = 'demo' as "isDemo"
    from read.practices p join read.users u on u.user_id = p.owner_id where p.practice_id = ${practiceId}`)

const RemainingRecord = z.object({
  id: z.string(),
  kind: z.enum(['patient', 'appointment']),
  revision: z.number(),
  why: z.enum(['edited', 'in-use']).nullable(),
})

/**
 * The records of a practice that are still marked as samples, and why one of them may be wanted. An appointment of a patient who was
 * deleted since is wanted by nobody.
 */
const remainingRecordsSql = (practiceId: string) => sql.fragment`
  wanted_appointments as materialized (
    select s.id, s.patient_id from read.sample_records s
    where s.practice_id = ${practiceId} and s.kind = 'appointment' and s.edited
      and exists (select from read.patients p where p.id = s.patient_id)),
  needed as materialized (
    select patient_id from wanted_appointments
    union select patient_id from read.appointments a where a.practice_id = ${practiceId} and not a.sample
    union select patient_id from read.waitlist w where w.practice_id = ${practiceId}),
  left_over as (
    select s.id, s.kind, s.revision,
      case when s.kind = 'appointment' then (select 'edited' from wanted_appointments v where v.id = s.id)
        when s.edited then 'edited'
        when exists (select from needed n where n.patient_id = s.patient_id) then 'in-use' end as why
    from read.sample_records s where s.practice_id = ${practiceId})`

/** What is still to be removed, or kept, and at which revision it was looked at. */
export const findRemainingRecords = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<readonly z.infer<typeof RemainingRecord>[]> =>
  db.any(
    sql.type(RemainingRecord)`with ${remainingRecordsSql(practiceId)} select id, kind, revision, why from left_over`,
  )

const SampleSummary = z.object({ edited: z.array(EditedSample), patients: z.number(), appointments: z.number() })

/** How many sample records a practice has, and those that it may want to keep: patients by name, appointments by day. */
export const findSampleData = (db: CommonQueryMethods, practiceId: string): Promise<z.infer<typeof SampleSummary>> =>
  db.one(sql.type(SampleSummary)`
    with ${remainingRecordsSql(practiceId)},
    patients as (
      select p.last_name, p.first_name, jsonb_build_object('kind', 'patient', 'id', l.id, 'why', l.why, 'patient',
        jsonb_build_object('firstName', p.first_name, 'lastName', p.last_name)) as shown
      from left_over l join read.patients p on p.id = l.id where l.kind = 'patient' and l.why is not null),
    appointments as (
      select a.starts_at, jsonb_build_object('kind', 'appointment', 'id', l.id, 'why', l.why, 'type', a.type, 'patient',
        jsonb_build_object('firstName', coalesce(p.first_name, 'Erased'), 'lastName', coalesce(p.last_name, 'patient')),
        'localDate', to_char(a.starts_at at time zone c.timezone, 'YYYY-MM-DD'),
        'localTime', to_char(a.starts_at at time zone c.timezone, 'HH24:MI')) as shown
      from left_over l join read.appointments a on a.id = l.id join read.practices c on c.practice_id = a.practice_id
        left join read.appointment_patients p on p.id = a.patient_id
      where l.kind = 'appointment' and l.why is not null)
    select (select count(*) from left_over where kind = 'patient') as patients,
      (select count(*) from left_over where kind = 'appointment') as appointments,
      coalesce((select jsonb_agg(shown order by last_name, first_name) from patients), '[]')
        || coalesce((select jsonb_agg(shown order by starts_at) from appointments), '[]') as edited`)
