import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { EditedSample, SampleData } from '#contracts/sample-data.ts'
import { AppointmentId, PatientId } from '#contracts/values/ids.ts'
import { findLocalTimes } from '#modules/appointments/public.ts'
import { findPatientNames } from '#modules/patients/public.ts'
import { findTimeZone } from '#modules/practices/public.ts'

/**
 * Selects the records of a practice that are still marked as samples, each with the reason why the practice may want to keep
 * it. An edited appointment whose patient has been removed is not worth keeping.
 */
const remainingRecordsSql = (practiceId: string) => sql.fragment`
  records as materialized (select * from read.sample_records where practice_id = ${practiceId}),
  edited_appointments as materialized (
    select a.id, a.patient_id from records a
    where a.kind = 'appointment' and a.sample and a.edited
      and exists (select from records p where p.kind = 'patient' and p.id = a.patient_id)),
  remaining as (
    select r.*,
      case when r.kind = 'appointment' then (select 'edited' from edited_appointments e where e.id = r.id)
        when r.edited then 'edited'
        when r.own_references > 0 or exists (select from edited_appointments e where e.patient_id = r.id)
          then 'in-use' end as reason
    from records r where r.sample)`

const RemainingRecord = z.object({
  id: z.string(),
  kind: z.enum(['patient', 'appointment']),
  revision: z.number(),
  reason: z.enum(['edited', 'in-use']).nullable(),
})

/** Returns the sample records that must still be removed or kept, with the revision on which the reason is based. */
export const findRemainingRecords = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<readonly z.infer<typeof RemainingRecord>[]> =>
  db.any(
    sql.type(RemainingRecord)`with ${remainingRecordsSql(practiceId)} select id, kind, revision, reason from remaining`,
  )

const Counts = z.object({ patients: z.number(), appointments: z.number() })

const EditedPatient = z.object({ id: PatientId, reason: z.enum(['edited', 'in-use']) })

const EditedAppointment = z.object({ id: AppointmentId, patientId: PatientId, reason: z.literal('edited') })

/** Returns the number of sample records, and those the practice may want to keep: patients by name, appointments by time. */
export async function findSampleData(db: CommonQueryMethods, practiceId: string): Promise<Omit<SampleData, 'state'>> {
  const remaining = remainingRecordsSql(practiceId)
  const timeZone = await findTimeZone(db, practiceId)
  const counts = await db.one(sql.type(Counts)`
    with ${remaining}
    select count(*) filter (where kind = 'patient') as patients,
      count(*) filter (where kind = 'appointment') as appointments from remaining`)
  const patients = await db.any(sql.type(EditedPatient)`
    with ${remaining} select id, reason from remaining where kind = 'patient' and reason is not null`)
  const appointments = await db.any(sql.type(EditedAppointment)`
    with ${remaining}
    select id, patient_id as "patientId", reason from remaining where kind = 'appointment' and reason is not null`)
  const names = await findPatientNames(db, [
    ...patients.map(({ id }) => id),
    ...appointments.map(({ patientId }) => patientId),
  ])
  const reasons = new Map(patients.map(({ id, reason }) => [id, reason]))
  const editedPatients = names.flatMap(({ id, firstName, lastName }): EditedSample[] => {
    const reason = reasons.get(id)
    return reason ? [{ kind: 'patient', id, patient: { firstName, lastName }, reason }] : []
  })
  const times = await findLocalTimes(
    db,
    appointments.map(({ id }) => id),
    timeZone,
  )
  const editedAppointments = times.flatMap(({ id, type, localDate, localTime }): EditedSample[] => {
    const found = appointments.find((appointment) => appointment.id === id)
    if (!found) return []
    const { firstName, lastName } = names.find((patient) => patient.id === found.patientId) ?? removedPatient
    return [
      { kind: 'appointment', id, patient: { firstName, lastName }, reason: found.reason, type, localDate, localTime },
    ]
  })
  return { ...counts, edited: [...editedPatients, ...editedAppointments] }
}

/** The name shown for a patient who was removed while the list was read. */
const removedPatient = { firstName: 'Erased', lastName: 'patient' }
