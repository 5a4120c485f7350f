import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LifeDate } from './values/dates.ts'
import { ImportId, PatientId, PracticeId } from './values/ids.ts'
import { PatientSort } from './values/patient-sort.ts'
import { line, optionalLine, optionalText, text } from './values/text.ts'

/** Administrative gender in the four words of HL7 FHIR. */
export const Gender = z.enum(['female', 'male', 'other', 'unknown'])
export type Gender = z.infer<typeof Gender>

const name = (message: string) => line(100).pipe(z.string().min(1, message))
const clearable = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => null), z.null(), schema], { error: (issue) => messageOf(issue) })

/** A union hides why its last option failed; this brings that message back. */
function messageOf(issue: { code?: string; errors?: { message: string }[][] }): string {
  return issue.errors?.at(-1)?.[0]?.message ?? 'Not a valid value'
}

const Email = z
  .string()
  .trim()
  .max(254, 'Please enter a valid email address')
  .pipe(z.email('Please enter a valid email address'))

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

/** A part of the record with fields of its own; an empty text clears it as null does. Paths below it are kept. */
const clearablePart = <T extends z.ZodType>(part: T) =>
  z.preprocess((sent) => (sent === '' ? null : sent), part.nullable()) as z.ZodType<
    z.output<T> | null,
    z.input<T> | null
  >

/** Fields that only those with `clinical:read` receive and only those with `clinical:write` may send. */
export const clinicalFields = ['medicalHistory', 'allergies', 'medications'] as const

const fields = {
  firstName: name('First name is required'),
  lastName: name('Last name is required'),
  dateOfBirth: clearable(LifeDate),
  gender: clearable(z.string().trim().toLowerCase().pipe(Gender)),
  email: clearable(Email),
  /** As typed; the server reads it as a number of the practice's country or with +, and stores E.164. */
  phone: optionalLine(40),
  address: optionalText(500),
  emergencyContact: clearablePart(EmergencyContact),
  insuranceInfo: clearablePart(InsuranceInfo),
  /** One condition a line. */
  medicalHistory: optionalText(20_000),
  allergies: z
    .array(name('Please name the allergy'))
    .max(200)
    .nullable()
    .transform((list) => [...new Set(list)]),
  medications: z
    .array(Medication)
    .max(200)
    .nullable()
    .transform((list) => list ?? []),
  notes: optionalText(20_000),
  deceasedOn: clearable(LifeDate),
}

/** Everything a patient's record can hold, each field set or cleared. */
export const PatientFields = z.strictObject(fields)
export type PatientFields = z.output<typeof PatientFields>
export type PatientField = keyof PatientFields

export const NewPatient = PatientFields.partial()
  .required({ firstName: true, lastName: true })
  .extend({ allowDuplicate: z.boolean().default(false) })
export type NewPatient = z.output<typeof NewPatient>

/** Only what changes; `revision` is the one the change was made on. */
export const PatientChange = PatientFields.partial().extend({ revision: z.number().int().min(0).optional() })
export type PatientChange = z.output<typeof PatientChange>

export const Patient = z.object({
  id: PatientId,
  practiceId: PracticeId,
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: z.string().nullable(),
  gender: Gender.nullable(),
  email: z.string().nullable(),
  /** E.164, for example +16175550123. */
  phone: z.string().nullable(),
  /** As people of its country write it, for example (617) 555-0123. */
  phoneNational: z.string().nullable(),
  address: z.string().nullable(),
  emergencyContact: EmergencyContact.nullable(),
  insuranceInfo: InsuranceInfo.nullable(),
  medicalHistory: z.string().nullable().optional(),
  allergies: z.array(z.string()).optional(),
  medications: z.array(Medication).optional(),
  notes: z.string().nullable(),
  deceasedOn: z.string().nullable(),
  /** The import that brought this patient, if one did. */
  importId: ImportId.nullable(),
  /** When the last completed appointment began, an ISO instant; null where there is none. */
  lastVisit: z.string().nullable(),
  /** Whether the patient belongs to the sample practice. */
  sample: z.boolean(),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Patient = z.infer<typeof Patient>

/** Why two records may be one person. */
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

/** Sent in the problem `changed-meanwhile` as `changes`: what others changed since the revision that was sent. */
export const PatientFieldConflict = z.object({
  field: PatientFields.keyof(),
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type PatientFieldConflict = z.infer<typeof PatientFieldConflict>

/**
 * Total in `X-Total-Count`, next page in `Link: <…>; rel="next"`. A page of more than fifty may end sooner where the records
 * are long; only the link says where it goes on.
 */
export const listPatients = endpoint({
  method: 'GET',
  path: '/api/patients',
  access: { permission: 'patients:read' },
  query: z.strictObject({
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

/** 409 `possible-duplicate` with `candidates` unless `allowDuplicate`. */
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
