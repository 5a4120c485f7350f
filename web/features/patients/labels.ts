import type { Gender, Patient, PatientField } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'

/** Full name, as it is spoken. */
export const formatName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`

/** The administrative genders, in the order of the form. */
export const genderLabels: Record<Gender, string> = {
  female: 'Female',
  male: 'Male',
  other: 'Other',
  unknown: 'Unknown',
}

const joined = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(', ')

/** Who to call, on one line. */
export const formatContact = ({ name, relationship, phone }: NonNullable<Patient['emergencyContact']>): string =>
  joined([name, relationship, phone])

/** A medicine with how much and how often, on one line. */
export const formatMedication = ({ name, dosage, frequency }: NonNullable<Patient['medications']>[number]): string =>
  joined([name, dosage, frequency])

/** What a field of a record says, on one line; empty where it says nothing. */
export function formatField(patient: Patient, field: PatientField): string {
  switch (field) {
    case 'dateOfBirth':
    case 'deceasedOn':
      return patient[field] ? formatDate(patient[field]) : ''
    case 'gender':
      return patient.gender ? genderLabels[patient.gender] : ''
    case 'phone':
      return patient.phoneNational ?? patient.phone ?? ''
    case 'emergencyContact':
      return patient.emergencyContact ? formatContact(patient.emergencyContact) : ''
    case 'insuranceInfo': {
      const {
        provider = null,
        policyNumber = null,
        groupNumber = null,
        memberName = null,
      } = patient.insuranceInfo ?? {}
      return joined([provider, policyNumber, groupNumber, memberName])
    }
    case 'allergies':
      return joined(patient.allergies ?? [])
    case 'medications':
      return (patient.medications ?? []).map(formatMedication).join('; ')
    default:
      return patient[field] ?? ''
  }
}
