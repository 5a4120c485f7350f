import { authorizations } from '#modules/prior-authorizations/public.ts'
import { callLogs } from '#modules/call-logs/public.ts'
import { documents } from '#modules/clinical-documentation/public.ts'
import { askedConfirmations, askedSurveys, madeOffers } from '#modules/confirmations/public.ts'
import { verifications } from '#modules/insurance/public.ts'
import { communications } from '#modules/patient-communications/public.ts'
import { referrals } from '#modules/referrals/public.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import type { Services } from '#modules/module.ts'
import { stockItems } from '#modules/stock-items/public.ts'
import { orders } from '#modules/supply-orders/public.ts'
import { administrations } from '#modules/medication-administrations/public.ts'
import { vitalSigns } from '#modules/vital-signs/public.ts'
import type { Columns } from './csv.ts'
import { type ExportedMeasurement, type Resource, toObservations } from './fhir.ts'
import { type ExportedAdministration, toAdministration } from './fhir-administrations.ts'

/** A record as its reader returns it. */
export type AnyRecord = Readonly<Record<string, unknown>> & { id: string; patientId: string | null }

type Readers = Pick<Services, 'db' | 'keyStore'>
type Page = { records: readonly AnyRecord[]; next: string | null }

/** The part of a record's reader that an export needs. */
type Reader = {
  /** The fields of the record in the order of its definition. */
  fields: readonly string[]
  findPage(readers: Readers, request: { scope: RecordScope; limit: number; cursor?: string | undefined }): Promise<Page>
}

type RecordTable = {
  name: string
  reader: Reader
  /** The parts of fields that are objects; each has a column of its own. */
  parts?: Readonly<Record<string, readonly string[]>>
  /** A field that is a list of objects, and the table with one row for each of them. */
  lines?: { field: string; name: string; parts: readonly string[] }
  /** The FHIR resources of a record, and their types. */
  resources?: { types: readonly string[]; of: (record: AnyRecord) => readonly Resource[] }
}

/** The tables of the records that practices keep beside patients and appointments. */
export const recordTables: readonly RecordTable[] = [
  { name: 'insurance_verifications', reader: verifications },
  { name: 'prior_authorizations', reader: authorizations },
  { name: 'call_logs', reader: callLogs },
  {
    name: 'clinical_documents',
    reader: documents,
    parts: { soapNote: ['subjective', 'objective', 'assessment', 'plan'] },
  },
  {
    name: 'vital_signs',
    reader: vitalSigns,
    resources: { types: ['Observation'], of: (record) => toObservations(record as unknown as ExportedMeasurement) },
  },
  {
    name: 'medication_administrations',
    reader: administrations,
    resources: {
      types: ['MedicationAdministration', 'Immunization'],
      of: (record) => [toAdministration(record as unknown as ExportedAdministration)],
    },
  },
  { name: 'referrals', reader: referrals },
  {
    name: 'supply_orders',
    reader: orders,
    lines: {
      field: 'orderItems',
      name: 'supply_order_items',
      parts: ['name', 'quantity', 'unitPriceCents', 'receivedQuantity'],
    },
  },
  { name: 'stock_items', reader: stockItems },
  { name: 'patient_communications', reader: communications },
  { name: 'confirmations', reader: askedConfirmations },
  { name: 'slot_offers', reader: madeOffers },
  { name: 'satisfaction', reader: askedSurveys },
]

const toColumnName = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the cell of a value; a list of texts is one cell. */
function toCell(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) ? value.join('; ') : null
}

const partOf = (value: unknown, part: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : null

/** Returns the columns of a table of records. */
export function toRecordColumns({ reader, parts = {}, lines }: RecordTable): Columns<AnyRecord> {
  const columns = reader.fields.flatMap((field): [string, Columns<AnyRecord>[string]][] => {
    if (field === lines?.field) return []
    if (field === 'patientId')
      return [
        ['patient_id', ({ patientId }) => patientId],
        ['patient_first_name', ({ firstName }) => toCell(firstName)],
        ['patient_last_name', ({ lastName }) => toCell(lastName)],
      ]
    const objectParts = parts[field]
    if (!objectParts) return [[toColumnName(field), (record) => toCell(record[field])]]
    return objectParts.map((part) => [
      `${toColumnName(field)}_${toColumnName(part)}`,
      (record) => toCell(partOf(record[field], part)),
    ])
  })
  return Object.fromEntries(columns)
}

/** A line of a record. */
export type RecordLine = { recordId: string; line: unknown }

/** Returns the columns of the lines of a table of records. */
export const toLineColumns = ({ parts }: NonNullable<RecordTable['lines']>): Columns<RecordLine> => ({
  record_id: ({ recordId }) => recordId,
  ...Object.fromEntries(
    parts.map((part): [string, Columns<RecordLine>[string]] => [
      toColumnName(part),
      ({ line }) => toCell(partOf(line, part)),
    ]),
  ),
})

/** Returns the lines of records. */
export const toLines = ({ field }: NonNullable<RecordTable['lines']>, records: readonly AnyRecord[]): RecordLine[] =>
  records.flatMap((record) => {
    const list = record[field]
    return Array.isArray(list) ? list.map((line: unknown) => ({ recordId: record.id, line })) : []
  })
