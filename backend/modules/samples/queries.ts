import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { EditedSample, SampleData } from '#contracts/sample-data.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { findLocalTimes } from '#modules/appointments/public.ts'
import { findPatientNames } from '#modules/patients/public.ts'
import { findTimeZone } from '#modules/practices/public.ts'

const RemainingRecord = z.object({
  id: z.string(),
  kind: z.enum(['patient', 'appointment']),
  patientId: PatientId,
  revision: z.number(),
  reason: z.enum(['edited', 'in-use']).nullable(),
})

/**
 * Finds the records of a practice that are still marked as samples, each with the reason why the practice may want to keep it
 * and the revision on which the reason is based. An edited appointment whose patient has been removed is not worth keeping.
 */
export const findRemainingRecords = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<readonly z.infer<typeof RemainingRecord>[]> =>
  db.any(sql.type(RemainingRecord)`
  with records as materialized (select * from read.sample_records where practice_id = ${practiceId}),
  edited_appointments as materialized (
    select a.id, a.patient_id from records a
    where a.kind = 'appointment' and a.sample and a.edited
      and exists (select from records p where p.kind = 'patient' and p.id = a.patient_id))
  select r.id, r.kind, r.patient_id as "patientId", r.revision,
    case when r.kind = 'appointment' then (select 'edited' from edited_appointments e where e.id = r.id)
      when r.edited then 'edited'
      when r.own_references > 0 or exists (select from edited_appointments e where e.patient_id = r.id)
        then 'in-use' end as reason
  from records r where r.sample`)

/** Returns the number of sample records, and those the practice may want to keep: patients by name, appointments by time. */
export async function findSampleData(db: CommonQueryMethods, practiceId: string): Promise<Omit<SampleData, 'state'>> {
  const timeZone = await findTimeZone(db, practiceId)
  const remaining = await findRemainingRecords(db, practiceId)
  const patients = remaining.filter(({ kind }) => kind === 'patient')
  const appointments = remaining.filter(({ kind }) => kind === 'appointment')
  const edited = new Map(remaining.filter(({ reason }) => reason !== null).map((record) => [record.id, record]))
  const names = await findPatientNames(
    db,
    [...edited.values()].map(({ patientId }) => patientId),
  )
  const editedPatients = names.flatMap(({ id, firstName, lastName }): EditedSample[] => {
    const reason = edited.get(id)?.reason
    return reason ? [{ kind: 'patient', id, patient: { firstName, lastName }, reason }] : []
  })
  const times = await findLocalTimes(
    db,
    appointments.flatMap(({ id }) => (edited.has(id) ? [id] : [])),
    timeZone,
  )
  const namesById = new Map(names.map(({ id, firstName, lastName }) => [id, { firstName, lastName }]))
  const editedAppointments = times.flatMap((appointment): EditedSample[] => {
    const record = edited.get(appointment.id)
    if (!record) return []
    const patient = namesById.get(record.patientId) ?? removedPatient
    return [{ kind: 'appointment', ...appointment, patient, reason: 'edited' }]
  })
  return {
    patients: patients.length,
    appointments: appointments.length,
    edited: [...editedPatients, ...editedAppointments],
  }
}

/** The name shown for a patient who was removed while the list was read. */
const removedPatient = { firstName: 'Erased', lastName: 'patient' }
