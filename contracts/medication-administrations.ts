import { z } from 'zod'
import { recordEndpoints, recordMeta, recordPatient, recordRevision } from './records.ts'
import { CalendarDate } from './values/dates.ts'
import { AdministrationId, AppointmentId, PatientId, ProviderId } from './values/ids.ts'
import { AdministrationKind, AdministrationRoute, AdministrationStatus } from './values/medication-administrations.ts'
import { line, optionalLine, optionalText } from './values/text.ts'

/**
 * A medication or a vaccine that was given to a patient at an instant (`administeredAt`, UTC). `expiresOn` is the last day of its lot,
 * YYYY-MM-DD; `orderedBy` the provider who ordered it; `despiteAllergy` that it was given although the record names an allergy to it.
 */
export const MedicationAdministration = z.object({
  id: AdministrationId,
  ...recordPatient,
  kind: AdministrationKind,
  medication: z.string(),
  dose: z.string(),
  route: AdministrationRoute,
  site: z.string().nullable(),
  manufacturer: z.string().nullable(),
  lotNumber: z.string().nullable(),
  expiresOn: z.string().nullable(),
  administeredAt: z.string(),
  appointmentId: AppointmentId.nullable(),
  orderedBy: ProviderId.nullable(),
  despiteAllergy: z.boolean(),
  reaction: z.string().nullable(),
  notes: z.string().nullable(),
  administrationStatus: AdministrationStatus,
  ...recordMeta,
})
export type MedicationAdministration = z.infer<typeof MedicationAdministration>

const fields = {
  kind: AdministrationKind,
  medication: line(200).pipe(z.string().min(1, 'Please enter the medication')),
  dose: line(50).pipe(z.string().min(1, 'Please enter the dose')),
  route: AdministrationRoute,
  site: optionalLine(100),
  manufacturer: optionalLine(100),
  lotNumber: optionalLine(50),
  expiresOn: CalendarDate.nullable(),
  administeredAt: z.iso
    .datetime({ offset: true, error: 'Please enter a date and a time' })
    .transform((text) => new Date(text).toISOString()),
  appointmentId: AppointmentId.nullable(),
  orderedBy: ProviderId.nullable(),
  despiteAllergy: z.boolean(),
  reaction: optionalText(500),
  notes: optionalText(500),
}

export const NewMedicationAdministration = z.strictObject({
  patientId: PatientId,
  ...fields,
  kind: fields.kind.default('medication'),
  site: fields.site.default(null),
  manufacturer: fields.manufacturer.default(null),
  lotNumber: fields.lotNumber.default(null),
  expiresOn: fields.expiresOn.default(null),
  /** Null for now. */
  administeredAt: fields.administeredAt.nullable().default(null),
  appointmentId: fields.appointmentId.default(null),
  orderedBy: fields.orderedBy.default(null),
  despiteAllergy: fields.despiteAllergy.default(false),
  reaction: fields.reaction.default(null),
  notes: fields.notes.default(null),
})

export const MedicationAdministrationChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  administrationStatus: AdministrationStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/medication-administrations',
  id: AdministrationId,
  read: 'clinical:read',
  write: 'clinical:write',
  status: AdministrationStatus,
  filters: { kind: AdministrationKind.optional(), appointmentId: AppointmentId.optional() },
  reply: MedicationAdministration,
  add: NewMedicationAdministration,
  change: MedicationAdministrationChange,
})

/** Lists what was given, the last entered first. `search` matches the patient's name and the lot number, as for a recall. */
export const listMedicationAdministrations = calls.list

/** The records of a filtered list as a CSV file, the last entered first, at most 10,000. */
export const exportMedicationAdministrations = calls.exportCsv

/** An administration with its history, newest first. */
export const getMedicationAdministration = calls.get

/**
 * Records what was given, now or earlier. 422 at `medication` when the record of the patient names an allergy to it and
 * `despiteAllergy` is not set; at `lotNumber` for a vaccine without one; at `expiresOn` when it had expired.
 */
export const recordMedicationAdministration = calls.add

/**
 * Corrects an administration, or marks it as entered in error, or as given again. 409 `entered-in-error` for a correction of one that
 * is marked; 409 `changed-meanwhile` when another user has changed it since `revision`.
 */
export const changeMedicationAdministration = calls.change
