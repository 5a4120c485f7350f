import { z } from 'zod'

/** The status of a verification as it is stored and shown (spec page 2, section 4.4). */
export const VerificationStatus = z.enum(['pending', 'verified', 'denied', 'expired'], {
  error: 'Please choose a status',
})
export type VerificationStatus = z.infer<typeof VerificationStatus>

/** The relationship of the policy's member to the patient. */
export const Relationship = z.enum(['self', 'spouse', 'parent', 'child', 'other'], {
  error: 'Please choose a relationship',
})
export type Relationship = z.infer<typeof Relationship>

/**
 * The insurance in the record of a patient beside the policy of a verification: the same, another one, or none at all.
 */
export const PolicyInRecord = z.enum(['same', 'other', 'none'])
export type PolicyInRecord = z.infer<typeof PolicyInRecord>

/** Returns whether a coverage is over on a date: its expiry date is the last day. Both are YYYY-MM-DD. */
export const isCoverageOver = (expiryDate: string | null, today: string): boolean =>
  expiryDate !== null && expiryDate < today
