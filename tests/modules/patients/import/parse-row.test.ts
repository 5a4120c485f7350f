import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportField } from '#contracts/patient-import.ts'
import { emptyPatientFields, PatientFields } from '#contracts/patients.ts'
import { recognizeColumns } from '#modules/patients/import/columns.ts'
import { readCsv } from '#modules/patients/import/csv.ts'
import { type Reading, readRow } from '#modules/patients/import/parse-row.ts'
import { parseEmergencyContact, parseGender, splitName } from '#modules/patients/import/values.ts'

const reading = (columns: readonly (ImportField | null)[], over: Partial<Reading> = {}): Reading => ({
  columns,
  dateFormat: 'iso',
  today: '2026-11-20',
  country: 'US',
  restorePostalCodes: false,
  ...over,
})

/** A row that holds a name and whatever else is given. */
function read(fields: Partial<Record<ImportField, string>>, over: Partial<Reading> = {}) {
  const all = { firstName: 'Grace', lastName: 'Hopper', ...fields }
  const columns = Object.keys(all) as ImportField[]
  return readRow({ row: 7, cells: Object.values(all) }, reading(columns, over))
}

test('a postal code gets its zeros back only when that was chosen', () => {
  const fields = { address: '1 Main St', city: 'Boston', state: 'MA', postalCode: '2139' }
  expect(read(fields).patient?.address).toBe('1 Main St, Boston, MA 2139')
  expect(read(fields, { restorePostalCodes: true }).patient?.address).toBe('1 Main St, Boston, MA 02139')
  expect(read({ ...fields, state: 'Bern' }, { restorePostalCodes: true }).patient?.address).toBe(
    '1 Main St, Boston, Bern 2139',
  )
})

const reasonsOf = (...args: Parameters<typeof read>) => read(...args).reasons

