import { emptyPatientFields, type PatientField, type PatientFields } from '#contracts/patients.ts'
import { extractPhoneDigits } from '#contracts/values/phone.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { patientTotalColumns, patientTotalFolds, type PatientTotalRow } from './patient-totals.ts'
import { type ColumnType, defineProjection, mapEvents } from '#projections/projection.ts'
import { changedFields, isErased, readRegistered } from './decider.ts'
import { patientDetailEvents, type PatientEvent } from './events.ts'
import { foldAppointment, noCompletedAppointments, type CompletedColumns } from './completed-appointments.ts'
import { emailKey, fullNameKey, searchWords, sortKey, splitWords } from './name-keys.ts'

/** The column of each field of the record. The row type, the table, the folds and the queries are derived from this map. */
export const recordColumns = {
  firstName: { column: 'first_name', type: 'text' },
  lastName: { column: 'last_name', type: 'text' },
  dateOfBirth: { column: 'date_of_birth', type: 'date' },
  gender: { column: 'gender', type: 'text' },
  email: { column: 'email', type: 'text' },
  phone: { column: 'phone', type: 'text' },
  address: { column: 'address', type: 'text' },
  emergencyContact: { column: 'emergency_contact', type: 'jsonb' },
  insuranceInfo: { column: 'insurance_info', type: 'jsonb' },
  medicalHistory: { column: 'medical_history', type: 'text' },
  allergies: { column: 'allergies', type: 'text[]' },
  allergiesStatus: { column: 'allergies_status', type: 'text' },
  medications: { column: 'medications', type: 'jsonb' },
  notes: { column: 'notes', type: 'text' },
  deceasedOn: { column: 'deceased_on', type: 'date' },
} as const satisfies { readonly [Field in PatientField]: { column: string; type: ColumnType } }

/** The fields that are stored encrypted with the patient's data key: they are never searched. */
export const sealedFields = [
  'emergencyContact',
  'insuranceInfo',
  'medicalHistory',
  'allergies',
  'allergiesStatus',
  'medications',
  'notes',
] as const satisfies readonly PatientField[]

/** The encrypted fields that are null in a row while they are as in a new record: most are, and need not be decrypted then. */
export const omittedFields = ['allergies', 'allergiesStatus', 'medications'] as const satisfies readonly PatientField[]
type OmittedField = (typeof omittedFields)[number]

const isOmitted = (field: PatientField, value: unknown): boolean =>
  omittedFields.some((each) => each === field && JSON.stringify(value) === JSON.stringify(emptyPatientFields[each]))

type RecordColumns = typeof recordColumns
type RecordRow = {
  [Field in PatientField as RecordColumns[Field]['column']]:
    | PatientFields[Field]
    | (Field extends OmittedField ? null : never)
}

const recordColumnTypes = Object.fromEntries(
  Object.values(recordColumns).map(({ column, type }) => [column, type]),
) as { [Field in PatientField as RecordColumns[Field]['column']]: RecordColumns[Field]['type'] }

type PatientRow = RecordRow &
  CompletedColumns & {
    id: string
    practice_id: string
    import_id: string | null
    sample: boolean
    /** The revision of the patient's stream. */
    revision: number
    created_at: string
    updated_at: string
    /** The sort key of the list. */
    sort_key: string
    /** Equal for namesakes. */
    name_key: string
    email_key: string | null
    phone_digits: string | null
    words: readonly string[]
  }

type Of<Type> = Extract<PatientEvent, { type: Type }>
const applyChange = (row: PatientRow | null, event: Recorded<PatientEvent>): PatientRow | null =>
  row && withChanges(row, event, changedFields(event))
const applyAppointment = (row: PatientRow | null, event: Recorded<AppointmentEvent>): PatientRow | null =>
  row && { ...row, ...foldAppointment(row, event) }

/** Replaces a missing birth date, so that such patients come last in either direction. */
export const noBirthDate = { first: '0001-01-01', last: '9999-12-31' } as const

/**
 * One row per patient. Searched through `words` (an exact index of words, see name-keys.ts) and, for parts of e-mail
 * addresses and phone numbers, through their trigrams. The pending lists of these indexes are limited to 256 kB: every
 * search scans them, and an import is four times as fast with them.
 */
