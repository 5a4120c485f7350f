import { ArrowUndoRegular } from '@fluentui/react-icons/svg/arrow-undo'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { HeartPulseRegular } from '@fluentui/react-icons/svg/heart-pulse'
import { useQuery } from '@tanstack/react-query'
import { type VitalSign, vitalSigns } from '#contracts/values/vital-signs.ts'
import * as contract from '#contracts/vital-signs.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { toMomentField } from '#web/entities/records/moment-field.ts'
import { getStatus, type RecordField, type RecordKind, type RecordRow } from '#web/entities/records/record-kind.ts'
import { formatValues, vitalSignLabels } from './labels.ts'
import { findUnits, formatValue, getUnit, toShown, toStored, type Units } from './units.ts'

/** The units and the time zone (IANA) of a practice. */
export type VitalSignsPlace = { units: Units; zone: string }

/** The name of the kind in addresses and query keys. */
export const vitalSignsKey = 'vital-signs'

const hints: Partial<Record<VitalSign, string>> = { painScore: '0 for none, 10 for the worst' }

const toField = (name: VitalSign, units: Units): RecordField => ({
  name,
  label: name === 'painScore' ? vitalSignLabels[name] : `${vitalSignLabels[name]} (${getUnit(name, units)})`,
  kind: 'measure',
  maxLength: 8,
  ...(hints[name] ? { hint: hints[name] } : {}),
  conversion: {
    toText: (stored) => String(toShown(name, Number(stored), units)),
    toStored: (text) => toStored(name, text, units),
    format: (stored) => formatValue(name, Number(stored), units),
  },
})

const toValues = (row: RecordRow) => row as unknown as contract.VitalSigns

/** Returns the words, the columns and the inputs of vital signs, in the units and the time zone of a practice. */
export function createVitalSignsKind({ units, zone }: VitalSignsPlace): RecordKind {
  const kind: RecordKind = {
    key: vitalSignsKey,
    title: 'Vital Signs',
    singular: 'measurement',
    plural: 'measurements',
    add: 'Record Vital Signs',
    icon: HeartPulseRegular,
    emptyHint: 'Record what was measured. The chart of the patient shows how it changes.',
    searchHint: 'Search by patient...',
    endpoints: {
      list: contract.listVitalSigns,
      exportCsv: contract.exportVitalSigns,
      get: contract.getVitalSigns,
      add: contract.recordVitalSigns,
      change: contract.changeVitalSigns,
    },
    schemas: { add: contract.NewVitalSigns, change: contract.VitalSignsChange },
    patient: 'required',
    permissions: { read: 'clinical:read', write: 'clinical:write' },
    statusField: 'vitalSignsStatus',
    statuses: {
      recorded: { label: 'Recorded', badge: 'completed' },
      'entered-in-error': { label: 'Entered in error', badge: 'cancelled' },
    },
    filters: [],
    fields: [
      ...vitalSigns.map((name) => toField(name, units)),
      toMomentField('measuredAt', 'Measured', zone),
      { name: 'appointmentId', label: 'Appointment', kind: 'appointment' },
      { name: 'notes', label: 'Notes', kind: 'text', maxLength: 500, hint: 'For example: left arm, seated' },
    ],
    moves: [
      {
        status: 'entered-in-error',
        from: ['recorded'],
        label: 'Mark as entered in error',
        icon: DismissCircleRegular,
        danger: true,
      },
      { status: 'recorded', from: ['entered-in-error'], label: 'Record again', icon: ArrowUndoRegular },
    ],
    describe: (row) => formatValues(toValues(row), units),
    detail: (row, { formatInstant }) => formatInstant(toValues(row).measuredAt),
    columns: [],
    facts: (row) => {
      const { bodyMassIndex } = toValues(row)
      return [['Body mass index', bodyMassIndex === null ? null : `${bodyMassIndex} kg/m²`]]
    },
    isEditable: (row) => getStatus(kind, row) === 'recorded',
  }
  return kind
}

/** Returns the units and the time zone of the practice; null until they are known, and for visitors. */
export function useVitalSignsPlace(): VitalSignsPlace | null {
  const practiceId = useCurrentUser()?.practiceId ?? null
  const { data: practice } = useQuery({ ...practiceQuery(practiceId ?? ''), enabled: practiceId !== null })
  return practice ? { units: findUnits(practice.phone), zone: practice.timezone } : null
}