describe('a row becomes a patient', () => {
  test('with everything it says', () => {
    const { patient, reasons } = read({
      dateOfBirth: '1996-02-24',
      gender: 'F',
      email: ' Grace@Example.com ',
      phone: '(617) 555-0123',
      address: '595 Greenfelder Knoll',
      city: 'Quincy',
      state: 'Massachusetts',
      postalCode: '02171',
      emergencyContact: 'Ben Okonkwo (brother) 555-014-0220',
      insuranceProvider: 'Harbor Health',
      policyNumber: 'P-1',
      medicalHistory: 'Asthma; Diabetes',
      allergies: 'Penicillin, Nuts; Nuts',
      medications: 'Lisinopril 10 mg; Aspirin',
      notes: 'Prefers mornings',
    })
    expect(reasons).toEqual([])
    expect(patient).toEqual({
      ...emptyPatientFields,
      firstName: 'Grace',
      lastName: 'Hopper',
      dateOfBirth: '1996-02-24',
      gender: 'female',
      email: 'Grace@Example.com',
      phone: '+16175550123',
      address: '595 Greenfelder Knoll, Quincy, Massachusetts 02171',
      emergencyContact: { name: 'Ben Okonkwo', relationship: 'brother', phone: '555-014-0220' },
      insuranceInfo: { provider: 'Harbor Health', policyNumber: 'P-1', groupNumber: null, memberName: null },
      medicalHistory: 'Asthma\nDiabetes',
      allergies: ['Penicillin', 'Nuts'],
      medications: [
        { name: 'Lisinopril 10 mg', dosage: null, frequency: null },
        { name: 'Aspirin', dosage: null, frequency: null },
      ],
      notes: 'Prefers mornings',
    })
  })

  test.each([
    ['NKDA', 'none-known'],
    ['none', 'none-known'],
    ['None known.', 'none-known'],
    ['No known allergies', 'none-known'],
    ['no known drug allergies; NKA', 'none-known'],
    ['n/a', 'unknown'],
    ['-', 'unknown'],
    ['', 'unknown'],
  ])('allergies of “%s” are %s', (allergies, allergiesStatus) => {
    expect(read({ allergies }).patient).toMatchObject({ allergies: [], allergiesStatus })
  })

  test('one allergy beside “NKDA” is listed', () => {
    expect(read({ allergies: 'NKDA, Latex' }).patient?.allergies).toEqual(['Latex'])
  })

  test('names stay as they are', () => {
    expect(read({ firstName: 'Theda286', lastName: 'O’BRIEN  Núñez' }).patient).toMatchObject({
      firstName: 'Theda286',
      lastName: 'O’BRIEN Núñez',
    })
  })

  test('with nothing but a name', () => {
    expect(read({}).patient).toMatchObject({ dateOfBirth: null, phone: null, address: null, allergies: [] })
    expect(
      readRow({ row: 2, cells: ['Grace', 'Hopper'] }, reading(['firstName', 'lastName', 'email'])).reasons,
    ).toEqual([])
  })

  test('a date of death is kept, and a column that says "alive" is empty', () => {
    expect(read({ dateOfBirth: '1950-01-01', deceasedOn: '2015-07-02' }).patient).toMatchObject({
      deceasedOn: '2015-07-02',
    })
    expect(read({ deceasedOn: 'No' }).patient).toMatchObject({ deceasedOn: null })
  })

  test('a birth or a death of today, and both on one day', () => {
    const today = '2026-11-20'
    expect(read({ dateOfBirth: today }).patient).toMatchObject({ dateOfBirth: today })
    expect(read({ dateOfBirth: today, deceasedOn: today }).patient).toMatchObject({ deceasedOn: today })
  })

  test('a year of death with two digits is the latest possible one, unlike a year of birth', () => {
    expect(read({ deceasedOn: '4.3.20' }, { dateFormat: 'dmy' }).patient).toMatchObject({ deceasedOn: '2020-03-04' })
  })

  test('every part of an insurance', () => {
    const insurance = { insuranceProvider: 'Harbor Health', policyNumber: 'P-1', groupNumber: 'G-2' }
    expect(read(insurance).patient?.insuranceInfo).toEqual({
      provider: 'Harbor Health',
      policyNumber: 'P-1',
      groupNumber: 'G-2',
      memberName: null,
    })
  })

  test('further phone numbers and addresses become notes, once, and not the one that is stored anyway', () => {
    const fields = {
      phone: '(617) 555-0123',
      otherPhone: '(617) 555-0199',
      email: 'grace@example.com',
      otherEmail: 'grace@example.com',
      notes: 'Prefers mornings',
    }
    expect(read(fields).patient?.notes).toBe('Prefers mornings\nOther phone: (617) 555-0199')
    const twice = readRow(
      { row: 2, cells: ['A', 'B', '1', '2', '1'] },
      reading(['firstName', 'lastName', 'otherPhone', 'otherPhone', 'otherPhone']),
    )
    expect(twice.patient?.notes).toBe('Other phone: 1\nOther phone: 2')
  })

  test('the parts of an address that are there', () => {
    expect(read({ city: 'Quincy', postalCode: '02171' }).patient?.address).toBe('Quincy, 02171')
    const twice = readRow(
      { row: 2, cells: ['A', 'B', '5 Elm St', 'Apt 4', 'US'] },
      reading(['firstName', 'lastName', 'address', 'address', 'country']),
    )
    expect(twice.patient?.address).toBe('5 Elm St, Apt 4, US')
  })

  test('numbers of the practice’s country', () => {
    expect(read({ phone: '020 7946 0018' }, { country: 'GB' }).patient?.phone).toBe('+442079460018')
    expect(read({ phone: '+44 20 7946 0018' }).patient?.phone).toBe('+442079460018')
  })
})

