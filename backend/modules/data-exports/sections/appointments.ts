import { findAppointmentIds, findAppointmentsById } from '#modules/appointments/public.ts'
import { findPatients } from '#modules/patients/public.ts'
import { findWaitlistNotes } from '#modules/waitlist/public.ts'
import * as csv from '../csv.ts'
import { type ExportRun, forEachPage } from '../export-run.ts'
import * as fhir from '../fhir.ts'

/** The name of a patient who is not known anymore, as screens show it. */
const unknownName = { firstName: 'Erased', lastName: 'patient' }

/** Writes the appointments and the waitlist. */
export async function writeAppointments(run: ExportRun): Promise<void> {
  const { services, practiceId, practice, files, counts, missingPatients } = run
  const table = await files.addTable('appointments', csv.appointmentColumns)
  const waitlist = await files.addTable('waitlist', csv.waitlistColumns)
  const resources = files.addResources('Appointment')
  // All ids at one moment: an appointment that is moved later is neither skipped nor repeated.
  await forEachPage(run, await findAppointmentIds(services.db, practiceId), async (ids) => {
    const page = await findAppointmentsById(services, practice.timezone, practiceId, ids)
    for (const { patientId } of page) missingPatients.add(patientId)
    await table.write(page)
    await resources.write(page.map(fhir.toAppointment))
    counts.appointments += page.length
  })
  const entries = await findWaitlist(run)
  for (const { patientId } of entries) missingPatients.add(patientId)
  await waitlist.write(entries)
  await resources.write(entries.map(fhir.toWaitlistAppointment))
  counts.waitlistEntries = entries.length
}

/** Finds the waitlist with the names of its patients. */
async function findWaitlist({ services: { db, keyStore }, practiceId }: ExportRun) {
  const entries = await findWaitlistNotes({ db, keyStore }, practiceId)
  const patients = await findPatients(db, practiceId, [...new Set(entries.map(({ patientId }) => patientId))])
  const names = new Map(patients.map(({ id, firstName, lastName }) => [id, { firstName, lastName }]))
  return entries.map((entry) => ({ ...entry, patient: names.get(entry.patientId) ?? unknownName }))
}
