import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyPatientFields, NewPatient, Patient, PatientChange } from '#contracts/patients.ts'
import { patientResolver } from '#web/features/patients/form/form-resolver.ts'
import {
  blankValues,
  findChangedFields,
  toPatientChange,
  toPatientFields,
  toFormPath,
  toNewPatient,
  type PatientValues,
  toPatientValues,
} from '#web/features/patients/form/form-values.ts'
import { findFieldConflicts, rebaseValues } from '#web/features/patients/form/conflict.ts'

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
  it('is sent with what was filled in only', () => {
    const values = { ...blankValues, firstName: 'Ada', lastName: 'Hopper', allergies: ' latex \n\n' }
    expect(toNewPatient(values, true)).toEqual({ firstName: 'Ada', lastName: 'Hopper', allergies: [' latex '] })
    expect(NewPatient.parse(toNewPatient(values, true))).toMatchObject({ allergies: ['latex'] })
  })

  it('carries no health data from somebody who may not write it', () => {
    const values = { ...blankValues, firstName: 'Ada', lastName: 'Hopper', medicalHistory: 'x', allergies: 'y' }
    expect(toNewPatient(values, false)).toEqual({ firstName: 'Ada', lastName: 'Hopper' })
  })

  it('is always sent with both names, so that a missing one is said beside its field', () => {
    expect(toNewPatient(blankValues, true)).toEqual({ firstName: '', lastName: '' })
  })
})

describe('an edit', () => {
  it('sends nothing when nothing was typed', () => {
    expect(toPatientChange(toPatientValues(maria), toPatientValues(maria))).toEqual({})
  })

  it('sends only the field that was changed', () => {
    expect(toPatientChange(toPatientValues(maria), typed({ phone: '(617) 555-0199' }))).toEqual({
      phone: '(617) 555-0199',
    })
  })

  it('clears what was emptied', () => {
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

  it('shows numbers of other countries with their code, so that they are not read as ours', () => {
    const abroad = { ...maria, phone: '+493012345678', phoneNational: '030 12345678' }
    expect(toPatientValues(abroad).phone).toBe('+493012345678')
    expect(toPatientValues(maria).phone).toBe('(617) 555-0182')
  })

  it('brings any record through the form and back unchanged', () => {
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

describe('what is wrong', () => {
  it('is said beside the field it was typed in, past rows left blank', () => {
    const blank = { name: '', dosage: '', frequency: '' }
    const values = typed({ medications: [blank, blank, { name: '', dosage: '5 mg', frequency: '' }] })
    expect(toFormPath('medications.0.name', values)).toBe('medications.2.name')
    expect(toFormPath('allergies.7', values)).toBe('allergies')
    expect(toFormPath('emergencyContact.phone', values)).toBe('emergencyContact.phone')
  })

  it('is found by the contract, nested as the form is', async () => {
    const values = {
      ...blankValues,
      lastName: 'Hopper',
      emergencyContact: { name: '', relationship: 'mother', phone: '' },
    }
    const check = patientResolver(NewPatient)
    const sending = { toBody: (one: PatientValues) => toNewPatient(one, true) }
    const { errors } = await check(values, sending, { fields: {}, shouldUseNativeValidation: false })
    expect(errors).toMatchObject({
      firstName: { message: 'First name is required' },
      emergencyContact: { name: { message: 'Please enter the name of the emergency contact' } },
    })
  })

  it('includes a date that is typed in part', async () => {
    const check = patientResolver(PatientChange)
    const sending = { toBody: (one: PatientValues) => toPatientChange(toPatientValues(maria), one) }
    const options = { fields: {}, shouldUseNativeValidation: false }
    const { errors } = await check(typed({ dateOfBirth: 'unfinished' }), sending, options)
    expect(errors.dateOfBirth?.message).toBe('Please enter a real date')
  })
})

describe('a record somebody else changed meanwhile', () => {
  const latest = { ...maria, email: 'theirs@example.com', address: '1 New Street', revision: 5 }
  const changes = [
    { field: 'email' as const, value: 'theirs@example.com', by: 'Sam Okafor', at: '2026-11-21T10:00:00.000Z' },
    { field: 'address' as const, value: '1 New Street', by: 'Sam Okafor', at: '2026-11-21T10:00:00.000Z' },
  ]

  it('is asked about only where both changed a field to something different', () => {
    const overtaken = findFieldConflicts(changes, maria, latest, typed({ email: 'mine@example.com', notes: 'Mine' }))
    expect(
      overtaken.map(({ field, before, theirs, isContested: contested }) => ({ field, before, theirs, contested })),
    ).toEqual([
      { field: 'email', before: 'maria@example.com', theirs: 'theirs@example.com', contested: true },
      { field: 'address', before: '', theirs: '1 New Street', contested: false },
    ])
  })

  it('is not asked about where both typed the same', () => {
    const [email] = findFieldConflicts(changes, maria, latest, typed({ email: 'theirs@example.com' }))
    expect(email?.isContested).toBe(false)
  })

  it('keeps what was typed here and takes everything else', () => {
    const values = rebaseValues(maria, latest, typed({ email: 'mine@example.com', notes: 'Mine' }))
    expect(values).toMatchObject({ email: 'mine@example.com', notes: 'Mine', address: '1 New Street' })
    expect(toPatientChange(toPatientValues(latest), values)).toEqual({ email: 'mine@example.com', notes: 'Mine' })
  })
})
