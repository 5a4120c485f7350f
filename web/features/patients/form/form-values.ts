import type { z } from 'zod'
import {
  clinicalFields,
  type NewPatient,
  type Patient,
  type PatientChange,
  type PatientField,
} from '#contracts/patients.ts'
import { findChangedFields as findChangedInForm, type FormFields } from '#web/forms/three-way-merge.ts'

/** The values of the form, all of them texts. Allergies are one per line. */
export type PatientValues = {
  firstName: string
  lastName: string
  dateOfBirth: string
  gender: string
  email: string
  phone: string
  address: string
  emergencyContact: { name: string; relationship: string; phone: string }
  insuranceInfo: { provider: string; policyNumber: string; groupNumber: string; memberName: string }
  medicalHistory: string
  allergies: string
  medications: { name: string; dosage: string; frequency: string }[]
  notes: string
  deceasedOn: string
}

/** The values of an empty form. */
export const blankValues: PatientValues = {
  firstName: '',
  lastName: '',
  dateOfBirth: '',
  gender: '',
  email: '',
  phone: '',
  address: '',
  emergencyContact: { name: '', relationship: '', phone: '' },
  insuranceInfo: { provider: '', policyNumber: '', groupNumber: '', memberName: '' },
  medicalHistory: '',
  allergies: '',
  medications: [],
  notes: '',
  deceasedOn: '',
}

/** Formats North American numbers nationally, others with their country code, so that they are not read as North American. */
const formatPhoneValue = ({ phone, phoneNational }: Patient) => (phone?.startsWith('+1') ? phoneNational : phone) ?? ''

/** Returns a record as form values. */
export function toPatientValues(patient: Patient): PatientValues {
  const { emergencyContact, insuranceInfo } = patient
  return {
    firstName: patient.firstName,
    lastName: patient.lastName,
    dateOfBirth: patient.dateOfBirth ?? '',
    gender: patient.gender ?? '',
    email: patient.email ?? '',
    phone: formatPhoneValue(patient),
    address: patient.address ?? '',
    emergencyContact: {
      name: emergencyContact?.name ?? '',
      relationship: emergencyContact?.relationship ?? '',
      phone: emergencyContact?.phone ?? '',
    },
    insuranceInfo: {
      provider: insuranceInfo?.provider ?? '',
      policyNumber: insuranceInfo?.policyNumber ?? '',
      groupNumber: insuranceInfo?.groupNumber ?? '',
      memberName: insuranceInfo?.memberName ?? '',
    },
    medicalHistory: patient.medicalHistory ?? '',
    allergies: (patient.allergies ?? []).join('\n'),
    medications: (patient.medications ?? []).map(({ name, dosage, frequency }) => ({
      name,
      dosage: dosage ?? '',
      frequency: frequency ?? '',
    })),
    notes: patient.notes ?? '',
    deceasedOn: patient.deceasedOn ?? '',
  }
}

type Fields = Required<Omit<z.input<typeof NewPatient>, 'allowDuplicate'>>

const isBlank = (group: Record<string, string>) => Object.values(group).every((value) => value.trim() === '')

/** Returns form values in the shape of the contract; empty groups become null, blank lines are dropped. */
export const toPatientFields = (values: PatientValues): Fields => ({
  ...values,
  emergencyContact: isBlank(values.emergencyContact) ? null : values.emergencyContact,
  insuranceInfo: isBlank(values.insuranceInfo) ? null : values.insuranceInfo,
  allergies: values.allergies.split('\n').filter((line) => line.trim() !== ''),
  medications: values.medications.filter((medication) => !isBlank(medication)),
})

const isClinical = (field: string) => (clinicalFields as readonly string[]).includes(field)

/** The fields of a record in the form: each is one input, or one group of inputs, of the same name. */
export const patientFormFields: FormFields<PatientValues, PatientField> = {
  inputs: Object.fromEntries(Object.keys(blankValues).map((field) => [field, [field]])) as Record<
    PatientField,
    [PatientField]
  >,
  normalize: toPatientFields,
}

/** Returns the fields in which two states of the form differ. */
export const findChangedFields = (before: PatientValues, after: PatientValues): PatientField[] =>
  findChangedInForm(patientFormFields, before, after)

/** Returns the request body of a new patient: the completed fields, clinical ones only for users who may write them. */
export function toNewPatient(values: PatientValues, clinical: boolean): z.input<typeof NewPatient> {
  const filled = findChangedFields(blankValues, values).filter((field) => clinical || !isClinical(field))
  const { firstName, lastName } = values
  return { ...pick(toPatientFields(values), filled), firstName, lastName }
}

/** Returns the fields of an edit that differ from the record it began with. */
export const toPatientChange = (before: PatientValues, after: PatientValues): z.input<typeof PatientChange> =>
  pick(toPatientFields(after), findChangedFields(before, after))

function pick<Whole extends object>(whole: Whole, keys: readonly (keyof Whole)[]): Partial<Whole> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Partial<Whole>
}

/**
 * Returns the input that shows an error in `allergies.2` or `medications.1.name`: a list typed as lines is one input, and
 * blank medications are not counted in the path.
 */
export function toFormPath(path: string, values: PatientValues): string {
  if (path.startsWith('allergies')) return 'allergies'
  const match = /^medications\.(\d+)(.*)$/.exec(path)
  if (!match) return path
  const filled = values.medications.flatMap((medication, index) => (isBlank(medication) ? [] : [index]))
  return `medications.${filled[Number(match[1])] ?? match[1]}${match[2]}`
}
