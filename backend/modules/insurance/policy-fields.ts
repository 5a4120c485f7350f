/** The fields that identify a policy: what an insurer said holds for these only. */
export const policyFields = [
  'insuranceProvider',
  'policyNumber',
  'groupNumber',
  'memberName',
  'memberDateOfBirth',
  'relationshipToPatient',
] as const
