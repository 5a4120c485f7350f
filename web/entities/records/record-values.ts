import { formatCents } from '#web/entities/billing/prices.ts'
import type { PickedPatient } from '#web/entities/patients/patient-picker.tsx'
import { findChangedFields, type FormFields } from '#web/forms/three-way-merge.ts'
import { formatDate } from '#web/ui/dates.ts'
import { parseItems, parsePrice, toItemsText, toPriceText } from './order-items.ts'
import type { RecordField, RecordKind, RecordRow } from './record-kind.ts'

/** The values of a form, each a text. A flag is "true" or empty. */
export type RecordValues = Record<string, string>

/** The name of the patient's input. */
export const patientInput = 'patientId'

/** Returns the fields that a form shows. */
export const findFields = (kind: RecordKind, row: RecordRow | null, mayReadClinical: boolean): RecordField[] =>
  kind.fields.filter(({ isClinical, isShown }) => (mayReadClinical || !isClinical) && (isShown?.(row) ?? true))

const readStored = ({ name, of }: RecordField, row: RecordRow): unknown =>
  of === undefined ? row[name] : (row[of] as Record<string, unknown> | null)?.[name]

function toText({ kind, conversion }: RecordField, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (conversion) return conversion.toText(value)
  if (kind === 'flag') return value === true ? 'true' : ''
  if (kind === 'price') return toPriceText(Number(value))
  if (kind === 'items') return toItemsText(value as Parameters<typeof toItemsText>[0])
  if (Array.isArray(value)) return value.join(kind === 'codes' ? ', ' : '\n')
  return String(value)
}

function toContract({ kind, conversion }: RecordField, text: string): unknown {
  if (conversion) return text.trim() === '' ? null : conversion.toStored(text)
  if (kind === 'flag') return text === 'true'
  if (kind === 'number') return text.trim() === '' ? undefined : Number(text)
  if (kind === 'price') return parsePrice(text)
  if (kind === 'items') return parseItems(text)
  if (kind === 'codes' || kind === 'lines')
    return text
      .split(kind === 'codes' ? /[\s,;]+/u : /\n/u)
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return kind === 'date' || kind === 'provider' || kind === 'appointment' ? text || null : text
}

/** Returns the form values of a record; those of an empty form without one. */
export function toRecordValues(fields: readonly RecordField[], row: RecordRow | null): RecordValues {
  const values = fields.map((field) => [
    field.name,
    row ? toText(field, readStored(field, row)) : (field.initial ?? ''),
  ])
  return { [patientInput]: row?.patientId ?? '', ...Object.fromEntries(values) }
}

/** Returns form values in the shape of the contract; the parts of an object together. */
export function toContractFields(fields: readonly RecordField[], values: RecordValues): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const field of fields) {
    const value = toContract(field, values[field.name] ?? '')
    if (field.of === undefined) result[field.name] = value
    else result[field.of] = { ...(result[field.of] as object | undefined), [field.name]: value }
  }
  return result
}

/** Returns the request body of a new record. */
export const toNewRecord = (
  { patient }: RecordKind,
  fields: readonly RecordField[],
  values: RecordValues,
): Record<string, unknown> => ({
  ...(patient === 'none' ? {} : { patientId: values[patientInput] || null }),
  ...toContractFields(fields, values),
})

/** The fields as the form compares and merges them; the inputs of an object's parts are one field. */
export function toFormFields(fields: readonly RecordField[]): FormFields<RecordValues, string> {
  const inputs: Record<string, string[]> = {}
  for (const { name, of = name } of fields) (inputs[of] ??= []).push(name)
  const normalize = (values: RecordValues) =>
    Object.fromEntries(fields.map((field) => [field.name, toContract(field, values[field.name] ?? '')]))
  return { inputs, normalize }
}

/** Returns the fields of an edit that differ from the record it began with. */
export function toRecordChange(
  fields: readonly RecordField[],
  before: RecordValues,
  after: RecordValues,
): Record<string, unknown> {
  const contract = toContractFields(fields, after)
  return Object.fromEntries(
    findChangedFields(toFormFields(fields), before, after).map((field) => [field, contract[field]]),
  )
}

/** Returns the input in which a path of the contract was typed. */
export function toInputName(fields: readonly RecordField[], path: string): string {
  const [first = '', second = ''] = path.split('.')
  const parts = fields.filter(({ of }) => of === first)
  if (parts.length === 0) return first
  return (parts.find(({ name }) => name === second) ?? parts[0])?.name ?? first
}

/** Formats a field of a record as the details show it; null for an empty one. `findProvider` returns the name of a provider. */
export function formatField(
  field: RecordField,
  row: RecordRow,
  findProvider: (id: string) => string | null,
): string | null {
  const text = toText(field, readStored(field, row))
  if (field.kind === 'flag') return text === 'true' ? 'Yes' : 'No'
  if (text === '') return null
  if (field.conversion) return field.conversion.format(readStored(field, row))
  if (field.kind === 'choice') return field.choices?.[text] ?? text
  if (field.kind === 'date') return formatDate(text)
  if (field.kind === 'price') return formatCents(Number(readStored(field, row)))
  if (field.kind === 'provider') return findProvider(text)
  return text
}

/** Returns the labels of the contract's fields. */
export const toFieldLabels = (fields: readonly RecordField[]): Record<string, string> =>
  Object.fromEntries(fields.flatMap(({ name, of, label }) => (of === undefined ? [[name, label]] : [[of, 'Note']])))

/** Returns what the record of a patient proposes for a new record; empty texts where it knows nothing. */
export const toProposals = (fields: readonly RecordField[], patient: PickedPatient | null): RecordValues =>
  Object.fromEntries(
    fields.flatMap(({ name, fromPatient }) =>
      fromPatient ? [[name, patient ? fromPatient(patient) : ''] as const] : [],
    ),
  )
