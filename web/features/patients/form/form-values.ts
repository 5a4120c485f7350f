import type { z } from 'zod'
import {
  clinicalFields,
  type NewPatient,
  type Patient,
  type PatientChange,
  type PatientField,
} from '#contracts/patients.ts'
import { findChangedFields as findChangedInForm, type FormFields } from '#web/forms/three-way-merge.ts'

/** The form as it is typed: a form knows texts only. Allergies stand one a line. */
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

/** A form nobody has typed in. */
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

/** Numbers of North America as they are written there; others with their country, or they would be read as ours. */
const formatPhoneValue = ({ phone, phoneNational }: Patient) => (phone?.startsWith('+1') ? phoneNational : phone) ?? ''

/** A record as the form shows it. */
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

/** What was typed, in the shape of the contract: a group with nothing in it is no group, blank lines are no entries. */
export const toPatientFields = (values: PatientValues): Fields => ({
  ...values,
  emergencyContact: isBlank(values.emergencyContact) ? null : values.emergencyContact,
  insuranceInfo: isBlank(values.insuranceInfo) ? null : values.insuranceInfo,
  allergies: values.allergies.split('\n').filter((line) => line.trim() !== ''),
  medications: values.medications.filter((medication) => !isBlank(medication)),
})

const isClinical = (field: string) => (clinicalFields as readonly string[]).includes(field)

/** The fields of a record in the form: each is one input, or one group of inputs, of the same name. */
export const patientFields: FormFields<PatientValues, PatientField> = {
  inputs: Object.fromEntries(Object.keys(blankValues).map((field) => [field, [field]])) as Record<
    PatientField,
    [PatientField]
  >,
  normalize: toPatientFields,
}

/** Returns the fields in which two states of the form differ. */
export const findChangedFields = (before: PatientValues, after: PatientValues): PatientField[] =>
  findChangedInForm(patientFields, before, after)

/** What is sent for a new patient: what was filled in, and clinical fields only by those who may write them. */
export function toNewPatient(values: PatientValues, clinical: boolean): z.input<typeof NewPatient> {
  const filled = findChangedFields(blankValues, values).filter((field) => clinical || !isClinical(field))
  const { firstName, lastName } = values
  return { ...pick(toPatientFields(values), filled), firstName, lastName }
}

/** What is sent for an edit: only what differs from the record it began with. */
export const toPatientChange = (before: PatientValues, after: PatientValues): z.input<typeof PatientChange> =>
  pick(toPatientFields(after), findChangedFields(before, after))

function pick<Whole extends object>(whole: Whole, keys: readonly (keyof Whole)[]): Partial<Whole> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]])) as Partial<Whole>
}

/**
 * Where the form shows what is wrong with `allergies.2` or `medications.1.name`: a list typed as lines is one field, and
 * rows left blank are not counted by whoever found the fault.
 */
export function toFormPath(path: string, values: PatientValues): string {
  if (path.startsWith('allergies')) return 'allergies'
  const row = /^medications\.(\d+)(.*)$/.exec(path)
  if (!row) return path
  const filled = values.medications.flatMap((medication, index) => (isBlank(medication) ? [] : [index]))
  return `medications.${filled[Number(row[1])] ?? row[1]}${row[2]}`
}
