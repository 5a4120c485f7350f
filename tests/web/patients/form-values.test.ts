import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NewPatient, Patient, PatientChange } from '#contracts/patients.ts'
import { patientResolver } from '#web/features/patients/form-resolver.ts'
import {
  blankValues,
  changedFields,
  changeOf,
  fieldsOf,
  formPathOf,
  newPatientOf,
  type PatientValues,
  valuesOf,
} from '#web/features/patients/form-values.ts'
import { overtakenBy, rebased } from '#web/features/patients/meanwhile.ts'

const maria = Patient.parse({
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

const typed = (changes: Partial<PatientValues>): PatientValues => ({ ...valuesOf(maria), ...changes })

describe('a new patient', () => {
  it('is sent with what was filled in only', () => {
    const values = { ...blankValues, firstName: 'Ada', lastName: 'Hopper', allergies: ' latex \n\n' }
    expect(newPatientOf(values, true)).toEqual({ firstName: 'Ada', lastName: 'Hopper', allergies: [' latex '] })
    expect(NewPatient.parse(newPatientOf(values, true))).toMatchObject({ allergies: ['latex'] })
  })

  it('carries no health data from somebody who may not write it', () => {
    const values = { ...blankValues, firstName: 'Ada', lastName: 'Hopper', medicalHistory: 'x', allergies: 'y' }
    expect(newPatientOf(values, false)).toEqual({ firstName: 'Ada', lastName: 'Hopper' })
  })

  it('is always sent with both names, so that a missing one is said beside its field', () => {
    expect(newPatientOf(blankValues, true)).toEqual({ firstName: '', lastName: '' })
  })
})

describe('an edit', () => {
  it('sends nothing when nothing was typed', () => {
    expect(changeOf(valuesOf(maria), valuesOf(maria))).toEqual({})
  })

  it('sends only the field that was changed', () => {
    expect(changeOf(valuesOf(maria), typed({ phone: '(617) 555-0199' }))).toEqual({ phone: '(617) 555-0199' })
  })

  it('clears what was emptied', () => {
    const empty = { name: '', relationship: ' ', phone: '' }
    const change = PatientChange.parse(
      changeOf(valuesOf(maria), typed({ email: '', dateOfBirth: '', emergencyContact: empty })),
    )
    expect(change).toEqual({ email: null, dateOfBirth: null, emergencyContact: null })
  })

  it('does not count blank rows and lines as a change', () => {
    const values = typed({
      allergies: 'penicillin\n\nlatex\n',
      medications: [...valuesOf(maria).medications, { name: ' ', dosage: '', frequency: '' }],
    })
    expect(changedFields(valuesOf(maria), values)).toEqual([])
  })

  it('shows numbers of other countries with their code, so that they are not read as ours', () => {
    const abroad = { ...maria, phone: '+493012345678', phoneNational: '030 12345678' }
    expect(valuesOf(abroad).phone).toBe('+493012345678')
    expect(valuesOf(maria).phone).toBe('(617) 555-0182')
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
        const values = valuesOf({ ...maria, ...parts })
        expect(fieldsOf(values).allergies).toEqual(parts.allergies)
        expect(fieldsOf(values).medications).toHaveLength(parts.medications.length)
        expect(changeOf(values, values)).toEqual({})
      }),
    )
  })
})

describe('what is wrong', () => {
  it('is said beside the field it was typed in, past rows left blank', () => {
    const blank = { name: '', dosage: '', frequency: '' }
    const values = typed({ medications: [blank, blank, { name: '', dosage: '5 mg', frequency: '' }] })
    expect(formPathOf('medications.0.name', values)).toBe('medications.2.name')
    expect(formPathOf('allergies.7', values)).toBe('allergies')
    expect(formPathOf('emergencyContact.phone', values)).toBe('emergencyContact.phone')
  })

  it('is found by the contract, nested as the form is', async () => {
    const values = {
      ...blankValues,
      lastName: 'Hopper',
      emergencyContact: { name: '', relationship: 'mother', phone: '' },
    }
    const check = patientResolver(NewPatient)
    const sending = { bodyOf: (one: PatientValues) => newPatientOf(one, true) }
    const { errors } = await check(values, sending, { fields: {}, shouldUseNativeValidation: false })
    expect(errors).toMatchObject({
      firstName: { message: 'First name is required' },
      emergencyContact: { name: { message: 'Please enter the name of the emergency contact' } },
    })
  })

  it('includes a date that is typed in part', async () => {
    const check = patientResolver(PatientChange)
    const sending = { bodyOf: (one: PatientValues) => changeOf(valuesOf(maria), one) }
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
    const overtaken = overtakenBy(changes, maria, latest, typed({ email: 'mine@example.com', notes: 'Mine' }))
    expect(overtaken.map(({ field, before, theirs, contested }) => ({ field, before, theirs, contested }))).toEqual([
      { field: 'email', before: 'maria@example.com', theirs: 'theirs@example.com', contested: true },
      { field: 'address', before: '', theirs: '1 New Street', contested: false },
    ])
  })

  it('is not asked about where both typed the same', () => {
    const [email] = overtakenBy(changes, maria, latest, typed({ email: 'theirs@example.com' }))
    expect(email?.contested).toBe(false)
  })

  it('keeps what was typed here and takes everything else', () => {
    const values = rebased(maria, latest, typed({ email: 'mine@example.com', notes: 'Mine' }))
    expect(values).toMatchObject({ email: 'mine@example.com', notes: 'Mine', address: '1 New Street' })
    expect(changeOf(valuesOf(latest), values)).toEqual({ email: 'mine@example.com', notes: 'Mine' })
  })
})