export const patientsProjection = defineProjection<PatientEvent | AppointmentEvent, PatientRow>({
  name: 'patients',
  version: 6,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    ...recordColumnTypes,
    import_id: 'uuid',
    sample: 'bool',
    revision: 'int8',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    sort_key: 'text',
    name_key: 'text',
    email_key: 'text',
    phone_digits: 'text',
    words: 'text[]',
    completed_appointments: 'jsonb',
    last_visit: 'timestamptz',
  },
  key: 'id',
  sealed: { subject: 'id', columns: sealedFields.map((field) => recordColumns[field].column) },
  indexes: [
    '(practice_id, sort_key, id)',
    '(practice_id, updated_at, id)',
    '(practice_id, coalesce(last_visit, updated_at), id)',
    `(practice_id, coalesce(date_of_birth, date '${noBirthDate.last}'), id)`,
    `(practice_id, coalesce(date_of_birth, date '${noBirthDate.first}'), id)`,
    '(practice_id, name_key)',
    '(practice_id, phone)',
    '(practice_id, email_key)',
    '(import_id) where import_id is not null',
    'using gin (practice_id, words) with (gin_pending_list_limit = 256)',
    'using gin (practice_id, email_key gin_trgm_ops) with (gin_pending_list_limit = 256)',
    'using gin (practice_id, phone_digits gin_trgm_ops) with (gin_pending_list_limit = 256)',
  ],
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRegistered: (_, event) => (isErased(event) ? null : createRow(event)),
    PatientDemographicsCorrected: applyChange,
    PatientContactChanged: applyChange,
    ...mapEvents(patientDetailEvents, applyChange),
    PatientDeathRecorded: applyChange,
    PatientDeathCorrected: applyChange,
    PatientRemoved: () => null,
    SamplePatientKept: (row, event) => {
      const next = applyChange(row, event)
      return next && { ...next, sample: false }
    },
    AppointmentCompleted: applyAppointment,
    AppointmentRescheduled: applyAppointment,
    AppointmentStatusChanged: applyAppointment,
    AppointmentCancelled: applyAppointment,
    AppointmentRemoved: applyAppointment,
    AppointmentBooked: 'ignore',
    AppointmentDetailsChanged: 'ignore',
    AppointmentRemovedFromDayList: 'ignore',
    SampleAppointmentKept: 'ignore',
  },
})

function createRow(event: Recorded<Of<'PatientRegistered'>>): PatientRow {
  const { data, metadata, revision } = event
  const { patientId, practiceId, importId } = data
  const record = toColumns(readRegistered(event))
  return {
    ...record,
    id: patientId,
    practice_id: practiceId,
    import_id: importId,
    sample: metadata.sample,
    revision: Number(revision),
    created_at: metadata.at,
    updated_at: metadata.at,
    sort_key: sortKey(record.first_name, record.last_name),
    name_key: fullNameKey(record.first_name, record.last_name),
    email_key: record.email === null ? null : emailKey(record.email),
    phone_digits: record.phone === null ? null : extractPhoneDigits(record.phone),
    words: searchWords(record.first_name, record.last_name, record.email),
    ...noCompletedAppointments,
  }
}

/** Renames fields to their columns. Returns only the columns of the fields given. */
function toColumns(fields: PatientFields): RecordRow
function toColumns(fields: Partial<PatientFields>): Partial<RecordRow>
function toColumns(fields: Partial<PatientFields>): Partial<RecordRow> {
  const columns = (Object.keys(recordColumns) as PatientField[]).flatMap((field) =>
    fields[field] === undefined
      ? []
      : [[recordColumns[field].column, isOmitted(field, fields[field]) ? null : fields[field]] as const],
  )
  return Object.fromEntries(columns)
}

/** Applies changed fields to a row. The keys for search and order are only computed again when their sources changed. */
function withChanges(row: PatientRow, { revision, metadata }: Recorded, to: Partial<PatientFields>): PatientRow {
  const next: PatientRow = { ...row, ...toColumns(to), revision: Number(revision), updated_at: metadata.at }
  const { first_name: firstName, last_name: lastName, email, phone } = next
  const isRenamed = firstName !== row.first_name || lastName !== row.last_name
  if (isRenamed) {
    next.sort_key = sortKey(firstName, lastName)
    next.name_key = fullNameKey(firstName, lastName)
  }
  if (email !== row.email) next.email_key = email === null ? null : emailKey(email)
  if (phone !== row.phone) next.phone_digits = phone === null ? null : extractPhoneDigits(phone)
  if (isRenamed || email !== row.email) next.words = searchWords(firstName, lastName, email)
  return next
}

