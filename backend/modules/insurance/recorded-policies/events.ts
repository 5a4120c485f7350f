import { z } from 'zod'
import { PolicyInRecord } from '#contracts/values/insurance.ts'
import { InsuranceVerificationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

/** Comparisons of one verification with the insurance in the record of its patient. */
export const PolicyComparisonEvent = z.discriminatedUnion('type', [
  event('PolicyCompared', {
    verificationId: InsuranceVerificationId,
    practiceId: PracticeId,
    patientId: PatientId,
    policyInRecord: PolicyInRecord,
    /** The revisions of both streams that were compared. */
    patientRevision: z.int(),
    verificationRevision: z.int(),
  }),
])
export type PolicyComparisonEvent = z.infer<typeof PolicyComparisonEvent>
