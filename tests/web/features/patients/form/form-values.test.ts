import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyPatientFields, NewPatient, Patient, PatientChange } from '#contracts/patients.ts'
import {
  blankValues,
  findChangedFields,
  patientFormFields,
  toPatientChange,
  toPatientFields,
  toFormPath,
  toNewPatient,
  type PatientValues,
  toPatientValues,
} from '#web/features/patients/form/form-values.ts'
import { formatField } from '#web/features/patients/labels.ts'
import { createContractResolver } from '#web/forms/contract-resolver.ts'
import { findFieldConflicts } from '#web/forms/field-conflicts.ts'
import { mergeValues } from '#web/forms/three-way-merge.ts'

const maria = Patient.parse({
  ...emptyPatientFields,
  id: '0190a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
  practiceId: '0190a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2c',
  firstName: 'Maria',
  lastName: 'Alvarez',
  dateOfBirth: '1978-03-14',
  gender: 'female',
  email: 'maria@example.com',
  phone: '+16175550182',
  phoneNational: '(617) 555-0182',
  address: null,
  emergencyContact: { name: 'Luis Alvarez', relationship: 'husband', phone: null },
  insuranceInfo: null,
  medicalHistory: 'High blood pressure',
  allergies: ['penicillin', 'latex'],
  allergiesStatus: 'listed',
  medications: [{ name: 'Metformin', dosage: '500 mg', frequency: null }],
  notes: null,
  deceasedOn: null,
  importId: null,
  lastVisit: null,
  sample: false,
  revision: 4,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
})

const typed = (changes: Partial<PatientValues>): PatientValues => ({ ...toPatientValues(maria), ...changes })

describe('a new patient', () => {
  it('is sent with the completed fields only', () => {
    const names = { firstName: 'Ada', lastName: 'Hopper' }
    const values = { ...blankValues, ...names, allergiesStatus: 'listed', allergies: ' latex \n\n' }
    expect(toNewPatient(values, true)).toEqual({ ...names, allergiesStatus: 'listed', allergies: [' latex '] })
    expect(NewPatient.parse(toNewPatient(values, true))).toMatchObject({ allergies: ['latex'] })
  })

  it('carries no health data from a user who may not write it', () => {
    const values = { ...blankValues, firstName: 'Ada', lastName: 'Hopper', medicalHistory: 'x', allergies: 'y' }
    expect(toNewPatient(values, false)).toEqual({ firstName: 'Ada', lastName: 'Hopper' })
  })

  it('is always sent with both names, so that a missing one is reported at its input', () => {
    expect(toNewPatient(blankValues, true)).toEqual({ firstName: '', lastName: '' })
  })
})

describe('an edit', () => {
  it('drops the list when there are no known allergies', () => {
    const change = toPatientChange(toPatientValues(maria), typed({ allergiesStatus: 'none-known' }))
    expect(change).toEqual({ allergiesStatus: 'none-known', allergies: [] })
    expect(formatField({ ...maria, allergies: [], allergiesStatus: 'none-known' }, 'allergies')).toBe(
      'No known allergies',
    )
  })

  it('sends nothing when nothing was typed', () => {
    expect(toPatientChange(toPatientValues(maria), toPatientValues(maria))).toEqual({})
  })

  it('sends only the field that was changed', () => {
    expect(toPatientChange(toPatientValues(maria), typed({ phone: '(617) 555-0199' }))).toEqual({
      phone: '(617) 555-0199',
    })
  })

  it('clears emptied fields', () => {
    const empty = { name: '', relationship: ' ', phone: '' }
    const change = PatientChange.parse(
      toPatientChange(toPatientValues(maria), typed({ email: '', dateOfBirth: '', emergencyContact: empty })),
    )
    expect(change).toEqual({ email: null, dateOfBirth: null, emergencyContact: null })
  })

  it('does not count blank rows and lines as a change', () => {
    const values = typed({
      allergies: 'penicillin\n\nlatex\n',
      medications: [...toPatientValues(maria).medications, { name: ' ', dosage: '', frequency: '' }],
    })
    expect(findChangedFields(toPatientValues(maria), values)).toEqual([])
  })

  it('shows foreign phone numbers with their country code, so that they are not read as North American', () => {
    const abroad = { ...maria, phone: '+493012345678', phoneNational: '030 12345678' }
    expect(toPatientValues(abroad).phone).toBe('+493012345678')
    expect(toPatientValues(maria).phone).toBe('(617) 555-0182')
  })

  it('converts any record to form values and back unchanged', () => {
    const text = fc.string({ minLength: 1 }).filter((value) => value.trim() === value && !value.includes('\n'))
    const record = fc.record({
      notes: fc.option(text),
      allergies: fc.uniqueArray(text),
      medications: fc.array(fc.record({ name: text, dosage: fc.option(text), frequency: fc.option(text) })),
    })
    fc.assert(
      fc.property(record, (parts) => {
        const values = toPatientValues({ ...maria, ...parts })
        expect(toPatientFields(values).allergies).toEqual(parts.allergies)
        expect(toPatientFields(values).medications).toHaveLength(parts.medications.length)
        expect(toPatientChange(values, values)).toEqual({})
      }),
    )
  })
})

