import type { Patient } from '#contracts/patients.ts'
import { formatDate } from '#web/ui/dates.ts'

/** Formats date of birth and phone number on one line, to tell patients of the same name apart. */
export const formatPatientHint = ({ dateOfBirth, phoneNational }: Pick<Patient, 'dateOfBirth' | 'phoneNational'>) =>
  [dateOfBirth && formatDate(dateOfBirth), phoneNational].filter(Boolean).join(', ')
