import type { DataExportCounts } from '#contracts/data-exports.ts'
import type { FormId, PracticeId } from '#contracts/values/ids.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import type { Patient } from '#contracts/patients.ts'
import { Weekday } from '#contracts/values/working-hours.ts'
import { findMembers } from '#modules/accounts/public.ts'
import { findAppointmentIds, findAppointmentsById } from '#modules/appointments/public.ts'
import { findFormsAfter } from '#modules/forms/public.ts'
import type { Services } from '#modules/module.ts'
import { findPatients, findPatientIds, findPatientRecords } from '#modules/patients/public.ts'
import { findPractice } from '#modules/practices/public.ts'
import { findProviders } from '#modules/providers/public.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { findWaitlistNotes } from '#modules/waitlist/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { createArchiveWriter } from './archive.ts'
import * as csv from './csv.ts'
import * as fhir from './fhir.ts'
import { readme } from './readme.ts'
import { recordTables, toLineColumns, toLines, toRecordColumns } from './record-tables.ts'

/** Records that are read with one query. */
const pageSize = 250

/** An event of each read model that is exported: these have to contain everything that was stored before. */
const exportedEvents = [
  'PatientRegistered',
  'AppointmentBooked',
  'PatientAddedToWaitlist',
  'ProviderAdded',
  'PracticeSetUp',
  'MemberJoined',
  'WorkingHoursChanged',
  'ClosureAdded',
  'FormAssigned',
  'InsuranceVerificationRequested',
  'PriorAuthorizationDrafted',
  'CallLogged',
  'ClinicalDocumentDrafted',
  'ReferralCreated',
  'SupplyOrderCreated',
  'StockItemCreated',
  'PatientCommunicationNoted',
]

/** All dates that closures can have. */
const allDates = { from: '0001-01-01', until: '9999-12-31' }

/** The name of a patient who is not known anymore, as screens show it. */
const unknownName = { firstName: 'Erased', lastName: 'patient' }

type Target = { practiceId: PracticeId; exportId: string; fileId: string; signal: AbortSignal }

/** A file of rows, each of them with its columns. */
type Table<Row> = { write(rows: readonly Row[]): Promise<void> }

/**
 * Writes all data of a practice as one archive of CSV and FHIR files, page by page. The patients are read after the records
 * that refer to them, and the providers last, so that every reference resolves although colleagues go on working. Throws
 * ReadModelsBehind, and NonRetryableError for more data than an archive holds.
 */
