import { ImportField, type ImportPreview, type ImportStatus } from '#contracts/patient-import.ts'

/** What a column can become, as the form of a patient calls it. */
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
}

/** Only for those who may write them. */
export const clinicalTargets: ReadonlySet<ImportField> = new Set(['medicalHistory', 'allergies', 'medications'])

/** Fields that several columns may feed; every other one has one column at most. */
const shared: ReadonlySet<ImportField> = new Set(['address', 'medicalHistory', 'allergies', 'medications', 'notes'])

/** Heading to field; null is left out. */
export type ColumnMapping = Record<string, ImportField | null>

/** A column sent to another field; where that field can have one column only, the other one is left out. */
export function mapColumn(mapping: ColumnMapping, heading: string, field: ImportField | null): ColumnMapping {
  const rest = Object.entries(mapping).map(([other, was]) => [
    other,
    field !== null && was === field && !shared.has(field) ? null : was,
  ])
  return { ...Object.fromEntries(rest), [heading]: field }
}

/** Whether the columns say who somebody is. */
export function hasNames(mapping: ColumnMapping): boolean {
  const fields = new Set(Object.values(mapping))
  return fields.has('fullName') || (fields.has('firstName') && fields.has('lastName'))
}

const months = 'January February March April May June July August September October November December'.split(' ')

/** A date that can be read in two ways, in both: 03/04/1978 is March 4 or April 3. Null where it is no such date. */
export function readAmbiguousDate(
  value: string,
): { monthFirst: string; dayFirst: string; months: [string, string] } | null {
  const [first, second, year] = value.trim().split(/\D+/).map(Number)
  const one = months[(first ?? 0) - 1]
  const other = months[(second ?? 0) - 1]
  if (!one || !other) return null
  const end = year !== undefined && year > 99 ? `, ${year}` : ''
  return { monthFirst: `${one} ${second}${end}`, dayFirst: `${other} ${first}${end}`, months: [one, other] }
}

/** A stored number as it is read: those of North America as they are written there. */
export const formatPhone = (phone: string): string => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

/** A number as it is read. */
export const formatNumber = (n: number): string => n.toLocaleString('en-US')

/** "1 patient", "1,186 patients". */
export const formatPatientCount = (n: number): string => (n === 1 ? '1 patient' : `${formatNumber(n)} patients`)

/** What came of an import, in one line. */
export function summarizeImport({
  state,
  total,
  done,
  created,
  skipped,
  removed,
  kept,
}: Omit<ImportStatus, 'failed' | 'failedWhile' | 'skippedRows'>): string {
  if (state === 'undone') return `${formatPatientCount(removed)} taken back, ${formatNumber(kept)} kept`
  if (state === 'failed')
    return `${formatPatientCount(created)} added, ${formatNumber(done)} of ${formatNumber(total)} rows looked at`
  if (state !== 'done') return `${formatNumber(total)} rows`
  return `${formatPatientCount(created)} added, ${formatNumber(skipped)} duplicates, ${formatNumber(total - created - skipped)} left out`
}

/** What is said before an import when the plan has less room than the file has patients; null when all of them fit. */
export function describePlanShortage(toAdd: number, room: number | null): { title: string; hint: string } | null {
  if (room === null || toAdd <= room) return null
  if (room === 0) return { title: 'Your plan is full', hint: 'None of these patients can be added.' }
  const title = `Your plan has room for ${formatNumber(room)} more ${room === 1 ? 'patient' : 'patients'}`
  const out = toAdd - room
  const hint = `The first ${formatNumber(room)} of the file will be added. ${formatNumber(out)} ${out === 1 ? 'stays' : 'stay'} out, and the report names ${out === 1 ? 'it' : 'them'}.`
  return { title, hint }
}

/** What is said of a row that the plan has no room for. */
export const noRoomLabel = 'No room in your plan'

/** Which of the first rows of a file stay out, by their numbers: in the order of the file, what comes after the room is used up. */
export function findRowsOverLimit(
  { rows, remainingPatients: room }: Pick<ImportPreview, 'rows' | 'remainingPatients'>,
  includeDuplicates: boolean,
): ReadonlySet<number> {
  if (room === null) return new Set()
  const wanted = rows.filter(({ status }) => status === 'new' || (includeDuplicates && status === 'duplicate'))
  return new Set(wanted.slice(room).map(({ row }) => row))
}
