import type { Patient } from '#contracts/patients.ts'
import { findPatientIds, findPatientRecords, findPatients } from '#modules/patients/public.ts'
import * as csv from '../csv.ts'
import { type ExportRun, forEachPage, type Table } from '../export-run.ts'
import * as fhir from '../fhir.ts'

/** Writes the patients, and the names of removed ones that other records refer to. */
export async function writePatients(run: ExportRun): Promise<void> {
  const { services, practiceId, files, counts, missingPatients } = run
  const writeTables = await addPatientTables(run)
  const patients = files.addResources('Patient')
  const parts: [Table<fhir.Resource>, (patient: Patient) => fhir.Resource[]][] = [
    [files.addResources('Coverage'), fhir.toCoverage],
    [files.addResources('AllergyIntolerance'), fhir.toAllergies],
    [files.addResources('MedicationStatement'), fhir.toMedications],
    [files.addResources('Condition'), fhir.toConditions],
  ]
  await forEachPage(run, await findPatientIds(services.db, practiceId), async (ids) => {
    const page = await findPatientRecords(services, practiceId, ids)
    for (const { id } of page) missingPatients.delete(id)
    await writeTables(page)
    await patients.write(page.map(fhir.toPatient))
    for (const [resources, toResources] of parts) await resources.write(page.flatMap(toResources))
    counts.patients += page.length
  })
  // Patients who were removed: their appointments are kept.
  await forEachPage(run, [...missingPatients], async (ids) => {
    const found = await findPatients(services.db, practiceId, ids)
    const names = new Map(found.map(({ id, firstName, lastName }) => [`${id}`, `${firstName} ${lastName}`]))
    await patients.write(ids.map((id) => fhir.toRemovedPatient(id, practiceId, names.get(id) ?? null)))
  })
}

/** Adds the CSV files of patients, and returns the function that writes a page of patients to all of them. */
async function addPatientTables({ files }: ExportRun): Promise<(page: readonly Patient[]) => Promise<void>> {
  const table = await files.addTable('patients', csv.patientColumns)
  const insurance = await files.addTable('insurance', csv.insuranceColumns)
  const allergies = await files.addTable('allergies', csv.allergyColumns)
  const medications = await files.addTable('medications', csv.medicationColumns)
  return async (page) => {
    await table.write(page)
    await insurance.write(
      page.flatMap((patient) => (patient.insuranceInfo ? [{ patient, part: patient.insuranceInfo }] : [])),
    )
    await allergies.write(page.flatMap((patient) => (patient.allergies ?? []).map((part) => ({ patient, part }))))
    await medications.write(page.flatMap((patient) => (patient.medications ?? []).map((part) => ({ patient, part }))))
  }
}