describe('a row that cannot become one says why, and names no one', () => {
  test.each<[Partial<Record<ImportField, string>>, string]>([
    [{ lastName: ' ' }, 'Last name is missing'],
    [{ firstName: '' }, 'First name is missing'],
    [{ dateOfBirth: '1990-02-30' }, 'Date of birth “1990-02-30”: February 30 does not exist'],
    [{ dateOfBirth: '2026-11-21' }, 'Date of birth “2026-11-21” is in the future'],
    [{ dateOfBirth: '1899-12-31' }, 'Date of birth: must not be before 1900'],
    [{ dateOfBirth: '4.3.20' }, 'Date of birth “4.3.20”: the year may be 2020 or 1920, please write four digits'],
    [{ deceasedOn: 'yes' }, 'Date of death: this is not a date'],
    [{ dateOfBirth: '1990-01-02', deceasedOn: '1990-01-01' }, 'Date of death is before the date of birth'],
    [{ email: 'nadia.karim@' }, 'Email is not complete'],
    [{ email: `nadia.karim@${'x'.repeat(250)}.example` }, 'Email: at most 254 characters'],
    [{ phone: '12' }, 'Phone number “12” is not complete, or not a number alone'],
    [{ phone: 'Grace 617' }, 'Phone number is not complete, or not a number alone'],
    [{ dateOfBirth: '31 Foo 1999' }, 'Date of birth “31 Foo 1999”: this is not a date'],
    [{ dateOfBirth: 'Hopper 1999' }, 'Date of birth: this is not a date'],
    [{ phone: 'ask the desk' }, 'Phone number is not complete, or not a number alone'],
    [{ gender: 'Hopper' }, 'Gender is none of female, male, other or unknown'],
    [{ policyNumber: 'P-1' }, 'Insurance provider is missing'],
    [{ firstName: 'x'.repeat(101) }, 'First name: at most 100 characters'],
    [{ notes: 'x'.repeat(20_001) }, 'Notes: at most 20,000 characters'],
    [{ notes: 'a\u000Bb' }, 'Notes: contains characters that cannot be stored'],
    [{ allergies: 'x'.repeat(101) }, 'Allergies: at most 100 characters'],
    [{ address: 'x'.repeat(501) }, 'Address: at most 500 characters'],
    [{ emergencyContact: 'x'.repeat(101) }, 'Emergency contact: at most 100 characters'],
    [{ insuranceProvider: 'x'.repeat(101) }, 'Insurance: at most 100 characters'],
    [{ medicalHistory: 'x'.repeat(20_001) }, 'Medical history: at most 20,000 characters'],
    [{ medications: 'x'.repeat(101) }, 'Medications: at most 100 characters'],
    [{ dateOfBirth: `${'1'.repeat(30)}` }, `Date of birth “${'1'.repeat(30)}”: this is not a date`],
    [{ dateOfBirth: `${'1'.repeat(31)}` }, 'Date of birth: this is not a date'],
  ])('%j: %s', (fields, reason) => {
    const { patient, reasons } = read(fields)
    expect(reasons).toEqual([reason])
    expect(patient).toBeNull()
  })

  test('every reason at once', () => {
    expect(reasonsOf({ lastName: '', email: 'x@', dateOfBirth: '1990-13-01' })).toEqual([
      'Date of birth “1990-13-01”: month 13 does not exist',
      'Last name is missing',
      'Email is not complete',
    ])
  })

  test('more values than columns', () => {
    const columns = reading(['firstName', 'lastName'])
    expect(readRow({ row: 2, cells: ['A', 'B', '', 'x'] }, columns).reasons).toEqual([
      'The row has more values than the file has columns',
    ])
    expect(readRow({ row: 2, cells: ['A', 'B', '', ' '] }, columns).reasons).toEqual([])
  })

  test('a date that has to be asked about', () => {
    expect(reasonsOf({ dateOfBirth: '3/4/1978' }, { dateFormat: null })).toEqual([
      'Date of birth “3/4/1978”: day or month first has to be chosen',
    ])
  })

  test('what is wrong is shown as the file has it', () => {
    expect(read({ dateOfBirth: '2/30/1990', email: 'nadia@', phone: '12' }, { dateFormat: 'mdy' }).shown).toMatchObject(
      {
        dateOfBirth: '2/30/1990',
        email: 'nadia@',
        phone: '12',
      },
    )
  })
})

