import type { z } from 'zod'
import {
  type AllergiesStatus,
  isClinicalField,
  type NewPatient,
  type Patient,
  type PatientChange,
  type PatientField,
} from '#contracts/patients.ts'
import { formatWithCountry } from '#contracts/values/phone.ts'
import { findChangedFields as findChangedInForm, type FormFields } from '#web/forms/three-way-merge.ts'
import { type TextFieldName, textFieldNames } from '../fields.ts'

/**
 * The values of the form: texts, and the parts of composite fields. Allergies are one text with one allergy per line, which
 * counts only when their status is `listed`.
 */
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
  allergiesStatus: 'unknown',
  emergencyContact: { name: '', relationship: '', phone: '' },
  insuranceInfo: { provider: '', policyNumber: '', groupNumber: '', memberName: '' },
  medications: [],
}

/** Formats North American numbers nationally, others with their country code, so that they are not read as North American. */
const formatPhoneValue = ({ phone, phoneNational }: Patient) =>
  phone === null ? '' : phone.startsWith('+1') ? (phoneNational ?? phone) : formatWithCountry(phone)

function toText(patient: Patient, field: TextFieldName): string {
  if (field === 'phone') return formatPhoneValue(patient)
  if (field === 'allergies') return (patient.allergies ?? []).join('\n')
  if (field === 'allergiesStatus') return patient.allergiesStatus ?? 'unknown'
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
  allergiesStatus: values.allergiesStatus as AllergiesStatus,
  allergies:
    values.allergiesStatus === 'listed' ? values.allergies.split('\n').filter((line) => line.trim() !== '') : [],
  medications: values.medications.filter((medication) => !isBlank(medication)),
})

/** The fields of a record as the form compares and merges them: the allergies and their status are one. */
type FormField = Exclude<PatientField, 'allergiesStatus'>

const { allergiesStatus: _, ...comparedInputs } = blankValues

/** The fields of a record in the form: each is one input, or one group of inputs, of the same name. */
export const patientFormFields: FormFields<PatientValues, FormField> = {
  inputs: {
    ...(Object.fromEntries(Object.keys(comparedInputs).map((field) => [field, [field]])) as Record<
      FormField,
      [FormField]
    >),
    allergies: ['allergiesStatus', 'allergies'],
  },
  normalize: toPatientFields,
}

/** Returns the fields in which two states of the form differ. */
export const findChangedFields = (before: PatientValues, after: PatientValues): FormField[] =>
  findChangedInForm(patientFormFields, before, after)

/** Returns the request body of a new patient: the completed fields, clinical ones only for users who may write them. */
export function toNewPatient(values: PatientValues, canWriteClinical: boolean): z.input<typeof NewPatient> {
  const filled = findChangedFields(blankValues, values).filter((field) => canWriteClinical || !isClinicalField(field))
  const { firstName, lastName } = values
  return { ...pickFields(values, filled), firstName, lastName }
}

/** Returns the fields of an edit that differ from the record it began with. */
export const toPatientChange = (before: PatientValues, after: PatientValues): z.input<typeof PatientChange> =>
  pickFields(after, findChangedFields(before, after))

function pickFields(values: PatientValues, fields: readonly FormField[]): Partial<Fields> {
  const all = toPatientFields(values)
  const inputs = fields.flatMap((field) => patientFormFields.inputs[field])
  return Object.fromEntries(inputs.map((input) => [input, all[input]]))
}

/**
 * Returns the input that shows an error in `allergies.2` or `medications.1.name`: a list typed as lines is one input, and
 * blank medications are not counted in the path.
 */
export function toFormPath(path: string, values: PatientValues): string {
  if (path.startsWith('allergies')) return path === 'allergiesStatus' ? path : 'allergies'
  const match = /^medications\.(\d+)(.*)$/.exec(path)
  if (!match) return path
  const filled = values.medications.flatMap((medication, index) => (isBlank(medication) ? [] : [index]))
  return `medications.${filled[Number(match[1])] ?? match[1]}${match[2]}`
}
