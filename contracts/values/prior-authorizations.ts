import { z } from 'zod'

/** The status of a prior authorization. */
export const AuthorizationStatus = z.enum(['draft', 'submitted', 'approved', 'denied', 'appealed', 'expired'], {
  error: 'Please choose a status',
})
export type AuthorizationStatus = z.infer<typeof AuthorizationStatus>

/** The kind of treatment that an insurer is to approve. */
export const AuthorizationRequestType = z.enum(
  ['procedure', 'imaging', 'medication', 'equipment', 'therapy', 'other'],
  {
    error: 'Please choose what is requested',
  },
)

/** The urgency of a prior authorization (spec page 2, section 4.8). */
export const AuthorizationPriority = z.enum(['routine', 'urgent', 'emergency'], { error: 'Please choose a priority' })

/** The fields that a status cannot do without. */
export const authorizationRequirements = {
  approved: [
    ['authorizationNumber', 'Please enter the authorization number'],
    ['expiresAt', 'Please enter the last day of the authorization'],
  ],
  denied: [['denialReason', 'Please enter the reason of the denial']],
} as const
