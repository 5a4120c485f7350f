import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ImportField } from '#contracts/patient-import.ts'
import { joinedFields, hasNoHeading, nameColumns, recognizeColumns } from '#modules/patients/import/columns.ts'

const fieldsOf = (...heading: string[]) => recognizeColumns(heading, []).map(({ field }) => field)

test.each([
  [
    'firstName',
    [
      'FIRST',
      'First Name',
      'first_name',
      'given_name',
      'GivenName',
      'firstname',
      'fname',
      'Vorname',
      'Prénom',
      'Nombre',
      'Patient First Name',
    ],
  ],
  [
    'lastName',
    ['LAST', 'Surname', 'family_name', 'Last-Name', 'Nachname', 'Apellido', 'Apellidos', 'Nom de famille', 'Cognome'],
  ],
  ['fullName', ['Name', 'Full Name', 'Patient Name', 'Patient', 'Nombre completo']],
  [
    'dateOfBirth',
    [
      'BIRTHDATE',
      'DOB',
      'D.O.B.',
      'Date of Birth',
      'Date of Birth (MM/DD/YYYY)',
      'birth_date',
      'Geburtsdatum',
      'Date de naissance',
      'Fecha de nacimiento',
    ],
  ],
  ['gender', ['GENDER', 'Sex', 'Geschlecht', 'Sexe', 'Género', 'M/F']],
  ['email', ['E-mail', 'EMAIL', 'Email Address', 'Courriel', 'Correo electrónico']],
  ['phone', ['Phone', 'PHONE NUMBER', 'Cell', 'Mobile', 'Telefon', 'Teléfono', 'Téléphone', 'Home Phone', 'Tel.']],
  ['address', ['ADDRESS', 'Street', 'Address Line 1', 'Straße', 'Adresse']],
  ['city', ['CITY', 'Town', 'Ort', 'Ville', 'Ciudad']],
  ['state', ['STATE', 'Province', 'Bundesland']],
  ['postalCode', ['ZIP', 'Zip Code', 'Postal Code', 'PLZ', 'Code postal']],
  ['country', ['Country', 'Land', 'País']],
  ['emergencyContact', ['ICE', 'Emergency Contact', 'Next of Kin', 'Notfallkontakt']],
  ['insuranceProvider', ['Insurance', 'Insurance Company', 'Payer', 'Krankenkasse']],
  ['policyNumber', ['Policy Number', 'Member ID', 'Policy #no']],
  ['groupNumber', ['Group Number', 'Group No.']],
  ['medicalHistory', ['Medical History', 'PMH', 'Diagnoses', 'Vorerkrankungen']],
  ['allergies', ['Allergies', 'Known Allergies', 'Allergien']],
  ['medications', ['Medications', 'Current Meds', 'Medikamente']],
  ['notes', ['Notes', 'Comments', 'Bemerkungen']],
  ['deceasedOn', ['DEATHDATE', 'Date of Death', 'Deceased', 'Sterbedatum']],
] as const)('%s is recognized in many spellings', (field, headings) => {
  expect(headings.map((heading) => [heading, ...fieldsOf(heading)])).toEqual(
    headings.map((heading) => [heading, field]),
  )
})

test('numbers of the state and of other systems are never imported, not even by their values', () => {
  const heading = [
    'SSN',
    'DRIVERS',
    'PASSPORT',
    'Id',
    'MRN',
    'Social Security Number',
    "Driver's License",
    'LegacyNo',
    'Passport No',
  ]
  const row = heading.map(() => '555-014-0219')
  expect(recognizeColumns(heading, [row]).every(({ field }) => field === null)).toBe(true)
})

