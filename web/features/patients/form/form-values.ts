import type { z } from 'zod'
import {
  clinicalFields,
  type NewPatient,
  type Patient,
  type PatientChange,
  type PatientField,
} from '#contracts/patients.ts'
import { type TextFieldName, textFieldNames } from '../fields.ts'

/** The values of the form: texts, and the parts of composite fields. Allergies are one text with one allergy per line. */
export type PatientValues = { [Field in TextFieldName]: string } & {
  emergencyContact: { name: string; relationship: string; phone: string }
  insuranceInfo: { provider: string; policyNumber: string; groupNumber: string; memberName: string }
  medications: { name: string; dosage: string; frequency: string }[]
}

const toTexts = (valueOf: (field: TextFieldName) => string) =>
  Object.fromEntries(textFieldNames.map((field) => [field, valueOf(field)])) as Record<TextFieldName, string>

/** The values of an empty form. */
export const blankValues: PatientValues = {
  ...toTexts(() => ''),
  emergencyContact: { name: '', relationship: '', phone: '' },
  insuranceInfo: { provider: '', policyNumber: '', groupNumber: '', memberName: '' },
  medications: [],
}

/** Numbers of North America as they are written there; others with their country, or they would be read as ours. */
const formatPhoneValue = ({ phone, phoneNational }: Patient) => (phone?.startsWith('+1') ? phoneNational : phone) ?? ''

function toText(patient: Patient, field: TextFieldName): string {
  if (field === 'phone') return formatPhoneValue(patient)
  if (field === 'allergies') return (patient.allergies ?? []).join('\n')
  return patient[field] ?? ''
}

/** Returns the form values of a record. */
export function toPatientValues(patient: Patient): PatientValues {
  const { emergencyContact, insuranceInfo } = patient
  return {
    ...toTexts((field) => toText(patient, field)),
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
    medications: (patient.medications ?? []).map(({ name, dosage, frequency }) => ({
      name,
      dosage: dosage ?? '',
      frequency: frequency ?? '',
    })),
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
const isDeepEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Fields in which two states of the form differ. */
export function findChangedFields(before: PatientValues, after: PatientValues): PatientField[] {
  const [was, is] = [toPatientFields(before), toPatientFields(after)]
  return (Object.keys(is) as PatientField[]).filter((field) => !isDeepEqual(was[field], is[field]))
}

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
