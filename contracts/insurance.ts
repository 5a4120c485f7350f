import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDate, LifeDate } from './values/dates.ts'
import { EligibilityOutcome, PolicyCheck } from './values/eligibility.ts'
import { InsuranceVerificationId, PatientId, UserId } from './values/ids.ts'
import { PolicyInRecord, Relationship, VerificationStatus } from './values/insurance.ts'
import { PersonName } from './values/person-name.ts'
import { RecordHistoryEntry } from './values/records.ts'
import { line, optionalLine, optionalText, text } from './values/text.ts'

/**
 * A verification of a patient's insurance. Dates are YYYY-MM-DD; the coverage lasts from `eligibilityDate` to `expiryDate`, both
 * included. `verifiedBy` and `verifiedOn` are the last person who verified or denied it, null for the insurer's own answer, and
 * the day in the practice's time zone.
 */
export const InsuranceVerification = z.object({
  id: InsuranceVerificationId,
  patientId: PatientId,
  patientName: z.string(),
  patient: PersonName,
  insuranceProvider: z.string(),
  policyNumber: z.string(),
  groupNumber: z.string().nullable(),
  memberName: z.string().nullable(),
  memberDateOfBirth: z.string().nullable(),
  relationshipToPatient: Relationship,
  verificationStatus: VerificationStatus,
  notes: z.string().nullable(),
  eligibilityDate: z.string().nullable(),
  expiryDate: z.string().nullable(),
  verifiedBy: z.object({ id: UserId, name: z.string().nullable() }).nullable(),
  verifiedOn: z.string().nullable(),
  /** Rules about form and dates. */
  check: z.object({
    by: PolicyCheck,
    findings: z.array(z.object({ field: z.string(), message: z.string() })),
  }),
  /**
   * The last question to the insurer; null where it was not asked. `outcome` is null until it has answered, and `code` that of
   * X12 (`AAA 75`, `EB 1`) or of the connection (`http-503`).
   */
  eligibility: z
    .object({
      outcome: EligibilityOutcome.nullable(),
      code: z.string().nullable(),
      askedAt: z.string(),
      answeredAt: z.string().nullable(),
      /** True while Everchart will ask again by itself. */
      isRetried: z.boolean(),
    })
    .nullable(),
  /** The insurance in the record of the patient beside this policy; null until both are compared, and for sample data. */
  policyInRecord: PolicyInRecord.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  revision: z.number().int(),
})
export type InsuranceVerification = z.infer<typeof InsuranceVerification>

const access = { permission: 'insurance', feature: 'insurance-verification' } as const
const params = z.object({ verificationId: InsuranceVerificationId })

const filters = {
  status: VerificationStatus.optional(),
  search: text(200).optional(),
  patientId: PatientId.optional(),
  policyInRecord: PolicyInRecord.optional(),
}

/** Lists verifications, newest first. `search` matches the patient's name and the insurance provider. */
export const listVerifications = endpoint({
  method: 'GET',
  path: '/api/insurance',
  access,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(500).optional(),
    ...filters,
  }),
  reply: z.array(InsuranceVerification),
})

/** The verifications of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportVerifications = endpoint({
  method: 'GET',
  path: '/api/insurance/export',
  access,
  query: z.object({ format: z.literal('csv').default('csv'), ...filters }),
  reply: z.string(),
  contentType: 'text/csv; charset=utf-8',
})

/** The number of verifications in each status, and the way in which a new one is checked. */
export const VerificationCounts = z.object({
  verified: z.number().int(),
  pending: z.number().int(),
  denied: z.number().int(),
  expired: z.number().int(),
  checkedBy: PolicyCheck,
})
export type VerificationCounts = z.infer<typeof VerificationCounts>

/** Counts the practice's verifications by status. */
export const countVerifications = endpoint({
  method: 'GET',
  path: '/api/insurance/counts',
  access,
  reply: VerificationCounts,
})

/** A verification with its history, newest first. */
export const VerificationDetails = InsuranceVerification.extend({ history: z.array(RecordHistoryEntry) })
export type VerificationDetails = z.infer<typeof VerificationDetails>

export const getVerification = endpoint({
  method: 'GET',
  path: '/api/insurance/:verificationId',
  access,
  params,
  reply: VerificationDetails,
})

/** A status that a person chooses. `rejected`, a value of the form (spec page 2, section 4.4), is stored as `denied`. */
const ChosenStatus = z
  .enum(['pending', 'verified', 'denied', 'rejected'], { error: 'Please choose a status' })
  .transform((status) => (status === 'rejected' ? 'denied' : status))

/** A day of coverage, in a year that people and their policies live in. */
const CoverageDate = CalendarDate.refine(
  (date) => date >= '1900-01-01' && date < '2200-01-01',
  'Please enter a year from 1900 to 2199',
)

const fields = {
  insuranceProvider: line(200).pipe(z.string().min(1, 'Please enter the insurance provider')),
  policyNumber: line(100).pipe(z.string().min(1, 'Please enter the policy number')),
  groupNumber: optionalLine(100),
  memberName: optionalLine(200),
  memberDateOfBirth: LifeDate.nullable(),
  relationshipToPatient: Relationship,
  notes: optionalText(2_000),
  eligibilityDate: CoverageDate.nullable(),
  expiryDate: CoverageDate.nullable(),
}

export const NewVerification = z.strictObject({
  patientId: PatientId,
  ...fields,
  groupNumber: fields.groupNumber.default(null),
  memberName: fields.memberName.default(null),
  memberDateOfBirth: fields.memberDateOfBirth.default(null),
  relationshipToPatient: Relationship.default('self'),
  verificationStatus: ChosenStatus.default('pending'),
  notes: fields.notes.default(null),
  eligibilityDate: fields.eligibilityDate.default(null),
  expiryDate: fields.expiryDate.default(null),
})
export type NewVerification = z.input<typeof NewVerification>

/**
 * Adds a verification. It stays pending until a person verifies or denies it; one whose coverage is over is expired. 409
 * `coverage-over` when it is called verified then.
 */
export const verifyInsurance = endpoint({
  method: 'POST',
  path: '/api/insurance/verify',
  access,
  body: NewVerification,
  reply: InsuranceVerification,
  status: 201,
})

export const VerificationChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  verificationStatus: ChosenStatus.optional(),
  revision: z.number().int().min(0).optional(),
})
export type VerificationChange = z.input<typeof VerificationChange>

/**
 * Changes a verification or its status. One whose policy or member changes is pending again, unless a status is sent; so is an
 * expired one with a later expiry date. 409 `changed-meanwhile` when another user has changed it since `revision`; 409
 * `coverage-over` for a coverage that is over and is to be verified or pending.
 */
export const changeVerification = endpoint({
  method: 'PATCH',
  path: '/api/insurance/:verificationId',
  access,
  params,
  body: VerificationChange,
  reply: InsuranceVerification,
})

/**
 * Asks the insurer about a pending or verified policy again. The answer follows with live updates; a verified one stays so until
 * the insurer says otherwise. 409 `not-configured` where no clearinghouse is connected, `wrong-status` for a verification that is
 * denied or expired; 429 after sixty questions an hour.
 */
export const askInsurer = endpoint({
  method: 'POST',
  path: '/api/insurance/:verificationId/ask',
  access,
  params,
  reply: InsuranceVerification,
  status: 202,
})
