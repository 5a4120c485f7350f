import type { CountryCode } from 'libphonenumber-js'
import type { DateFormat, ImportField, PreviewRow } from '#contracts/patient-import.ts'
import { emptyPatientFields, PatientFields } from '#contracts/patients.ts'
import { readPhone } from '#modules/patients/phone.ts'
import type { CsvRow } from './csv.ts'
import { readDate } from './dates.ts'
import { restorePostalCode } from './postal-codes.ts'
import {
  joinAddress,
  parseEmergencyContact,
  parseGender,
  splitList,
  meansAlive,
  meansNoAllergies,
  splitName,
} from './values.ts'

/** The fields that a row may fill, with the rules of the form. */
const ImportedPatient = PatientFields.partial().required({ firstName: true, lastName: true })

/** The settings for reading the rows of a file. */
export type Reading = {
  /** The field of each column, in the order of the file. */
  columns: readonly (ImportField | null)[]
  dateFormat: DateFormat | null
  /** The practice's local date, YYYY-MM-DD: birth dates after it are invalid. */
  today: string
  /** The country of phone numbers without +. */
  country: CountryCode
  /** Restores leading zeros of US postal codes. */
  restorePostalCodes: boolean
}

/** A parsed row: a patient, or the reasons why it is invalid, which contain no names. */
export type ReadRow = { row: number; patient: PatientFields | null; reasons: string[]; shown: PreviewRow['patient'] }

/** Parses a row by the rules of the form, so that an import never stores what the form refuses. */
export function readRow({ row, cells }: CsvRow, reading: Reading): ReadRow {
  const reasons: string[] = []
  if (cells.slice(reading.columns.length).some((cell) => cell.trim() !== ''))
    reasons.push('The row has more values than the file has columns')
  const values = collectValues(cells, reading.columns)
  const draft = createDraft(values, reading, reasons)
  const result = ImportedPatient.safeParse(draft)
  if (!result.success) {
    const messages = new Set(result.error.issues.map(({ path, message }) => describeIssue(path, message, draft)))
    reasons.push(...messages)
  }
  const patient = result.success && reasons.length === 0 ? { ...emptyPatientFields, ...result.data } : null
  return { row, patient, reasons, shown: createPreview(patient ?? draft, values) }
}

type Values = Map<ImportField, string[]>
type Draft = { firstName: string; lastName: string } & {
  [Field in Exclude<keyof PatientFields, 'firstName' | 'lastName'>]?: unknown
}

/** Returns the values of each field; empty cells are left out. */
function collectValues(cells: readonly string[], columns: readonly (ImportField | null)[]): Values {
  const values: Values = new Map()
  columns.forEach((field, index) => {
    const value = cells[index]?.trim()
    if (field && value) values.set(field, [...(values.get(field) ?? []), value])
  })
  return values
}

function createDraft(values: Values, reading: Reading, reasons: string[]): Draft {
  const one = (field: ImportField) => values.get(field)?.[0] ?? ''
  const full = splitName(one('fullName'))
  const draft: Draft = { firstName: one('firstName') || full.firstName, lastName: one('lastName') || full.lastName }
  const put = (field: Exclude<keyof PatientFields, 'firstName' | 'lastName'>, value: unknown) => {
    if (value !== '' && value !== null) draft[field] = value
  }

  put('dateOfBirth', lifeDate(one('dateOfBirth'), 'Date of birth', reading, reasons))
  put('deceasedOn', lifeDate(deathDate(one('deceasedOn')), 'Date of death', reading, reasons))
  if (draft.dateOfBirth && draft.deceasedOn && String(draft.deceasedOn) < String(draft.dateOfBirth))
    reasons.push('Date of death is before the date of birth')
  put('gender', gender(one('gender'), reasons))
  put('email', one('email'))
  put('phone', phone(one('phone'), reading, reasons))
  const area = { postalCode: one('postalCode'), state: one('state'), country: one('country') }
  const restored = reading.restorePostalCodes ? restorePostalCode(area) : null
  const { postalCode } = restored ?? area
  put('address', joinAddress({ ...area, postalCode, street: values.get('address') ?? [], city: one('city') }))
  if (one('emergencyContact')) draft.emergencyContact = parseEmergencyContact(one('emergencyContact'))
  const insured = [one('insuranceProvider'), one('policyNumber'), one('groupNumber')] as const
  if (insured.some(Boolean))
    draft.insuranceInfo = {
      provider: insured[0],
      policyNumber: insured[1] || null,
      groupNumber: insured[2] || null,
    }
  put('medicalHistory', list(values, 'medicalHistory', /[;|\r\n]/u).join('\n'))
  const allergies = list(values, 'allergies', allergyMarks)
  if (allergies.length > 0) draft.allergies = allergies
  else if (values.get('allergies')?.some((value) => meansNoAllergies(value, allergyMarks)))
    draft.allergiesStatus = 'none-known'
  const medications = list(values, 'medications', /[;|\r\n]/u)
  if (medications.length > 0) draft.medications = medications.map((name) => ({ name }))
  const further = (field: ImportField, label: string, known: unknown) =>
    [...new Set(values.get(field))].filter((value) => value !== known).map((value) => `${label}: ${value}`)
  const notes = [
    ...(values.get('notes') ?? []),
    ...further('otherPhone', 'Other phone', one('phone')),
    ...further('otherEmail', 'Other email', one('email')),
  ]
  put('notes', notes.join('\n'))
  return draft
}

