import type { PatientField } from '#contracts/patients.ts'
import { allergiesStatusLabels, genderLabels } from './labels.ts'

type FieldDefinition = {
  label: string
  /** The group of the form that shows the field. */
  group: 'personal' | 'contact' | 'health' | 'emergency' | 'insurance' | 'notes'
  /** The control. A field with `parts` has inputs of its own in the form, all others are one text. `allergies` belong together. */
  input: 'text' | 'email' | 'tel' | 'date' | 'choice' | 'lines' | 'allergies' | 'parts'
  isRequired?: true
  /** Offered only for a record that exists already. */
  isForExisting?: true
  hint?: string
  rows?: number
  choices?: Readonly<Record<string, string>>
  /** Present for fields with a separate row under "Personal" in the details; `emptyText` is shown when there is no value, null hides the row. */
  details?: { emptyText: string | null }
}

/** The fields of a record as the form and the details show them, in their order. */
export const patientFields = {
  firstName: { label: 'First name', group: 'personal', input: 'text', isRequired: true },
  lastName: { label: 'Last name', group: 'personal', input: 'text', isRequired: true },
  dateOfBirth: { label: 'Date of birth', group: 'personal', input: 'date', details: { emptyText: 'Not provided' } },
  gender: {
    label: 'Gender',
    group: 'personal',
    input: 'choice',
    choices: genderLabels,
    details: { emptyText: 'Not specified' },
  },
  deceasedOn: {
    label: 'Date of death',
    group: 'personal',
    input: 'date',
    isForExisting: true,
    hint: 'Leave empty while alive',
    details: { emptyText: null },
  },
  email: { label: 'Email', group: 'contact', input: 'email' },
  phone: { label: 'Phone', group: 'contact', input: 'tel' },
  address: { label: 'Address', group: 'contact', input: 'lines', rows: 2 },
  allergiesStatus: { label: 'Allergies', group: 'health', input: 'allergies', choices: allergiesStatusLabels },
  allergies: { label: 'Allergies', group: 'health', input: 'allergies', rows: 2, hint: 'One per line' },
  medicalHistory: {
    label: 'Medical history',
    group: 'health',
    input: 'lines',
    rows: 3,
    hint: 'One condition per line',
  },
  medications: { label: 'Medications', group: 'health', input: 'parts' },
  emergencyContact: { label: 'Emergency contact', group: 'emergency', input: 'parts' },
  insuranceInfo: { label: 'Insurance', group: 'insurance', input: 'parts' },
  notes: { label: 'Notes', group: 'notes', input: 'lines', rows: 3 },
} as const satisfies { readonly [Field in PatientField]: FieldDefinition }

type Fields = typeof patientFields
export type FieldGroup = FieldDefinition['group']

/** The fields that are one text in the form. */
export type TextFieldName = {
  [Field in PatientField]: Fields[Field]['input'] extends 'parts' ? never : Field
}[PatientField]

export const findField = (field: PatientField): FieldDefinition => patientFields[field]

const fieldNames = Object.keys(patientFields) as readonly PatientField[]
export const textFieldNames = fieldNames.filter(
  (field) => findField(field).input !== 'parts',
) as readonly TextFieldName[]
export const detailFieldNames = fieldNames.filter((field) => findField(field).details)

/** The label of each field. */
export const fieldLabels = Object.fromEntries(fieldNames.map((field) => [field, findField(field).label])) as Record<
  PatientField,
  string
>
