import { z } from 'zod'
import { EligibilityOutcome } from '#contracts/values/eligibility.ts'
import { EligibilityInquiryId, InsuranceVerificationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { eventAbout, phi } from '#eventstore/event.ts'

const patientEvent = eventAbout('patientId')
const date = phi(z.iso.date().nullable())

const inquiry = {
  inquiryId: EligibilityInquiryId,
  verificationId: InsuranceVerificationId,
  practiceId: PracticeId,
  patientId: PatientId,
  /** Counts the questions since the policy was entered or changed, from 1. */
  attempt: z.int().min(1),
}

/** Questions to the clearinghouse about one verification. */
export const EligibilityEvent = z.discriminatedUnion('type', [
  /** A question is about to leave; announced first, so that a killed process does not ask it under another id. */
  patientEvent('EligibilityAsked', {
    ...inquiry,
    serviceDate: phi(z.iso.date()),
    askedAt: z.iso.datetime(),
  }),
  /** The insurer's answer, or that there is none. */
  patientEvent('EligibilityAnswered', {
    ...inquiry,
    outcome: EligibilityOutcome,
    code: phi(z.string().min(1).nullable()),
    startsOn: date,
    endsOn: date,
  }),
])
export type EligibilityEvent = z.infer<typeof EligibilityEvent>