export async function writeExportFile(
  services: Services,
  { practiceId, exportId, fileId, signal }: Target,
): Promise<{ bytes: number; counts: DataExportCounts }> {
  const { db, keyStore, clock } = services
  await waitForReadModels(services, exportedEvents)
  const practice = await findPractice(db, practiceId)
  if (!practice) throw new Error('There is no such practice')
  const archive = createArchiveWriter(services, { exportId, fileId })
  await archive.addEntry('README.txt').write(readme(practice.name, clock()))
  const counts: DataExportCounts = { patients: 0, appointments: 0, waitlistEntries: 0, providers: 0, members: 0 }
  /** Patients that appointments and waitlist entries refer to, by id: these alone are kept in memory. */
  const missingPatients = new Set<string>()

  async function addTable<Row>(name: string, columns: csv.Columns<Row>): Promise<Table<Row>> {
    const entry = archive.addEntry(`csv/${name}.csv`)
    await entry.write(csv.formatHeader(columns))
    return {
      async write(rows) {
        for (const row of rows) await entry.write(csv.formatRow(columns, row))
      },
    }
  }
  const addResources = (type: string): Table<fhir.Resource> => {
    const entry = archive.addEntry(`fhir/${type}.ndjson`)
    return {
      async write(resources) {
        for (const resource of resources) await entry.write(`${JSON.stringify(resource)}\n`)
      },
    }
  }
  async function forEachPage<Id extends string>(ids: readonly Id[], run: (page: Id[]) => Promise<void>): Promise<void> {
    for (let start = 0; start < ids.length; start += pageSize) {
      signal.throwIfAborted()
      await run(ids.slice(start, start + pageSize))
    }
  }

  async function writeAppointments(): Promise<void> {
    const table = await addTable('appointments', csv.appointmentColumns)
    const waitlistTable = await addTable('waitlist', csv.waitlistColumns)
    const resources = addResources('Appointment')
    // All ids at one moment: an appointment that is moved later is neither skipped nor repeated.
    await forEachPage(await findAppointmentIds(db, practiceId), async (ids) => {
      const page = await findAppointmentsById(services, practice?.timezone ?? 'UTC', practiceId, ids)
      for (const { patientId } of page) missingPatients.add(patientId)
      await table.write(page)
      await resources.write(page.map(fhir.toAppointment))
      counts.appointments += page.length
    })
    const entries = await findWaitlistNotes({ db, keyStore }, practiceId)
    const patients = await findPatients(db, practiceId, [...new Set(entries.map(({ patientId }) => patientId))])
    const names = new Map(patients.map(({ id, firstName, lastName }) => [id, { firstName, lastName }]))
    const waitlist = entries.map((entry) => ({ ...entry, patient: names.get(entry.patientId) ?? unknownName }))
    for (const { patientId } of waitlist) missingPatients.add(patientId)
    await waitlistTable.write(waitlist)
    await resources.write(waitlist.map(fhir.toWaitlistAppointment))
    counts.waitlistEntries = waitlist.length
  }

  async function writeForms(): Promise<void> {
    const table = await addTable('forms', csv.formColumns)
    const answers = await addTable('form_answers', csv.formAnswerColumns)
    const findings = await addTable('form_findings', csv.formFindingColumns)
    const resources = addResources('QuestionnaireResponse')
    for (let after: FormId | null = null; ;) {
      signal.throwIfAborted()
      const page = await findFormsAfter({ db, keyStore }, practiceId, after, pageSize)
      for (const { patientId } of page) missingPatients.add(patientId)
      await table.write(page)
      await answers.write(page.flatMap(csv.listAnswers))
      await findings.write(
        page.flatMap((form) => (form.aiAnalysis?.findings ?? []).map((finding) => ({ form, finding }))),
      )
      await resources.write(page.map(fhir.toQuestionnaireResponse))
      after = page.at(-1)?.id ?? null
      if (page.length < pageSize) return
    }
  }

  async function writeRecords(): Promise<void> {
    const scope = { practiceId, includeSamples: true }
    for (const recordTable of recordTables) {
      const { name, reader, lines } = recordTable
      const table = await addTable(name, toRecordColumns(recordTable))
      const lineTable = lines && (await addTable(lines.name, toLineColumns(lines)))
      let cursor: string | undefined
      do {
        signal.throwIfAborted()
        const { records, next } = await reader.findPage({ db, keyStore }, { scope, limit: pageSize, cursor })
        await table.write(records)
        if (lines && lineTable) await lineTable.write(toLines(lines, records))
        cursor = next ?? undefined
      } while (cursor !== undefined)
    }
  }

  async function writePatients(): Promise<void> {
    const table = await addTable('patients', csv.patientColumns)
    const insurance = await addTable('insurance', csv.insuranceColumns)
    const allergies = await addTable('allergies', csv.allergyColumns)
    const medications = await addTable('medications', csv.medicationColumns)
    const patients = addResources('Patient')
    const parts: [Table<fhir.Resource>, (patient: Patient) => fhir.Resource[]][] = [
      [addResources('Coverage'), fhir.toCoverage],
      [addResources('AllergyIntolerance'), fhir.toAllergies],
      [addResources('MedicationStatement'), fhir.toMedications],
      [addResources('Condition'), fhir.toConditions],
    ]
    await forEachPage(await findPatientIds(db, practiceId), async (ids) => {
      const page = await findPatientRecords(services, practiceId, ids)
      for (const { id } of page) missingPatients.delete(id)
      await table.write(page)
      await insurance.write(
        page.flatMap((patient) => (patient.insuranceInfo ? [{ patient, part: patient.insuranceInfo }] : [])),
      )
      await allergies.write(page.flatMap((patient) => (patient.allergies ?? []).map((part) => ({ patient, part }))))
      await medications.write(page.flatMap((patient) => (patient.medications ?? []).map((part) => ({ patient, part }))))
      await patients.write(page.map(fhir.toPatient))
      for (const [resources, toResources] of parts) await resources.write(page.flatMap(toResources))
      counts.patients += page.length
    })
    // Patients who were removed: their appointments are kept.
    await forEachPage([...missingPatients], async (ids) => {
      const found = await findPatients(db, practiceId, ids)
      const names = new Map(found.map(({ id, firstName, lastName }) => [`${id}`, `${firstName} ${lastName}`]))
      await patients.write(ids.map((id) => fhir.toRemovedPatient(id, practiceId, names.get(id) ?? null)))
    })
  }

  async function writeStaff(): Promise<void> {
    const providers = await findProviders(db, practiceId)
    const pairs = providers.map(fhir.toPractitioner)
    await (await addTable('providers', csv.providerColumns)).write(providers)
    await addResources('Practitioner').write(pairs.map(([practitioner]) => practitioner))
    await addResources('PractitionerRole').write(pairs.map(([, role]) => role))
    counts.providers = providers.length
    const members = await findMembers(db, practiceId)
    await (await addTable('members', csv.memberColumns)).write(members)
    counts.members = members.length
  }

  await writeAppointments()
  await writeForms()
  await writeRecords()
  await writePatients()
  await writeStaff()
  await (await addTable('practice', csv.practiceColumns)).write([practice])
  const { appointmentTypes } = practice.settings
  const types = AppointmentType.options.map((type) => ({ type, ...appointmentTypes[type] }))
  await (await addTable('appointment_types', csv.appointmentTypeColumns)).write(types)
  const { week, closures } = await findWorkCalendar(db, practiceId, allDates)
  const days = week ? Weekday.options.map((weekday) => ({ weekday, hours: week[weekday] })) : []
  await (await addTable('working_hours', csv.workingHoursColumns)).write(days)
  await (await addTable('closures', csv.closureColumns)).write(closures)
  await addResources('Organization').write([fhir.toOrganization(practice)])
  signal.throwIfAborted()
  return { bytes: await archive.finish(clock()), counts }
}