describe('an error', () => {
  it('is shown at the input in which it was typed, past blank rows', () => {
    const blank = { name: '', dosage: '', frequency: '' }
    const values = typed({ medications: [blank, blank, { name: '', dosage: '5 mg', frequency: '' }] })
    expect(toFormPath('medications.0.name', values)).toBe('medications.2.name')
    expect(toFormPath('allergies.7', values)).toBe('allergies')
    expect(toFormPath('emergencyContact.phone', values)).toBe('emergencyContact.phone')
  })

  it('is found by the contract, nested like the form', async () => {
    const values = {
      ...blankValues,
      lastName: 'Hopper',
      emergencyContact: { name: '', relationship: 'mother', phone: '' },
    }
    const toBody = (each: PatientValues) => toNewPatient(each, true)
    const check = createContractResolver({ schema: NewPatient, toBody, toInput: toFormPath })
    const { errors } = await check(values, undefined, { fields: {}, shouldUseNativeValidation: false })
    expect(errors).toMatchObject({
      firstName: { message: 'First name is required' },
      emergencyContact: { name: { message: 'Please enter the name of the emergency contact' } },
    })
  })

  it('includes an incomplete date', async () => {
    const toBody = (each: PatientValues) => toPatientChange(toPatientValues(maria), each)
    const check = createContractResolver({ schema: PatientChange, toBody, toInput: toFormPath })
    const options = { fields: {}, shouldUseNativeValidation: false }
    const { errors } = await check(typed({ dateOfBirth: 'unfinished' }), undefined, options)
    expect(errors.dateOfBirth?.message).toBe('Please enter a valid date')
  })
})

describe('a record that another user changed', () => {
  const latest = { ...maria, email: 'theirs@example.com', address: '1 New Street', revision: 5 }
  const changes = [
    { field: 'email' as const, value: 'theirs@example.com', by: 'Sam Okafor', at: '2026-11-21T10:00:00.000Z' },
    { field: 'address' as const, value: '1 New Street', by: 'Sam Okafor', at: '2026-11-21T10:00:00.000Z' },
  ]
  const merge = (values: PatientValues) =>
    mergeValues(patientFormFields, { base: toPatientValues(maria), latest: toPatientValues(latest), typed: values })
  const findConflicts = (values: PatientValues) =>
    findFieldConflicts({
      named: changes,
      merge: merge(values),
      formatBefore: (field) => formatField(maria, field),
      formatTheirs: (field) => formatField(latest, field),
      at: '',
    })

  it('is asked about only where both changed a field to something different', () => {
    const conflicts = findConflicts(typed({ email: 'mine@example.com', notes: 'Mine' }))
    expect(conflicts.map(({ field, before, theirs, isContested }) => ({ field, before, theirs, isContested }))).toEqual(
      [
        { field: 'email', before: 'maria@example.com', theirs: 'theirs@example.com', isContested: true },
        { field: 'address', before: '', theirs: '1 New Street', isContested: false },
      ],
    )
  })

  it('is not asked about where both typed the same', () => {
    const [email] = findConflicts(typed({ email: 'theirs@example.com' }))
    expect(email?.isContested).toBe(false)
  })

  it('keeps typed values and takes everything else', () => {
    const { values } = merge(typed({ email: 'mine@example.com', notes: 'Mine' }))
    expect(values).toMatchObject({ email: 'mine@example.com', notes: 'Mine', address: '1 New Street' })
    expect(toPatientChange(toPatientValues(latest), values)).toEqual({ email: 'mine@example.com', notes: 'Mine' })
  })
})
