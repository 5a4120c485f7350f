import type { DataExportCounts } from '#contracts/data-exports.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import type { Services } from '#modules/module.ts'
import { findPractice } from '#modules/practices/public.ts'
import { createArchiveWriter } from './archive.ts'
import { createExportFiles, type ExportRun } from './export-run.ts'
import { readme } from './readme.ts'
import { writeAppointments } from './sections/appointments.ts'
import { writeForms } from './sections/forms.ts'
import { writePatients } from './sections/patients.ts'
import { writePractice, writeStaff } from './sections/practice.ts'
import { writeRecords } from './sections/records.ts'

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
  'ConfirmationPlanned',
  'SlotOffered',
  'SurveyPlanned',
]

type Target = { practiceId: PracticeId; exportId: string; fileId: string; signal: AbortSignal }

/**
 * Writes all data of a practice as one archive of CSV and FHIR files, page by page. The patients are read after the records
 * that refer to them, and the providers last, so that every reference resolves although colleagues go on working. Throws
 * ReadModelsBehind, and NonRetryableError for more data than an archive holds.
 */
export async function writeExportFile(
  services: Services,
  { practiceId, exportId, fileId, signal }: Target,
): Promise<{ bytes: number; counts: DataExportCounts }> {
  const { db, clock } = services
  await waitForReadModels(services, exportedEvents)
  const practice = await findPractice(db, practiceId)
  if (!practice) throw new Error('There is no such practice')
  const archive = createArchiveWriter(services, { exportId, fileId })
  await archive.addEntry('README.txt').write(readme(practice.name, clock()))
  const run: ExportRun = {
    services,
    practiceId,
    practice,
    files: createExportFiles(archive),
    counts: { patients: 0, appointments: 0, waitlistEntries: 0, providers: 0, members: 0 },
    missingPatients: new Set(),
    signal,
  }
  await writeAppointments(run)
  await writeForms(run)
  await writeRecords(run)
  await writePatients(run)
  await writeStaff(run)
  await writePractice(run)
  signal.throwIfAborted()
  return { bytes: await archive.finish(clock()), counts: run.counts }
}
