import type { InsuranceEvent } from '#modules/insurance/events.ts'
import type { PolicyComparisonEvent } from '#modules/insurance/recorded-policies/events.ts'
import { defineProjection } from '#projections/projection.ts'

type CoverageRow = {
  verification_id: string
  practice_id: string
  patient_id: string
  status: string
  /** The first and the last day of the coverage, YYYY-MM-DD; null when it is not known. */
  starts_on: string | null
  ends_on: string | null
  added_at: string
  /** True where the record of the patient has another policy. */
  is_other_policy: boolean
  sample: boolean
}

const setStatus = (status: string) => (row: CoverageRow | null) => row && { ...row, status }

/** The insurance verifications of patients, by which appointments are covered or not. */
export const insightCoverages = defineProjection<InsuranceEvent | PolicyComparisonEvent, CoverageRow>({
  name: 'insight_coverages',
  version: 4,
  columns: {
    verification_id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    status: 'text',
    starts_on: 'date',
    ends_on: 'date',
    added_at: 'timestamptz',
    is_other_policy: 'bool',
    sample: 'bool',
  },
  key: 'verification_id',
  indexes: ['(patient_id)', '(practice_id) include (sample)', '(practice_id, patient_id) where is_other_policy'],
  rowOf: ({ data }) => data.verificationId,
  on: {
    InsuranceVerificationRequested: (_, { data, metadata }) => ({
      verification_id: data.verificationId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      status: 'pending',
      starts_on: data.eligibilityDate,
      ends_on: data.expiryDate,
      added_at: metadata.at,
      is_other_policy: false,
      sample: metadata.sample,
    }),
    InsuranceVerificationChanged: (row, { data: { to } }) =>
      row && {
        ...row,
        starts_on: to.eligibilityDate === undefined ? row.starts_on : to.eligibilityDate,
        ends_on: to.expiryDate === undefined ? row.ends_on : to.expiryDate,
      },
    InsuranceVerified: setStatus('verified'),
    InsuranceDenied: setStatus('denied'),
    InsuranceExpired: (row, { data }) => row && { ...row, status: 'expired', ends_on: data.expiryDate },
    InsuranceVerificationReopened: setStatus('pending'),
    PolicyCompared: (row, { data: { policyInRecord } }) =>
      row && { ...row, is_other_policy: policyInRecord === 'other' },
  },
})
