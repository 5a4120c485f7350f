import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LifeDate } from './values/dates.ts'
import { ImportId, PatientId, PracticeId } from './values/ids.ts'
import { PatientSort } from './values/patient-sort.ts'
import { line, optionalLine, optionalText, text } from './values/text.ts'

/** Administrative gender, as in HL7 FHIR. */
export const Gender = z.enum(['female', 'male', 'other', 'unknown'])
export type Gender = z.infer<typeof Gender>

/** The knowledge about a patient's allergies: not asked yet, none, or the ones listed. */
export const AllergiesStatus = z.enum(['unknown', 'none-known', 'listed'], { error: 'Not a valid value' })
export type AllergiesStatus = z.infer<typeof AllergiesStatus>

const name = (message: string) => line(100).pipe(z.string().min(1, message))
const clearable = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => null), z.null(), schema], { error: (issue) => messageOf(issue) })

/** Returns the message of the last option of a union, which zod hides. */
function messageOf(issue: { code?: string; errors?: { message: string }[][] }): string {
  return issue.errors?.at(-1)?.[0]?.message ?? 'Not a valid value'
}

const Email = z.string().trim().max(254, 'At most 254 characters').pipe(z.email('Please enter a valid email address'))

const EmergencyContact = z.strictObject({
  name: name('Please enter the name of the emergency contact'),
  relationship: optionalLine(100).default(null),
  phone: optionalLine(40).default(null),
})

const InsuranceInfo = z.strictObject({
  provider: name('Please enter the insurance provider'),
  policyNumber: optionalLine(100).default(null),
  groupNumber: optionalLine(100).default(null),
  memberName: optionalLine(100).default(null),
})

const Medication = z.strictObject({
  name: name('Please enter the name of the medication'),
  dosage: optionalLine(100).default(null),
  frequency: optionalLine(100).default(null),
})

/** A composite field of the record. An empty text clears it, like null; the paths of its issues are kept. */
const clearablePart = <T extends z.ZodType>(part: T) =>
  z.preprocess((sent) => (sent === '' ? null : sent), part.nullable()) as z.ZodType<
    z.output<T> | null,
    z.input<T> | null
  >

/** A field of the record: the schema of what is sent, and the schema of what is stored and replied. */
const field = <Input extends z.ZodType, Stored extends z.ZodType>(input: Input, stored: Stored) => ({ input, stored })

/** The fields of a patient's record. `PatientFields`, `NewPatient`, `PatientChange` and `Patient` are derived from them. */
const recordFields = {
  firstName: field(name('First name is required'), z.string()),
  lastName: field(name('Last name is required'), z.string()),
  dateOfBirth: field(clearable(LifeDate), z.string().nullable()),
  gender: field(clearable(z.string().trim().toLowerCase().pipe(Gender)), Gender.nullable()),
  email: field(clearable(Email), z.string().nullable()),
  /** Sent as typed, stored in E.164. The server reads a number without + as one of the practice's country. */
  phone: field(optionalLine(40), z.string().nullable()),
  address: field(optionalText(500), z.string().nullable()),
  emergencyContact: field(clearablePart(EmergencyContact), EmergencyContact.nullable()),
  insuranceInfo: field(clearablePart(InsuranceInfo), InsuranceInfo.nullable()),
  /** One condition per line. */
  medicalHistory: field(optionalText(20_000), z.string().nullable()),
  allergies: field(
    z
      .array(name('Please name the allergy'))
      .max(200)
      .nullable()
      .transform((list) => [...new Set(list)]),
    z.array(z.string()),
  ),
  /** `listed` exactly when `allergies` has entries; a change of the list alone implies it. */
  allergiesStatus: field(
    clearable(AllergiesStatus).transform((status) => status ?? 'unknown'),
    AllergiesStatus,
  ),
  medications: field(
    z
      .array(Medication)
      .max(200)
      .nullable()
      .transform((list) => list ?? []),
    z.array(Medication),
  ),
  notes: field(optionalText(20_000), z.string().nullable()),
  deceasedOn: field(clearable(LifeDate), z.string().nullable()),
}
type RecordFields = typeof recordFields
export type PatientField = keyof RecordFields

/** The names of the fields of a record. */
export const patientFieldNames = Object.keys(recordFields) as readonly PatientField[]

/** Fields that are sent only to callers with `clinical:read` and accepted only from callers with `clinical:write`. */
export const clinicalFields = ['medicalHistory', 'allergies', 'allergiesStatus', 'medications'] as const
type ClinicalField = (typeof clinicalFields)[number]

/** Returns whether a field, also one of a form or a file, is a clinical one. */
export const isClinicalField = (field: string | null): field is ClinicalField =>
  (clinicalFields as readonly (string | null)[]).includes(field)

