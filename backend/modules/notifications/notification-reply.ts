import type { Notification } from '#contracts/notifications.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import type { FormType } from '#contracts/values/forms.ts'
import { AppointmentId, CommunicationId, FormId, ImportId, InsuranceVerificationId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import { findStarts } from '#modules/appointments/public.ts'
import { findAskedAppointments } from '#modules/confirmations/public.ts'
import { findFormTypes } from '#modules/forms/public.ts'
import type { Services } from '#modules/module.ts'
import { findPatients, findImportCounts } from '#modules/patients/public.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import type { StoredNotification } from './queries.ts'
import type { NotificationReader, ReaderView } from './visibility.ts'

/** The names and counts that notifications mention, by id. */
type Records = {
  patients: ReadonlyMap<string, { firstName: string; lastName: string }>
  providers: ReadonlyMap<string, string>
  /** The names of users. */
  users: ReadonlyMap<string, string>
  imports: ReadonlyMap<string, { created: number; skipped: number; failed: number }>
  formTypes: ReadonlyMap<string, FormType>
  /** The appointments of confirmations. */
  asked: ReadonlyMap<string, { appointmentId: AppointmentId; startsAt: string }>
  /** The starts of the appointments for which offered slots were taken, by their ids. */
  taken: ReadonlyMap<string, { startsAt: string }>
}

/** Finds the records that notifications mention; of patients only if the reader may read them. */
async function findRecords(
  db: Services['db'],
  reader: NotificationReader,
  rows: readonly StoredNotification[],
): Promise<Records> {
  const { practiceId } = reader
  const patientIds = hasPermission(reader, 'patients:read') ? rows.flatMap((row) => row.patientId ?? []) : []
  const idsOf = (...kinds: StoredNotification['kind'][]) =>
    rows.flatMap((row) => (kinds.includes(row.kind) ? (row.recordId ?? []) : []))
  const importIds = idsOf('import-finished')
  const userIds = idsOf('member-joined')
  const formIds = idsOf('form-submitted', 'form-urgent')
  const confirmationIds = idsOf('confirmation-declined')
  const takenIds = idsOf('offer-accepted')
  const [patients, imports, providers, users, formTypes, asked, taken] = await Promise.all([
    patientIds.length === 0 ? [] : findPatients(db, practiceId, [...new Set(patientIds)]),
    importIds.length === 0 ? [] : findImportCounts(db, practiceId, importIds),
    rows.every(({ providerId }) => providerId === null) ? [] : findPracticeProviders(db, practiceId),
    userIds.length === 0 ? new Map<string, string>() : findUserNames(db, userIds),
    formIds.length === 0 ? [] : findFormTypes(db, practiceId, formIds),
    confirmationIds.length === 0 ? [] : findAskedAppointments(db, practiceId, confirmationIds),
    findStarts(db, { practiceId, includeSamples: true }, takenIds),
  ])
  return {
    patients: new Map(patients.map(({ id, firstName, lastName }) => [id, { firstName, lastName }])),
    providers: new Map(providers.map(({ id, name }) => [id, name])),
    users,
    imports: new Map(imports.map(({ importId, ...counts }) => [importId, counts])),
    formTypes: new Map(formTypes.map(({ id, formType }) => [id, formType])),
    taken,
    asked: new Map(asked.map(({ id, ...appointment }) => [id, appointment])),
  }
}

const toLocalStart = (instant: string, zone: string) => {
  const { date: localDate, time: localTime } = toLocalDateTime(instant, zone)
  return { localDate, localTime }
}

/** Returns a value that rows of its kind always have. */
function requireValue<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('A notification lacks a value of its kind')
  return value
}

/** Returns notifications in the shape of the contract, with the names that their reader may see. */
export async function toNotifications(
  { db }: Pick<Services, 'db'>,
  reader: NotificationReader,
  { visible: { zone }, candidates }: ReaderView,
  rows: readonly StoredNotification[],
): Promise<Notification[]> {
  const records = await findRecords(db, reader, rows)

  /** Returns what is said about the appointment of a row that has one. */
  const describeAppointment = ({ recordId, patientId, startsAt }: StoredNotification) => ({
    appointmentId: AppointmentId.parse(recordId),
    patient: records.patients.get(patientId ?? '') ?? null,
    ...toLocalStart(requireValue(startsAt), zone),
  })

  const nameOf = ({ patientId }: StoredNotification) => records.patients.get(patientId ?? '') ?? null

  return rows.map((row): Notification => {
    const { id, at, isRead, kind, startsAt, duration, until, amount } = row
    const common = { id, at, isRead }
    const waiting = candidates.get(id)
    if (waiting !== undefined && startsAt !== null)
      return {
        ...common,
        kind: 'slot-freed',
        ...toLocalStart(startsAt, zone),
        duration: requireValue(duration),
        provider: records.providers.get(row.providerId ?? '') ?? null,
        candidates: waiting,
      }
    switch (kind) {
      case 'appointment-cancelled':
      case 'emergency-booked':
        return { ...common, kind, ...describeAppointment(row) }
      case 'appointment-moved':
        return { ...common, kind, ...describeAppointment(row), movedTo: toLocalStart(requireValue(until), zone) }
      case 'confirmation-declined': {
        const { appointmentId, startsAt: askedStart } = requireValue(records.asked.get(row.recordId ?? ''))
        return { ...common, kind, appointmentId, patient: nameOf(row), ...toLocalStart(askedStart, zone) }
      }
      case 'offer-accepted': {
        const { startsAt: start } = requireValue(records.taken.get(row.recordId ?? ''))
        const appointmentId = AppointmentId.parse(row.recordId)
        return { ...common, kind, appointmentId, patient: nameOf(row), ...toLocalStart(start, zone) }
      }
      case 'message-received':
        return { ...common, kind, communicationId: CommunicationId.parse(row.recordId), patient: nameOf(row) }
      case 'form-submitted':
      case 'form-urgent': {
        const formType = requireValue(records.formTypes.get(row.recordId ?? ''))
        return { ...common, kind, formId: FormId.parse(row.recordId), formType, patient: nameOf(row) }
      }
      case 'coverage-denied':
      case 'coverage-expired':
        return { ...common, kind, verificationId: InsuranceVerificationId.parse(row.recordId), patient: nameOf(row) }
      case 'import-finished':
        return {
          ...common,
          kind,
          importId: ImportId.parse(row.recordId),
          ...records.imports.get(row.recordId ?? ''),
        }
      case 'import-failed':
        return { ...common, kind, importId: ImportId.parse(row.recordId) }
      case 'member-joined':
        return { ...common, kind, name: records.users.get(row.recordId ?? '') ?? null }
      case 'payment-failed':
        return { ...common, kind, amount: requireValue(amount) }
      case 'subscription-ending':
        return { ...common, kind, endsAt: requireValue(until) }
      case 'subscription-canceled':
        return { ...common, kind }
    }
  })
}
