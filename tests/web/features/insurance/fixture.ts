import { InsuranceVerification } from '#contracts/insurance.ts'

/** A verified policy that ends on November 30. */
export const verification = InsuranceVerification.parse({
  id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0091',
  patientId: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001',
  patientName: 'Robert Hayes',
  patient: { firstName: 'Robert', lastName: 'Hayes' },
  insuranceProvider: 'Summit Mutual',
  policyNumber: 'SM-7741-0093',
  groupNumber: 'G 2210',
  memberName: null,
  memberDateOfBirth: null,
  relationshipToPatient: 'self',
  verificationStatus: 'verified',
  notes: null,
  eligibilityDate: '2025-12-01',
  expiryDate: '2026-11-30',
  verifiedBy: { id: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0005', name: 'Nina Patel' },
  verifiedOn: '2026-11-05',
  check: { by: 'stand-in', findings: [] },
  eligibility: null,
  policyInRecord: null,
  createdAt: '2026-11-05T15:00:00.000Z',
  updatedAt: '2026-11-05T16:00:00.000Z',
  revision: 1,
})
