import { type CommonQueryMethods, type QuerySqlToken, sql } from 'slonik'
import { z } from 'zod'
import {
  DuplicateCandidate,
  DuplicateReason,
  emptyPatientFields,
  isClinicalField,
  Patient,
  type PatientField,
  patientFieldNames,
} from '#contracts/patients.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Services } from '#modules/module.ts'
import { openFields } from '#projections/sealed-columns.ts'
import { emailKey, fullNameKey } from './name-keys.ts'
import { formatNationalPhone } from './phone.ts'
import { omittedFields, recordColumns, sealedFields } from './projection.ts'

type Fragment = ReturnType<typeof sql.fragment>

const sealed = z.string().nullable().optional()
/** A row as it is stored, with encrypted values in `sealedFields`. */
const Row = Patient.omit({ phoneNational: true }).extend({
  emergencyContact: sealed,
  insuranceInfo: sealed,
  medicalHistory: sealed,
  allergies: sealed,
  allergiesStatus: sealed,
  medications: sealed,
  notes: sealed,
} satisfies Record<(typeof sealedFields)[number], z.ZodType>)
const sealedColumns = Object.fromEntries(sealedFields.map((field) => [field, recordColumns[field].column]))

const selectFields = (fields: readonly PatientField[]) =>
  sql.join(
    fields.map(
      (field) => sql.fragment`p.${sql.identifier([recordColumns[field].column])} as ${sql.identifier([field])}`,
    ),
    sql.fragment`, `,
  )
const allFields = selectFields(patientFieldNames)
const fieldsWithoutClinical = selectFields(patientFieldNames.filter((field) => !isClinicalField(field)))

const selectColumns = (fields: typeof allFields) => sql.fragment`
  p.id, p.practice_id as "practiceId", ${fields},
  p.import_id as "importId", p.sample, p.revision,
  p.last_visit as "lastVisit",
  p.created_at as "createdAt", p.updated_at as "updatedAt"`
const allColumns = selectColumns(allFields)
const columnsWithoutClinical = selectColumns(fieldsWithoutClinical)
const columns = (clinical: boolean) => (clinical ? allColumns : columnsWithoutClinical)

/**
 * Returns a query for rows of `read.patients p`, with the clauses after `from read.patients p`. Clinical fields only on
 * request.
 */
export const selectPatients = (clinical: boolean, rest: Fragment): QuerySqlToken<typeof Row> =>
  prepared(sql.type(Row)`select ${columns(clinical)} from read.patients p ${rest}`)

/** Identifies what is stored as a row of `read.patients p`: an update writes another row in its place. */
export const storedVersion = sql.fragment`concat(p.xmin, p.ctid)`

/**
 * A row with its place in a list: the sort keys, and how many rows the list has; null where they are not counted. `version` changes
 * with the row and its place.
 */
const PlacedRow = Row.extend({
  at: z.union([z.string(), z.number()]),
  name: z.string(),
  total: z.number().nullable(),
  version: z.string(),
})
export type PlacedRow = z.infer<typeof PlacedRow>

/**
 * Returns a query for rows with their places. `place` are the columns `at`, `name`, `total` and `version`, `source` the clauses from `from` on,
 * `common` those before `select`.
 */
export const selectPlacedPatients = (
  clinical: boolean,
  { common = sql.fragment``, place, source }: Record<'place' | 'source', Fragment> & { common?: Fragment },
): QuerySqlToken<typeof PlacedRow> => sql.type(PlacedRow)`${common} select ${columns(clinical)}, ${place} ${source}`

/** Returns rows in the shape of the contract: decrypted, with the phone numbers in national format. */
export async function toPatients(
  keyStore: Pick<KeyStore, 'getMany'>,
  rows: readonly z.infer<typeof Row>[],
): Promise<Patient[]> {
  const opened = await openFields(keyStore, rows, sealedColumns, ({ id }) => ({ key: id, subject: id }))
  return opened.map((row, index) => {
    for (const field of omittedFields) if (row[field] === null) row[field] = emptyPatientFields[field]
    return { ...row, phoneNational: formatPhone(rows[index] ?? { phone: null }) } as Patient
  })
}

