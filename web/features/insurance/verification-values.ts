import type { InsuranceVerification, NewVerification, VerificationChange } from '#contracts/insurance.ts'
import type { Patient } from '#contracts/patients.ts'
import type { Relationship } from '#contracts/values/insurance.ts'
import { findChangedFields, type FormFields } from '#web/forms/three-way-merge.ts'
import { formatDate } from '#web/ui/dates.ts'
import { fieldLabels, relationshipLabels, type VerificationField } from './labels.ts'

/** The values of the form, each a text. The patient and the status are chosen for a new verification only. */
export type VerificationValues = {
  patientId: string
  insuranceProvider: string
  policyNumber: string
  groupNumber: string
  memberName: string
  memberDateOfBirth: string
  relationshipToPatient: Relationship
  verificationStatus: 'pending' | 'verified' | 'rejected'
  eligibilityDate: string
  expiryDate: string
  notes: string
}

/** The values of an empty form. */
export const blankValues: VerificationValues = {
  patientId: '',
  insuranceProvider: '',
  policyNumber: '',
  groupNumber: '',
  memberName: '',
  memberDateOfBirth: '',
  relationshipToPatient: 'self',
  verificationStatus: 'pending',
  eligibilityDate: '',
  expiryDate: '',
  notes: '',
}

/** The inputs that the record of a patient may know. */
type PolicyValues = Pick<VerificationValues, 'insuranceProvider' | 'policyNumber' | 'groupNumber' | 'memberName'>

/** Returns the policy in the record of a patient; empty where it is not recorded. */
export const toPolicyValues = (info: Patient['insuranceInfo'] | undefined): PolicyValues => ({
  insuranceProvider: info?.provider ?? '',
  policyNumber: info?.policyNumber ?? '',
  groupNumber: info?.groupNumber ?? '',
  memberName: info?.memberName ?? '',
})

/** Returns the form values of a verification. */
export const toVerificationValues = (verification: InsuranceVerification): VerificationValues => ({
  patientId: verification.patientId,
  insuranceProvider: verification.insuranceProvider,
  policyNumber: verification.policyNumber,
  groupNumber: verification.groupNumber ?? '',
  memberName: verification.memberName ?? '',
  memberDateOfBirth: verification.memberDateOfBirth ?? '',
  relationshipToPatient: verification.relationshipToPatient,
  verificationStatus: 'pending',
  eligibilityDate: verification.eligibilityDate ?? '',
  expiryDate: verification.expiryDate ?? '',
  notes: verification.notes ?? '',
})

/** Returns form values in the shape of the contract; an empty date becomes null, as the server makes of an empty text. */
const toFields = ({ patientId: _, verificationStatus: __, ...values }: VerificationValues) => ({
  ...values,
  memberDateOfBirth: values.memberDateOfBirth || null,
  eligibilityDate: values.eligibilityDate || null,
  expiryDate: values.expiryDate || null,
})

const fieldNames = Object.keys(fieldLabels) as VerificationField[]

/** The fields as the form compares and merges them: each is one input of the same name. */
export const verificationFormFields: FormFields<VerificationValues, VerificationField> = {
  inputs: Object.fromEntries(fieldNames.map((field) => [field, [field]])) as Record<
    VerificationField,
    [VerificationField]
  >,
  normalize: (values) => ({ ...values, ...toFields(values) }),
}

/** Returns the request body of a new verification. */
export const toNewVerification = (values: VerificationValues): NewVerification => ({
  ...toFields(values),
  patientId: values.patientId as NewVerification['patientId'],
  verificationStatus: values.verificationStatus,
})

/** Returns the fields of an edit that differ from the verification it began with. */
export function toVerificationChange(before: VerificationValues, after: VerificationValues): VerificationChange {
  const fields = toFields(after)
  return Object.fromEntries(
    findChangedFields(verificationFormFields, before, after).map((field) => [field, fields[field]]),
  )
}

/** Formats a field of a verification in the list of changes by others. */
export function formatField(verification: InsuranceVerification, field: VerificationField): string {
  const value = toVerificationValues(verification)[field]
  if (field === 'relationshipToPatient') return relationshipLabels[verification.relationshipToPatient]
  return field.endsWith('Date') || field === 'memberDateOfBirth' ? formatDate(value) : value
}
