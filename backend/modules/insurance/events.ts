import { z } from 'zod'
import { InsuranceVerificationId, UserId } from '#contracts/values/ids.ts'
import { Relationship } from '#contracts/values/insurance.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

/** The person who verified or denied it, null for the insurer's own answer, and the day in the practice's time zone. */
const decision = { verifiedBy: UserId.nullable(), verifiedOn: phi(z.iso.date()) }

/** The history of one verification of a patient's insurance. */
export const verificationEvents = defineRecordEvents({
  names: { created: 'InsuranceVerificationRequested', changed: 'InsuranceVerificationChanged' },
  id: { field: 'verificationId', schema: InsuranceVerificationId },
  patient: 'required',
  statusField: 'verificationStatus',
  fields: {
    insuranceProvider: phi(z.string()),
    policyNumber: phi(z.string()),
    groupNumber: phi(z.string().nullable()),
    memberName: phi(z.string().nullable()),
    memberDateOfBirth: phi(z.iso.date().nullable()),
    relationshipToPatient: Relationship,
    notes: phi(z.string().nullable()),
    eligibilityDate: phi(z.iso.date().nullable()),
    /** The last day of the coverage. */
    expiryDate: phi(z.iso.date().nullable()),
  },
  initialStatus: 'pending',
  transitions: {
    InsuranceVerified: { from: ['pending', 'denied', 'expired'], to: 'verified', data: decision },
    InsuranceDenied: { from: ['pending', 'verified', 'expired'], to: 'denied', data: decision },
    /** The day after the last day of the coverage has begun. */
    InsuranceExpired: { from: ['pending', 'verified'], to: 'expired', data: { expiryDate: phi(z.iso.date()) } },
    /** The insurer is to be asked again. */
    InsuranceVerificationReopened: { from: ['verified', 'denied', 'expired'], to: 'pending', data: {} },
  },
})

export type VerificationDefinition = (typeof verificationEvents)['definition']

export const InsuranceEvent = verificationEvents.schema
export type InsuranceEvent = z.infer<typeof InsuranceEvent>