const allergyMarks = /[;|,\r\n]/u

const list = (values: Values, field: ImportField, marks: RegExp) =>
  (values.get(field) ?? []).flatMap((value) => splitList(value, marks))

const deathDate = (value: string) => (meansAlive(value) ? '' : value)

function lifeDate(value: string, label: string, { dateFormat, today }: Reading, reasons: string[]): string | null {
  if (value === '') return null
  const read = readDate(value, dateFormat, { today, isRecent: label === 'Date of death' })
  if (read.kind === 'date') {
    if (read.date <= today) return read.date
    reasons.push(`${label}${quote(value)} is in the future`)
  } else if (read.kind === 'ambiguous') reasons.push(`${label}${quote(value)}: day or month first has to be chosen`)
  else reasons.push(`${label}${quote(value)}: ${read.reason}`)
  return null
}

/** Returns a cell in quotation marks for a reason, if it can name no one: digits, signs, and one short word, such as a month. */
const quote = (value: string): string =>
  value.length <= 30 && /^(?=\P{Nd}*\p{Nd})[\p{Nd}\s.,/+()-]*\p{L}{0,4}[\p{Nd}\s.,/+()-]*$/u.test(value)
    ? ` “${value}”`
    : ''

function gender(value: string, reasons: string[]): string | null {
  if (value === '') return null
  const known = parseGender(value)
  if (known === null) reasons.push(`Gender is none of female, male, other or unknown`)
  return known
}

function phone(value: string, { country }: Reading, reasons: string[]): string | null {
  if (value === '') return null
  const reading = readPhone(value, country)
  if (reading.status !== 'refused') return reading.stored
  reasons.push(`Phone number${quote(value)} is not complete, or not a number alone`)
  return null
}

/** The labels of the fields that a file can fill. */
const labels: { readonly [Field in keyof PatientFields]?: string } = {
  firstName: 'First name',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  email: 'Email',
  phone: 'Phone number',
  address: 'Address',
  emergencyContact: 'Emergency contact',
  insuranceInfo: 'Insurance',
  medicalHistory: 'Medical history',
  allergies: 'Allergies',
  medications: 'Medications',
  notes: 'Notes',
  deceasedOn: 'Date of death',
}

/** Returns the form's message in words that make sense next to a row number. */
function describeIssue(path: readonly PropertyKey[], message: string, draft: Draft): string {
  const field = path[0] as keyof PatientFields
  const label = labels[field] ?? field
  if (message.startsWith('Must ')) return `${label}: ${lowered(message)}`
  if (message.startsWith('At most ') || message.startsWith('Contains ')) return `${label}: ${lowered(message)}`
  if (field === 'email') return 'Email is not complete'
  if (field === 'insuranceInfo') return 'Insurance provider is missing'
  if (draft[field] === '' || field === 'emergencyContact') return `${label} is missing`
  return `${label}: ${lowered(message)}`
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns the values for the preview, invalid ones as the file has them, so that users recognize the row. */
function createPreview(draft: Draft, values: Values): PreviewRow['patient'] {
  const asIs = (field: keyof PatientFields & ImportField) => {
    const value = (draft[field] as string | null | undefined) ?? values.get(field)?.[0] ?? null
    return value === null ? null : value.slice(0, 200)
  }
  return {
    firstName: draft.firstName.slice(0, 200),
    lastName: draft.lastName.slice(0, 200),
    dateOfBirth: asIs('dateOfBirth'),
    gender: asIs('gender'),
    email: asIs('email'),
    phone: asIs('phone'),
    address: asIs('address'),
    deceasedOn: asIs('deceasedOn'),
  }
}
