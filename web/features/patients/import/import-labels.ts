import { formatCount, formatNumber } from '#web/ui/format.ts'
import { ImportField, type ImportPreview, type ImportStatus } from '#contracts/patient-import.ts'

/** Labels of the fields that a column can be imported to, as in the patient form. */
export const targetLabels: Record<ImportField, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  city: 'City',
  state: 'State',
  postalCode: 'Postal code',
  country: 'Country',
  emergencyContact: 'Emergency contact',
  insuranceProvider: 'Insurance provider',
  policyNumber: 'Policy number',
  groupNumber: 'Group number',
  medicalHistory: 'Medical history',
  allergies: 'Allergies',
  medications: 'Medications',
  notes: 'Notes',
  deceasedOn: 'Date of death',
  otherPhone: 'Other phone, in the notes',
  otherEmail: 'Other email, in the notes',
}

/** Fields that join several columns; every other field takes one column at most. */
const joinedFields: ReadonlySet<ImportField> = new Set([
  'address',
  'medicalHistory',
  'allergies',
  'medications',
  'notes',
  'otherPhone',
  'otherEmail',
])

/** Field by column heading; null for a column that is not imported. */
export type ColumnMapping = ReadonlyMap<string, ImportField | null>

/** Maps a column to a field; where the field takes one column only, the previous column is no longer imported. */
export function mapColumn(mapping: ColumnMapping, heading: string, field: ImportField | null): ColumnMapping {
  const changed = new Map(mapping)
  for (const [other, current] of mapping)
    if (field !== null && current === field && !joinedFields.has(field)) changed.set(other, null)
  return changed.set(heading, field)
}

/** Returns whether the mapped columns contain the patient's name. */
export function hasNames(mapping: ColumnMapping): boolean {
  const fields = new Set(mapping.values())
  return fields.has('fullName') || (fields.has('firstName') && fields.has('lastName'))
}

const months = 'January February March April May June July August September October November December'.split(' ')

/** Returns both readings of an ambiguous date: 03/04/1978 is March 4 or April 3. Null for any other value. */
export function readAmbiguousDate(
  value: string,
): { monthFirst: string; dayFirst: string; months: [string, string] } | null {
  const [first, second, year] = value.trim().split(/\D+/).map(Number)
  const firstMonth = months[(first ?? 0) - 1]
  const secondMonth = months[(second ?? 0) - 1]
  if (!firstMonth || !secondMonth) return null
  const end = year !== undefined && year > 99 ? `, ${year}` : ''
  return {
    monthFirst: `${firstMonth} ${second}${end}`,
    dayFirst: `${secondMonth} ${first}${end}`,
    months: [firstMonth, secondMonth],
  }
}

/** Formats a stored phone number; North American ones in national format. */
export const formatPhone = (phone: string): string => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

/** Formats a number of patients: "1 patient", "1,186 patients". */
export const formatPatientCount = (n: number): string => formatCount(n, 'patient')

/** Summarizes an import in one line. */
export function summarizeImport({
  state,
  total,
  done,
  created,
  skipped,
  removed,
  kept,
}: Omit<ImportStatus, 'failed' | 'failedWhile' | 'skippedRows' | 'leftOutColumns'>): string {
  if (state === 'undone') return `${formatPatientCount(removed)} removed, ${formatNumber(kept)} kept`
  if (state === 'failed')
    return `${formatPatientCount(created)} added, ${formatNumber(done)} of ${formatCount(total, 'row')} processed`
  if (state !== 'done') return formatCount(total, 'row')
  return `${formatPatientCount(created)} added, ${formatCount(skipped, 'duplicate')}, ${formatNumber(total - created - skipped)} left out`
}

/** Describes that the plan has room for fewer patients than the file contains; null when all of them fit. */
export function describePlanShortage(toAdd: number, room: number | null): { title: string; hint: string } | null {
  if (room === null || toAdd <= room) return null
  if (room === 0) return { title: 'Your plan is full', hint: 'None of these patients can be added.' }
  const title = `Your plan has room for ${formatCount(room, 'more patient')}`
  const out = toAdd - room
  const hint = `The first ${formatNumber(room)} of the file will be added. ${formatNumber(out)} will be left out; the report lists ${out === 1 ? 'it' : 'them'}.`
  return { title, hint }
}

/** Reason shown for a row that exceeds the plan's limit. */
export const noRoomLabel = 'No room in your plan'

/** The answers of the user: add all duplicates too, and the rows that are other people although they look like a patient. */
export type DuplicateAnswers = { includeDuplicates: boolean; addedRows: ReadonlySet<number> }

/** Returns whether a previewed row will be added. */
export const isAdded = (
  { status, row }: Pick<ImportPreview['rows'][number], 'status' | 'row'>,
  { includeDuplicates, addedRows }: DuplicateAnswers,
): boolean =>
  status === 'new' || (includeDuplicates && status !== 'invalid') || (status === 'question' && addedRows.has(row))

/** Returns the number of rows of a file that will be added if the plan has room. */
export const countAdded = (preview: ImportPreview, { includeDuplicates, addedRows }: DuplicateAnswers): number =>
  preview.new + (includeDuplicates ? preview.duplicate + preview.question : addedRows.size)

/** Returns the numbers of the previewed rows that exceed the plan's limit, in the order of the file. */
export function findRowsOverLimit(
  { rows, remainingPatients: room }: Pick<ImportPreview, 'rows' | 'remainingPatients'>,
  answers: DuplicateAnswers,
): ReadonlySet<number> {
  if (room === null) return new Set()
  const importable = rows.filter((row) => isAdded(row, answers))
  return new Set(importable.slice(room).map(({ row }) => row))
}