test('a row is shown with what it says, shortened', () => {
  const { shown } = read({
    firstName: 'x'.repeat(201),
    lastName: 'y'.repeat(201),
    gender: 'Hopper',
    address: 'z'.repeat(201),
    deceasedOn: 'yes',
  })
  expect(shown).toEqual({
    firstName: 'x'.repeat(200),
    lastName: 'y'.repeat(200),
    dateOfBirth: null,
    gender: 'Hopper',
    email: null,
    phone: null,
    address: 'z'.repeat(200),
    deceasedOn: 'yes',
  })
})

describe('the words of other systems', () => {
  test.each([
    [['M', 'm.', 'Male', 'MALE', 'Männlich', 'hombre', 'Masculin'], 'male'],
    [['F', 'female', 'W', 'weiblich', 'Femme', 'mujer'], 'female'],
    [['O', 'other', 'X', 'divers', 'Non-binary'], 'other'],
    [['U', 'unknown', 'UNK', 'unbekannt', '?', 'N/A'], 'unknown'],
    [['H', 'Hopper', '1'], null],
  ])('%j is %s', (words, gender) => {
    expect(words.map(parseGender)).toEqual(words.map(() => gender))
  })

  test.each([
    ['Hopper, Grace Brewster', 'Grace Brewster', 'Hopper'],
    ['Grace Brewster Hopper', 'Grace Brewster', 'Hopper'],
    ['Hopper', '', 'Hopper'],
    [' Hopper ,Grace ', 'Grace', 'Hopper'],
  ])('%s', (full, firstName, lastName) => {
    expect(splitName(full)).toEqual({ firstName, lastName })
    expect(read({ firstName: '', lastName: '', fullName: full }).patient?.lastName ?? lastName).toBe(lastName)
  })

  test.each([
    ['Ben Okonkwo 555-014-0220', 'Ben Okonkwo', null, '555-014-0220'],
    ['Ben Okonkwo (brother): +1 617 555 0123', 'Ben Okonkwo', 'brother', '+1 617 555 0123'],
    ['Ben', 'Ben', null, null],
    ['555-014-0220', '555-014-0220', null, null],
  ])('emergency contact %s', (value, name, relationship, phone) => {
    expect(parseEmergencyContact(value)).toEqual({ name, relationship, phone })
  })
})

test('the file of Synthea is read without a fault', async () => {
  const rows = []
  for await (const row of readCsv(readFileSync('tests/fixtures/patients-synthea.csv', 'utf8'))) rows.push(row)
  const [heading, ...others] = rows
  const columns = recognizeColumns(heading?.cells ?? [], []).map(({ field }) => field)
  const patients = others.map((row) => readRow(row, reading(columns)))
  expect(patients).toHaveLength(555)
  expect(patients.filter(({ patient }) => !patient)).toEqual([])
  expect(patients.filter(({ patient }) => patient?.deceasedOn).length).toBeGreaterThan(10)
  expect(patients[0]).toMatchObject({
    row: 2,
    patient: {
      firstName: 'Theda286',
      lastName: 'Kirlin939',
      dateOfBirth: '1996-02-24',
      gender: 'female',
      address: '595 Greenfelder Knoll, Quincy, Massachusetts 02171',
      deceasedOn: null,
    },
  })
})

test('whatever a file says, what is read is what the form would take, or has a reason', () => {
  const fields: ImportField[] = [
    'firstName',
    'lastName',
    'dateOfBirth',
    'gender',
    'email',
    'phone',
    'allergies',
    'notes',
  ]
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'Grace',
      'F',
      '1996-02-24',
      'g@example.com',
      '617 555 0123',
      '\u0000',
      '\uD800',
      'x'.repeat(30_000),
    ),
  )
  fc.assert(
    fc.property(fc.array(cell, { minLength: 8, maxLength: 8 }), (cells) => {
      const { patient, reasons } = readRow({ row: 2, cells }, reading(fields))
      expect(patient === null).toBe(reasons.length > 0)
      expect(patient === null || PatientFields.safeParse(patient).success).toBe(true)
    }),
    { numRuns: 300 },
  )
})
