import { describe, expect, it, test } from 'vitest'
import type { PatientFields } from '#contracts/patients.ts'
import {
  createDuplicateKeys,
  createRowHistory,
  type ExistingKeys,
  matchExisting,
} from '#modules/patients/import/duplicates.ts'

const patient = (over: Partial<PatientFields>) =>
  createDuplicateKeys({
    firstName: 'José',
    lastName: 'Gómez',
    dateOfBirth: null,
    phone: null,
    email: null,
    ...over,
  } as PatientFields)

const duplicate = (reason: string) => [{ kind: 'duplicate', reason }]
const question = (reason: string) => [{ kind: 'question', reason }]

test('namesakes are one person only with the same birth date', () => {
  const rows = createRowHistory()
  expect(rows.matchEarlier(2, patient({ dateOfBirth: '1990-01-01' }))).toEqual([])
  expect(rows.matchEarlier(3, patient({ dateOfBirth: '1990-01-02' }))).toEqual([])
  expect(rows.matchEarlier(4, patient({}))).toEqual([])
  const shouted = { firstName: ' JOSE ', lastName: 'GOMEZ', dateOfBirth: '1990-01-01' }
  expect(rows.matchEarlier(5, patient(shouted))).toEqual(duplicate('Same name and birth date as row 2'))
})

const known = (namesakes: readonly string[], over: Partial<ExistingKeys> = {}): ExistingKeys => ({
  namesake: new Set(namesakes),
  phone: new Map(),
  email: new Map(),
  ...over,
})

test('namesakes of whom no birth date is known may be one person, as in the form', () => {
  const rows = createRowHistory()
  expect(rows.matchEarlier(2, patient({}))).toEqual([])
  expect(rows.matchEarlier(3, patient({ firstName: 'jose' }))).toEqual(
    duplicate('Same name, without a birth date, as row 2'),
  )
  const jose = known(['---------- jose gomez'])
  expect(matchExisting(patient({}), jose)).toEqual(
    duplicate('Same name, without a birth date, as a patient who is already here'),
  )
  expect(matchExisting(patient({ dateOfBirth: '1990-01-01' }), jose)).toEqual([])
})

describe('a shared phone number or email', () => {
  const home = { dateOfBirth: '2019-05-04', lastName: 'Silva', phone: '+16175550123', email: 'silva@example.com' }

  it('does not make twins one person, nor a parent and a child', () => {
    const rows = createRowHistory()
    expect(rows.matchEarlier(2, patient({ ...home, firstName: 'Ana' }))).toEqual([])
    expect(rows.matchEarlier(3, patient({ ...home, firstName: 'Eva' }))).toEqual([])
    expect(rows.matchEarlier(4, patient({ ...home, firstName: 'Rita', dateOfBirth: '1985-01-01' }))).toEqual([])
    expect(rows.matchEarlier(5, patient({ ...home, firstName: ' ANA ' }))).toEqual(
      duplicate('Same name and birth date as row 2'),
    )
  })

  it('with a similar name asks', () => {
    const rows = createRowHistory()
    rows.matchEarlier(2, patient({ ...home, firstName: 'Ana' }))
    expect(rows.matchEarlier(3, patient({ ...home, firstName: 'Anna' }))).toEqual([
      ...question('Same phone number and a similar name as row 2'),
      ...question('Same email and a similar name as row 2'),
    ])
    const sister = { ...home, firstName: 'Ania', dateOfBirth: '2021-01-01' }
    expect(rows.matchEarlier(4, patient(sister))).toEqual([])
  })

  it('with the same name asks when a birth date differs, or is missing', () => {
    const rows = createRowHistory()
    rows.matchEarlier(2, patient({ ...home, email: null }))
    const other = { ...home, email: null, dateOfBirth: '2019-04-05' }
    expect(rows.matchEarlier(3, patient(other))).toEqual(
      question('Same phone number and the same name with another birth date as row 2'),
    )
    expect(rows.matchEarlier(4, patient({ ...home, email: null, dateOfBirth: null }))).toEqual(
      question('Same phone number and the same name, without a birth date, as row 2'),
    )
  })

  it('is compared with the patients who are here, without naming them', () => {
    const ana = { namesake: '2019-05-04 ana silva' }
    const here = known(['2019-05-04 ana silva'], { email: new Map([['silva@example.com', [ana]]]) })
    expect(matchExisting(patient({ ...home, firstName: 'Eva' }), here)).toEqual([])
    expect(matchExisting(patient({ ...home, firstName: 'Anna', email: 'Silva@Example.com' }), here)).toEqual(
      question('Same email and a similar name as a patient who is already here'),
    )
    expect(matchExisting(patient({ ...home, firstName: 'Ana' }), here)).toEqual(
      duplicate('Same name and birth date as a patient who is already here'),
    )
  })
})