const mapFields = (toSchema: (field: PatientField) => z.ZodType): object =>
  Object.fromEntries(patientFieldNames.map((field) => [field, toSchema(field)]))

/** All fields of a patient's record, each set or cleared. */
export const PatientFields = z.strictObject(
  mapFields((field) => recordFields[field].input) as {
    [Field in PatientField]: RecordFields[Field]['input']
  },
)
export type PatientFields = z.output<typeof PatientFields>

/** The optional fields of a record, all empty. */
export const emptyPatientFields: Omit<PatientFields, 'firstName' | 'lastName'> = PatientFields.omit({
  firstName: true,
  lastName: true,
}).parse(
  Object.fromEntries(
    patientFieldNames.filter((field) => field !== 'firstName' && field !== 'lastName').map((field) => [field, null]),
  ),
)

export const NewPatient = PatientFields.partial().required({ firstName: true, lastName: true }).extend({
  /** False asks for a refusal when the patient may be registered already; without it no such patient is searched. */
  allowDuplicate: z.boolean().optional(),
})
export type NewPatient = z.output<typeof NewPatient>

/** The changed fields only. `revision` is the revision on which the change is based. */
export const PatientChange = PatientFields.partial().extend({ revision: z.number().int().min(0).optional() })
export type PatientChange = z.output<typeof PatientChange>

/** The fields as they are replied; the clinical ones are missing for callers without `clinical:read`. */
const storedFields = mapFields((field) =>
  isClinicalField(field) ? recordFields[field].stored.optional() : recordFields[field].stored,
) as {
  [Field in PatientField]: Field extends ClinicalField
    ? z.ZodOptional<RecordFields[Field]['stored']>
    : RecordFields[Field]['stored']
}

export const Patient = z.object({
  id: PatientId,
  practiceId: PracticeId,
  ...storedFields,
  /** The phone number in the national format of its country, for example (617) 555-0123. */
  phoneNational: z.string().nullable(),
  /** The import that created this patient, if one did. */
  importId: ImportId.nullable(),
  /** The start of the last completed appointment, an ISO instant; null without one. */
  lastVisit: z.string().nullable(),
  /** True for a patient of the sample practice. */
  sample: z.boolean(),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Patient = z.infer<typeof Patient>

/** The reason why two records may belong to the same person. */
export const DuplicateReason = z.enum(['same-name-and-birth-date', 'same-phone', 'same-email'])
export type DuplicateReason = z.infer<typeof DuplicateReason>

/** Sent in the problem `possible-duplicate` as `candidates`. */
export const DuplicateCandidate = Patient.pick({
  id: true,
  firstName: true,
  lastName: true,
  dateOfBirth: true,
  email: true,
  phoneNational: true,
}).extend({ reasons: z.array(DuplicateReason) })
export type DuplicateCandidate = z.infer<typeof DuplicateCandidate>

/** A field that another user changed since the revision that was sent; `changes` of the problem `changed-meanwhile`. */
export const PatientFieldConflict = z.object({
  field: PatientFields.keyof(),
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type PatientFieldConflict = z.infer<typeof PatientFieldConflict>

/**
 * Total in `X-Total-Count`, next page in `Link: <…>; rel="next"`. A page of more than 50 may be shorter than `limit` when
 * records are long; only the link says where the next page starts.
 */
export const listPatients = endpoint({
  method: 'GET',
  path: '/api/patients',
  access: { permission: 'patients:read' },
  query: z.object({
    search: text(200).optional(),
    limit: z.coerce.number().int().min(1, 'From 1 to 500').max(500, 'From 1 to 500').default(50),
    /** Opaque, from the `Link` of the page before. */
    cursor: z.string().max(1_000).optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).optional(),
    sort: PatientSort.optional(),
  }),
  reply: z.array(Patient),
})

export const getPatient = endpoint({
  method: 'GET',
  path: '/api/patients/:patientId',
  access: { permission: 'patients:read' },
  params: z.object({ patientId: PatientId }),
  reply: Patient,
})

/** 409 `possible-duplicate` with `candidates` if `allowDuplicate` is false; 402 `plan-limit`. */
export const addPatient = endpoint({
  method: 'POST',
  path: '/api/patients',
  access: { permission: 'patients:write' },
  body: NewPatient,
  reply: Patient,
  status: 201,
})

/** 409 `changed-meanwhile` with `changes` when `revision` is given and stale. */
export const changePatient = endpoint({
  method: 'PATCH',
  path: '/api/patients/:patientId',
  access: { permission: 'patients:write' },
  params: z.object({ patientId: PatientId }),
  body: PatientChange,
  reply: Patient,
})

export const removePatient = endpoint({
  method: 'DELETE',
  path: '/api/patients/:patientId',
  access: { permission: 'patients:write' },
  params: z.object({ patientId: PatientId }),
  reply: z.null(),
})
