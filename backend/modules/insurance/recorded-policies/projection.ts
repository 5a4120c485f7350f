import { defineProjection } from '#projections/projection.ts'
import type { PolicyComparisonEvent } from './events.ts'

type ComparisonRow = { verification_id: string; practice_id: string; policy_in_record: string }

/** The last comparison of each verification with the insurance in the record of its patient. */
export const policyComparisonsProjection = defineProjection<PolicyComparisonEvent, ComparisonRow>({
  name: 'insurance_policy_comparisons',
  version: 1,
  isMetadataOnly: true,
  columns: { verification_id: 'uuid', practice_id: 'uuid', policy_in_record: 'text' },
  key: 'verification_id',
  rowOf: ({ data }) => data.verificationId,
  on: {
    PolicyCompared: (_, { data: { verificationId, practiceId, policyInRecord } }) => ({
      verification_id: verificationId,
      practice_id: practiceId,
      policy_in_record: policyInRecord,
    }),
  },
})
