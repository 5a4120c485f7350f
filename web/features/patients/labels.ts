import type { AllergiesStatus, Gender, Patient, PatientField } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'

/** Administrative genders in the order of the form. */
export const genderLabels: Record<Gender, string> = {
  female: 'Female',
  male: 'Male',
  other: 'Other',
  unknown: 'Unknown',
}

/** The states of knowledge about allergies, in the order of the form. */
export const allergiesStatusLabels: Record<AllergiesStatus, string> = {
  unknown: 'Not asked yet',
  'none-known': 'No known allergies',
  listed: 'Has allergies',
}

const joinParts = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(', ')

/** Formats an emergency contact on one line. */
export const formatContact = ({ name, relationship, phone }: NonNullable<Patient['emergencyContact']>): string =>
  joinParts([name, relationship, phone])

/** Formats a medication with dose and frequency on one line. */
export const formatMedication = ({ name, dosage, frequency }: NonNullable<Patient['medications']>[number]): string =>
  joinParts([name, dosage, frequency])

/** Returns a field of a record on one line; empty where it has no value. */
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
      return joinParts([provider, policyNumber, groupNumber, memberName])
    }
    case 'allergies':
      return joinParts(patient.allergies ?? []) || formatField(patient, 'allergiesStatus')
    case 'allergiesStatus':
      return patient.allergiesStatus ? allergiesStatusLabels[patient.allergiesStatus] : ''
    case 'medications':
      return (patient.medications ?? []).map(formatMedication).join('; ')
    default:
      return patient[field] ?? ''
  }
}
