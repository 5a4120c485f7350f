import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { SyringeRegular } from '@fluentui/react-icons/svg/syringe'
import * as contract from '#contracts/medication-administrations.ts'
import type { AdministrationKind, AdministrationRoute } from '#contracts/values/medication-administrations.ts'
import { administrationsKey } from '#web/entities/clinical/appointment-records.ts'
import { toMomentField } from '#web/entities/records/moment-field.ts'
import { getStatus, type RecordKind, type RecordRow } from '#web/entities/records/record-kind.ts'

const kindLabels: Record<AdministrationKind, string> = { medication: 'Medication', vaccine: 'Vaccine' }

const routeLabels: Record<AdministrationRoute, string> = {
  oral: 'By mouth',
  intramuscular: 'Into a muscle',
  subcutaneous: 'Under the skin',
  intradermal: 'Into the skin',
  intravenous: 'Into a vein',
  inhaled: 'Inhaled',
  nasal: 'Into the nose',
  topical: 'On the skin',
  rectal: 'Rectal',
  eye: 'Into the eye',
  ear: 'Into the ear',
  other: 'Another way',
}

/** Narrows a row of the list. */
export const toAdministration = (row: RecordRow) => row as unknown as contract.MedicationAdministration

/** Returns the words and the inputs of medications and vaccines that were given, in the time zone (IANA) of a practice. */
export function createAdministrationsKind(zone: string): RecordKind {
  const kind: RecordKind = {
    key: administrationsKey,
    title: 'Medications Given',
    singular: 'administration',
    plural: 'administrations',
    add: 'Record Medication',
    icon: SyringeRegular,
    emptyHint: 'Record a medication or a vaccine that was given, with its lot. A recall finds who received it.',
    searchHint: 'Search by patient or lot number...',
    endpoints: {
      list: contract.listMedicationAdministrations,
      exportCsv: contract.exportMedicationAdministrations,
      get: contract.getMedicationAdministration,
      add: contract.recordMedicationAdministration,
      change: contract.changeMedicationAdministration,
    },
    schemas: { add: contract.NewMedicationAdministration, change: contract.MedicationAdministrationChange },
    patient: 'required',
    permissions: { read: 'clinical:read', write: 'clinical:write' },
    statusField: 'administrationStatus',
    statuses: {
      given: { label: 'Given', badge: 'completed' },
      'entered-in-error': { label: 'Entered in error', badge: 'cancelled' },
    },
    filters: [{ name: 'kind', label: 'Kind', choices: kindLabels }],
    fields: [
      { name: 'kind', label: 'Kind', kind: 'choice', choices: kindLabels, initial: 'medication' },
      { name: 'medication', label: 'Medication', kind: 'line', required: true, maxLength: 200 },
      { name: 'dose', label: 'Dose', kind: 'line', required: true, maxLength: 50, hint: 'For example: 0.5 mL' },
      { name: 'route', label: 'Route', kind: 'choice', choices: routeLabels, initial: 'oral' },
      { name: 'site', label: 'Site', kind: 'line', maxLength: 100, hint: 'For example: left deltoid' },
      { name: 'manufacturer', label: 'Manufacturer', kind: 'line', maxLength: 100 },
      { name: 'lotNumber', label: 'Lot number', kind: 'line', maxLength: 50, hint: 'Required for vaccines' },
      { name: 'expiresOn', label: 'Lot expires on', kind: 'date' },
      toMomentField('administeredAt', 'Given at', zone),
      { name: 'orderedBy', label: 'Ordered by', kind: 'provider' },
      { name: 'despiteAllergy', label: 'Given although the record names an allergy to it', kind: 'flag' },
      { name: 'appointmentId', label: 'Appointment', kind: 'appointment' },
      { name: 'reaction', label: 'Reaction', kind: 'text', maxLength: 500 },
      { name: 'notes', label: 'Notes', kind: 'text', maxLength: 500 },
    ],
    moves: [
      {
        status: 'entered-in-error',
        from: ['given'],
        label: 'Mark as entered in error',
        icon: DismissCircleRegular,
        danger: true,
      },
      { status: 'given', from: ['entered-in-error'], label: 'Record again', icon: ArrowUndoRegular },
    ],
    describe(row) {
      const { medication, dose } = toAdministration(row)
      return `${medication}, ${dose}`
    },
    detail: (row, { formatInstant }) => formatInstant(toAdministration(row).administeredAt),
    columns: [
      { id: 'lot', header: 'Lot', renderCell: (row) => toAdministration(row).lotNumber ?? '-' },
      { id: 'reaction', header: 'Reaction', renderCell: (row) => toAdministration(row).reaction ?? '-' },
    ],
    isEditable: (row) => getStatus(kind, row) === 'given',
  }
  return kind
}
