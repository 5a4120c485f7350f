import { InsuranceVerificationId, UserId } from '#contracts/values/ids.ts'
import type { VerificationCommand } from '#modules/insurance/decider.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'

type Of<Type> = Extract<InsuranceEvent, { type: Type }>
type Fields = Extract<VerificationCommand, { type: 'Create' }>['fields']

export const verificationId = InsuranceVerificationId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0091')
export const verifier = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0005')
export const today = '2026-11-26'
export const yesterday = '2026-11-25'

const subject = { verificationId, practiceId, patientId }
const decision = { verifiedBy: verifier, verifiedOn: today }

/** A policy whose last day is today. */
export const policy: Fields = {
  insuranceProvider: 'Summit Mutual',
  policyNumber: 'SM-7741-0093',
  groupNumber: 'G 2210',
  memberName: null,
  memberDateOfBirth: null,
  relationshipToPatient: 'self',
  notes: null,
  eligibilityDate: '2025-12-01',
  expiryDate: today,
}

export const requested = (over: Partial<Fields> = {}): Of<'InsuranceVerificationRequested'> => ({
  type: 'InsuranceVerificationRequested',
  data: { ...subject, ...policy, ...over },
})
export const changed = (from: Partial<Fields>, to: Partial<Fields>): Of<'InsuranceVerificationChanged'> => ({
  type: 'InsuranceVerificationChanged',
  data: { ...subject, from, to },
})
export const verified: Of<'InsuranceVerified'> = { type: 'InsuranceVerified', data: { ...subject, ...decision } }
export const denied: Of<'InsuranceDenied'> = { type: 'InsuranceDenied', data: { ...subject, ...decision } }
export const expired = (expiryDate: string): Of<'InsuranceExpired'> => ({
  type: 'InsuranceExpired',
  data: { ...subject, expiryDate },
})
export const reopened: Of<'InsuranceVerificationReopened'> = {
  type: 'InsuranceVerificationReopened',
  data: subject,
}

const move = { type: 'Move', practiceId, today } as const

export const create = (over: Partial<Fields> = {}): VerificationCommand => ({
  type: 'Create',
  id: verificationId,
  practiceId,
  patientId,
  fields: { ...policy, ...over },
})
export const change = (fields: Partial<Fields>): VerificationCommand => ({
  type: 'Change',
  practiceId,
  today,
  change: fields,
})
export const verify: VerificationCommand = { ...move, event: 'InsuranceVerified', data: decision }
export const deny: VerificationCommand = { ...move, event: 'InsuranceDenied', data: decision }
export const reopen: VerificationCommand = { ...move, event: 'InsuranceVerificationReopened', data: {} }
export const expire = (expiryDate: string): VerificationCommand => ({
  ...move,
  event: 'InsuranceExpired',
  data: { expiryDate },
})