test('the file of Synthea', () => {
  const heading =
    'Id,BIRTHDATE,DEATHDATE,SSN,DRIVERS,PASSPORT,PREFIX,FIRST,MIDDLE,LAST,SUFFIX,MAIDEN,MARITAL,RACE,ETHNICITY,GENDER,BIRTHPLACE,ADDRESS,CITY,STATE,COUNTY,FIPS,ZIP,LAT,LON,HEALTHCARE_EXPENSES,HEALTHCARE_COVERAGE,INCOME'.split(
      ',',
    )
  const found = recognizeColumns(heading, []).filter(({ field }) => field)
  expect(Object.fromEntries(found.map((column) => [column.heading, column.field]))).toEqual({
    BIRTHDATE: 'dateOfBirth',
    DEATHDATE: 'deceasedOn',
    FIRST: 'firstName',
    LAST: 'lastName',
    GENDER: 'gender',
    ADDRESS: 'address',
    CITY: 'city',
    STATE: 'state',
    ZIP: 'postalCode',
  })
})

describe('several columns for one thing', () => {
  test('the surest wins, wherever it stands', () => {
    expect(fieldsOf('Home Phone', 'Phone', 'Work')).toEqual(['otherPhone', 'phone', null])
    expect(fieldsOf('Birth', 'Date of Birth')).toEqual([null, 'dateOfBirth'])
  })
  test('a further phone number or email is kept', () => {
    expect(fieldsOf('Name', 'Phone', 'Phone', 'Email', 'E-mail')).toEqual([
      'fullName',
      'phone',
      'otherPhone',
      'email',
      'otherEmail',
    ])
  })
  test('the parts of an address go together', () => {
    expect(fieldsOf('Address 1', 'Address 2', 'City')).toEqual(['address', 'address', 'city'])
  })
  test('a full name beside first and last name is left out', () => {
    expect(fieldsOf('Name', 'First Name', 'Last Name')).toEqual([null, 'firstName', 'lastName'])
    expect(fieldsOf('Patient Name', 'DOB')).toEqual(['fullName', 'dateOfBirth'])
  })
  test('every heading has a name of its own', () => {
    expect(nameColumns(['Phone', ' Phone ', '', 'Phone', 'Phone (2)', ''])).toEqual([
      'Phone',
      'Phone (2)',
      'Column 3',
      'Phone (3)',
      'Phone (2) (2)',
      'Column 6',
    ])
  })
})

describe('a heading that says nothing', () => {
  test('is guessed from its values, and said to be a guess', () => {
    const columns = recognizeColumns(
      ['First', 'Last', 'Reach', 'Ring', 'Kind', 'Code'],
      [
        ['Grace', 'Hopper', 'grace@example.com', '(617) 555-0123', 'F', '12'],
        ['Alan', 'Turing', '', '+44 20 7946 0018', 'M', 'x'],
      ],
    )
    expect(columns.slice(2)).toEqual([
      { heading: 'Reach', field: 'email', sample: 'grace@example.com', isCertain: false },
      { heading: 'Ring', field: 'phone', sample: '(617) 555-0123', isCertain: false },
      { heading: 'Kind', field: 'gender', sample: 'F', isCertain: false },
      { heading: 'Code', field: null, sample: '12', isCertain: true },
    ])
  })
  test('a date may be any date and is not guessed', () => {
    expect(recognizeColumns(['Seen'], [['1996-02-24']])[0]).toMatchObject({ field: null })
  })
})

test('a file without headings is noticed', () => {
  expect(hasNoHeading(['Grace', 'Hopper', '12/09/1906', 'grace@example.com'])).toBe(true)
  expect(hasNoHeading(['First', '12/09/1906'])).toBe(false)
  expect(hasNoHeading(['Colour', 'Shape'])).toBe(false)
})

test('whatever the headings are: one name each, and no single thing twice', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'First Name',
      'Phone',
      'Cell',
      'DOB',
      'Birthdate',
      'Name',
      'Notes',
      'Address',
      'Surname',
      '__proto__',
      'constructor',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 12 }),
      fc.array(fc.array(fc.string())),
      (heading, samples) => {
        const columns = recognizeColumns(heading, samples)
        expect(new Set(columns.map((column) => column.heading)).size).toBe(heading.length)
        const single = columns.flatMap(({ field }) => (field && !joinedFields.has(field) ? [field] : []))
        expect(new Set(single).size).toBe(single.length)
        const known = new Set<string | null>([...ImportField.options, null])
        expect(columns.every(({ field }) => known.has(field))).toBe(true)
      },
    ),
  )
})