type RemovedPatientRow = { id: string; practice_id: string; first_name: string | null; last_name: string | null }

/** The names of removed patients: their past appointments and all else that was recorded about them still name them. */
export const removedPatientsProjection = defineProjection<PatientEvent, RemovedPatientRow>({
  name: 'removed_patients',
  version: 1,
  columns: { id: 'uuid', practice_id: 'uuid', first_name: 'text', last_name: 'text' },
  key: 'id',
  rowOf: ({ data }) => data.patientId,
  on: {
    PatientRemoved: (_, { data, metadata }) => ({
      id: data.patientId,
      practice_id: metadata.practiceId ?? '',
      first_name: data.firstName,
      last_name: data.lastName,
    }),
    PatientRegistered: 'ignore',
    PatientDemographicsCorrected: 'ignore',
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    PatientDeathRecorded: 'ignore',
    PatientDeathCorrected: 'ignore',
    SamplePatientKept: 'ignore',
  },
})

type WordRow = { key: string; practice_id: string; word: string; initial: string; rest: string; patients: number }
/** The names are null for an erased patient: their words can no longer be determined. */
type Named = { firstName?: string | null | undefined; lastName?: string | null | undefined }

/**
 * Returns the words of the first and of the last name. A word in both counts twice, so that each can be removed separately.
 */
const wordsIn = ({ firstName, lastName }: Named) => [...splitWords(firstName ?? ''), ...splitWords(lastName ?? '')]

const timesIn = (name: Named, word: string) => wordsIn(name).filter((each) => each === word).length

function updateCount(row: WordRow | null, event: Recorded, key: string, before: Named, now: Named): WordRow | null {
  const practiceId = event.metadata.practiceId ?? ''
  const word = key.slice(practiceId.length + 1)
  const patients = (row?.patients ?? 0) + timesIn(now, word) - timesIn(before, word)
  const [initial = '', ...rest] = word
  return patients > 0 ? { key, practice_id: practiceId, word, initial, rest: rest.join(''), patients } : null
}

/**
 * The distinct words of the names of a practice's patients with their frequency: the small table in which the neighbors
 * of a misspelled name are found. Neighbors are searched among words with the same first letter, a tenth of the work; a
 * wrong first letter is found by the rest of the word.
 */
export const patientWordsProjection = defineProjection<PatientEvent, WordRow>({
  name: 'patient_words',
  version: 4,
  columns: { key: 'text', practice_id: 'uuid', word: 'text', initial: 'text', rest: 'text', patients: 'int4' },
  key: 'key',
  indexes: [
    // Without the count, so that one more patient with a known name changes none of these indexes.
    '(practice_id, word)',
    '(practice_id, rest)',
    'using gist (practice_id, initial, word gist_trgm_ops (siglen = 64))',
  ],
  rowOf({ data, metadata, type }) {
    const names = type === 'PatientDemographicsCorrected' ? [data.from, data.to] : [data as Named]
    return names.flatMap(wordsIn).map((word) => `${metadata.practiceId ?? ''}:${word}`)
  },
  on: {
    PatientRegistered: (row, event, key) => updateCount(row, event, key, {}, event.data),
    PatientDemographicsCorrected: (row, event, key) => updateCount(row, event, key, event.data.from, event.data.to),
    PatientRemoved: (row, event, key) => updateCount(row, event, key, event.data, {}),
    PatientContactChanged: 'ignore',
    ...mapEvents(patientDetailEvents, 'ignore'),
    PatientDeathRecorded: 'ignore',
    PatientDeathCorrected: 'ignore',
    SamplePatientKept: 'ignore',
  },
})

/** The number of patients per practice, so that the total of a list costs nothing. */
export const patientCountsProjection = defineProjection<PatientEvent, PatientTotalRow>({
  name: 'patient_counts',
  version: 2,
  isMetadataOnly: true,
  columns: patientTotalColumns,
  key: 'practice_id',
  rowOf: ({ metadata }) => metadata.practiceId,
  on: patientTotalFolds,
})