const formatPhone = ({ phone }: { phone: string | null }) => (phone === null ? null : formatNationalPhone(phone))

/** Finds patients of any practice by their ids; null where there is none. */
const findRows = (clinical: boolean) =>
  groupQueries(async (db, patientIds: readonly string[]) => {
    const rows = await db.any(selectPatients(clinical, sql.fragment`where p.id = any(${listOf(patientIds, 'uuid')})`))
    const byId = new Map<string, z.infer<typeof Row>>(rows.map((row) => [row.id, row]))
    return patientIds.map((patientId) => byId.get(patientId) ?? null)
  })
const [findRow, findRowWithoutClinical] = [findRows(true), findRows(false)]

/** A patient of any practice as it is stored, read before it is known who asks for it. */
export type PatientAhead = Promise<z.infer<typeof Row> | null>

/** Reads a patient for `findPatient`. */
export const readPatientAhead = ({ db }: Pick<Services, 'db'>, patientId: string): PatientAhead =>
  findRow(db, patientId)

/** Returns a patient; null when there is none, or it belongs to another practice. */
export async function findPatient(
  { db, keyStore }: Pick<Services, 'db' | 'keyStore'>,
  practiceId: string,
  patientId: string,
  clinical: boolean,
  ahead?: PatientAhead,
): Promise<Patient | null> {
  const row = await (clinical ? (ahead ?? findRow(db, patientId)) : findRowWithoutClinical(db, patientId))
  return row?.practiceId === practiceId ? ((await toPatients(keyStore, [row]))[0] ?? null) : null
}

/** The fields by which two records are compared. `phone` is E.164. */
export type DuplicateQuery = {
  firstName: string
  lastName: string
  dateOfBirth: string | null
  email: string | null
  phone: string | null
}

const maxCandidates = 10
const Candidate = DuplicateCandidate.omit({ phoneNational: true }).extend({ phone: z.string().nullable() })

/**
 * Returns up to ten patients of a practice who may be the same person, most likely first. Sample patients never are.
 */
export async function findDuplicates(
  db: CommonQueryMethods,
  practiceId: string,
  identity: DuplicateQuery,
): Promise<DuplicateCandidate[]> {
  const { firstName, lastName, dateOfBirth, email, phone } = identity
  const by = (reason: DuplicateReason, condition: ReturnType<typeof sql.fragment>) => sql.fragment`
    (select id, ${reason} as reason from read.patients where practice_id = ${practiceId} and not sample and ${condition}
     order by id limit ${maxCandidates})`
  // Namesakes of whom neither has a birth date may be one person.
  const namesakes = sql.fragment`name_key = ${fullNameKey(firstName, lastName)}
    and date_of_birth is not distinct from ${dateOfBirth}::date`
  const ways = [
    by('same-name-and-birth-date', namesakes),
    ...(phone ? [by('same-phone', sql.fragment`phone = ${phone}`)] : []),
    ...(email ? [by('same-email', sql.fragment`email_key = ${emailKey(email)}`)] : []),
  ]
  const rows = await db.any(
    prepared(sql.type(Candidate)`
    select p.id, first_name as "firstName", last_name as "lastName", date_of_birth as "dateOfBirth", email, phone, reasons
    from (
      select id, array_agg(reason order by reason) as reasons
      from (${sql.join(ways, sql.fragment` union all `)}) as ways group by id
    ) as alike
    join read.patients p using (id)
    order by cardinality(reasons) desc, 'same-name-and-birth-date' = any(reasons) desc, sort_key, id
    limit ${maxCandidates}`),
  )
  return rows.map(({ phone: number, ...row }) => ({ ...row, phoneNational: formatPhone({ phone: number }) }))
}
