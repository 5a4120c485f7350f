import type { z } from 'zod'
import {
  clinicalFields,
  type NewPatient,
  type Patient,
  type PatientChange,
  type PatientField,
} from '#contracts/patients.ts'
import { findChangedFields as findChangedInForm, type FormFields } from '#web/forms/three-way-merge.ts'
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

/** Formats North American numbers nationally, others with their country code, so that they are not read as North American. */
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
export function toNewPatient(values: PatientValues, canWriteClinical: boolean): z.input<typeof NewPatient> {
  const filled = findChangedFields(blankValues, values).filter((field) => canWriteClinical || !isClinical(field))
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
