import { type CommonQueryMethods, type QuerySqlToken, sql } from 'slonik'
import { z } from 'zod'
import {
  DuplicateCandidate,
  DuplicateReason,
  isClinicalField,
  Patient,
  type PatientField,
  patientFieldNames,
} from '#contracts/patients.ts'
import { emailKey, fullNameKey } from './name-keys.ts'
import { formatNationalPhone } from './phone.ts'
import { recordColumns } from './projection.ts'

const Row = Patient.omit({ phoneNational: true })

const selectFields = (fields: readonly PatientField[]) =>
  sql.join(
    fields.map(
      (field) => sql.fragment`p.${sql.identifier([recordColumns[field].column])} as ${sql.identifier([field])}`,
    ),
    sql.fragment`, `,
  )
const allFields = selectFields(patientFieldNames)
const fieldsWithoutClinical = selectFields(patientFieldNames.filter((field) => !isClinicalField(field)))

const columns = (clinical: boolean) => sql.fragment`
  p.id, p.practice_id as "practiceId", ${clinical ? allFields : fieldsWithoutClinical},
  p.import_id as "importId", p.sample, p.revision,
  (select last_appointment from read.patient_appointments v where v.patient_id = p.id) as "lastVisit",
  p.created_at as "createdAt", p.updated_at as "updatedAt"`

/** A query for rows of `read.patients p`, with what follows `from read.patients p`. Clinical fields only on demand. */
export const selectPatients = (clinical: boolean, rest: ReturnType<typeof sql.fragment>): QuerySqlToken<typeof Row> =>
  sql.type(Row)`select ${columns(clinical)} from read.patients p ${rest}`

/** A row as the contract has it, with the phone number as people write it. */
export const toPatient = (row: z.infer<typeof Row>): Patient => ({ ...row, phoneNational: formatPhone(row) })

const formatPhone = ({ phone }: { phone: string | null }) => (phone === null ? null : formatNationalPhone(phone))

/** One patient of a practice; null when there is none, or it is another practice's. */
export async function findPatient(
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
  clinical: boolean,
): Promise<Patient | null> {
  const row = await db.maybeOne(
    selectPatients(clinical, sql.fragment`where p.id = ${patientId} and practice_id = ${practiceId}`),
  )
  return row && toPatient(row)
}

/** What two records are compared by. `phone` is E.164. */
export type DuplicateQuery = {
  firstName: string
  lastName: string
  dateOfBirth: string | null
  email: string | null
  phone: string | null
}

const maxCandidates = 10
const Candidate = DuplicateCandidate.omit({ phoneNational: true }).extend({ phone: z.string().nullable() })

/** Patients of a practice who may be the same person; the likeliest first, at most ten. Nobody is like a sample patient. */
export async function findDuplicates(
  db: CommonQueryMethods,
  practiceId: string,
  identity: DuplicateQuery,
): Promise<DuplicateCandidate[]> {
  const { firstName, lastName, dateOfBirth, email, phone } = identity
  const by = (reason: DuplicateReason, condition: ReturnType<typeof sql.fragment>) => sql.fragment`
    (select id, ${reason} as reason from read.patients where practice_id = ${practiceId} and not sample and ${condition}
     order by id limit ${maxCandidates})`
  // Namesakes of whom neither has a birth date may well be one person: nothing speaks against it.
  const namesakes = sql.fragment`name_key = ${fullNameKey(firstName, lastName)}
    and date_of_birth is not distinct from ${dateOfBirth}::date`
  const ways = [
    by('same-name-and-birth-date', namesakes),
    ...(phone ? [by('same-phone', sql.fragment`phone = ${phone}`)] : []),
    ...(email ? [by('same-email', sql.fragment`email_key = ${emailKey(email)}`)] : []),
  ]
  const rows = await db.any(sql.type(Candidate)`
    select p.id, first_name as "firstName", last_name as "lastName", date_of_birth as "dateOfBirth", email, phone, reasons
    from (
      select id, array_agg(reason order by reason) as reasons
      from (${sql.join(ways, sql.fragment` union all `)}) as ways group by id
    ) as alike
    join read.patients p using (id)
    order by cardinality(reasons) desc, 'same-name-and-birth-date' = any(reasons) desc, sort_key, id
    limit ${maxCandidates}`)
  return rows.map(({ phone: number, ...row }) => ({ ...row, phoneNational: formatPhone({ phone: number }) }))
}

/** Where a practice is: its time zone, and the number from which its country is known. */
export async function findPractice(
  db: CommonQueryMethods,
  practiceId: string,
): Promise<{ timezone: string; phone: string | null } | null> {
  return await db.maybeOne(
    sql.type(z.object({ timezone: z.string(), phone: z.string().nullable() }))`
      select timezone, phone from read.patient_practices where practice_id = ${practiceId}`,
  )
}

/** The names of colleagues by their user ids; who is not known is left out. */
export async function findNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ userId: z.string(), name: z.string() }))`
      select user_id as "userId", name from read.patient_editors where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map(({ userId, name }) => [userId, name]))
}
