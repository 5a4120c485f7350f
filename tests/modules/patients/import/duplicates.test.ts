import { expect, test } from 'vitest'
import type { PatientFields } from '#contracts/patients.ts'
import { createRowHistory, matchExisting, createDuplicateKeys } from '#modules/patients/import/duplicates.ts'

const patient = (over: Partial<PatientFields>) =>
  createDuplicateKeys({
    firstName: 'José',
    lastName: 'Gómez',
    dateOfBirth: null,
    phone: null,
    email: null,
    ...over,
  } as PatientFields)

test('namesakes are one person only with the same birth date', () => {
  const rows = createRowHistory()
  expect(rows.matchEarlier(2, patient({ dateOfBirth: '1990-01-01' }))).toEqual([])
  expect(rows.matchEarlier(3, patient({ dateOfBirth: '1990-01-02' }))).toEqual([])
  expect(rows.matchEarlier(4, patient({}))).toEqual([])
  const shouted = { firstName: 'JOSE', lastName: 'GOMEZ', dateOfBirth: '1990-01-01' }
  expect(rows.matchEarlier(5, patient(shouted))).toEqual(['Same name and birth date as row 2'])
})

test('namesakes of whom no birth date is known may be one person, as in the form', () => {
  const rows = createRowHistory()
  expect(rows.matchEarlier(2, patient({}))).toEqual([])
  expect(rows.matchEarlier(3, patient({ firstName: 'jose' }))).toEqual(['Same name, without a birth date, as row 2'])
  const known = { namesake: new Set(['---------- jose gomez']), phone: new Set<string>(), email: new Set<string>() }
  expect(matchExisting(patient({}), known)).toEqual([
    'Same name, without a birth date, as a patient who is already here',
  ])
  expect(matchExisting(patient({ dateOfBirth: '1990-01-01' }), known)).toEqual([])
})

test('one phone number or one email is one person', () => {
  const rows = createRowHistory()
  rows.matchEarlier(2, patient({ phone: '+16175550123' }))
  rows.matchEarlier(3, patient({ email: 'Jose@Example.com' }))
  const both = patient({ lastName: 'Other', phone: '+16175550123', email: 'jose@example.com' })
  expect(rows.matchEarlier(4, both)).toEqual(['Same phone number as row 2', 'Same email as row 3'])
})

test('a patient who is already here is not named', () => {
  const known = { namesake: new Set(['1990-01-01 jose gomez']), phone: new Set<string>(), email: new Set(['a@b.c']) }
  expect(matchExisting(patient({ dateOfBirth: '1990-01-01', email: 'A@b.c' }), known)).toEqual([
    'Same name and birth date as a patient who is already here',
    'Same email as a patient who is already here',
  ])
  expect(matchExisting(patient({ dateOfBirth: '1990-01-02', email: null }), known)).toEqual([])
})
