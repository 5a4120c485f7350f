import type { Services } from '#modules/module.ts'
import { defineExpiryJob, type Expiry, expireRecords } from '#modules/records/requests/public.ts'
import { verificationDecider } from './decider.ts'
import { type VerificationDefinition, verificationEvents } from './events.ts'
import { verificationsProjection } from './projection.ts'

const expiry: Expiry<VerificationDefinition> = {
  name: 'expire-verifications',
  events: verificationEvents,
  decider: verificationDecider,
  projection: verificationsProjection,
  dateField: 'expiryDate',
  event: 'InsuranceExpired',
}

/** Expires verifications on the day after the last day of the coverage. */
export const expireVerifications = defineExpiryJob(expiry)

/** Expires all verifications whose coverage is over. Throws when `signal` is aborted. */
export const expireAllVerifications = (services: Services, jobId: string, signal: AbortSignal): Promise<void> =>
  expireRecords(services, expiry, jobId, signal)
