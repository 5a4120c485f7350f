import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Gender, type Patient, PatientFields } from '#contracts/patients.ts'
import { patientColumns, formatHeader, formatRow } from '#modules/data-exports/csv.ts'
import { toAllergies, toConditions, toCoverage, toMedications, toPatient } from '#modules/data-exports/fhir.ts'
import { findProblems, findReferences } from '#tests/modules/data-exports/fhir-rules.ts'
import { cases } from '#tests/support/long.ts'

const id = '00000005-0000-4000-8000-000000000001'
const practiceId = '00000001-0000-4000-8000-000000000001'

/** Any text of Unicode, and those that CSV, spreadsheets and JSON may trip over. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('=1+1', '+1', '-1', '@A1', `'=1`, '"', ',', 'a\r\nb', '\u2028', '', ' ', '\u200b', '🩺', 'null'),
)
const optional = fc.option(text)
const medication = fc.record({ name: text, dosage: optional, frequency: optional })

/** Records as the contract stores them: what it refuses is never exported. */
const patient: fc.Arbitrary<Patient> = fc
  .record({
    firstName: text,
    lastName: text,
    dateOfBirth: fc.constantFrom(null, '1980-02-29'),
    gender: fc.constantFrom(null, ...Gender.options),
    email: fc.constantFrom(null, 'a@example.test'),
    phone: optional,
    address: optional,
    emergencyContact: fc.option(fc.record({ name: text, relationship: optional, phone: optional })),
    insuranceInfo: fc.option(
      fc.record({ provider: text, policyNumber: optional, groupNumber: optional, memberName: optional }),
    ),
    medicalHistory: optional,
    allergies: fc.array(text, { maxLength: 4 }),
    allergiesStatus: fc.constantFrom('unknown', 'none-known', 'listed'),
    medications: fc.array(medication, { maxLength: 4 }),
    notes: optional,
    deceasedOn: fc.constantFrom(null, '2020-01-31'),
  })
  .map((sent) => PatientFields.safeParse(sent))
  .filter(({ success }) => success)
  .map(
    ({ data }) =>
      ({
        ...data,
        id,
        practiceId,
        phoneNational: null,
        importId: null,
        lastVisit: null,
        sample: false,
        revision: 0,
        createdAt: '2031-03-05T09:00:00.000Z',
        updatedAt: '2031-03-05T09:00:00.000Z',
      }) as Patient,
  )

const numRuns = cases(300, 10_000)

it('every record becomes valid FHIR resources with ids of their own', () => {
  fc.assert(
    fc.property(patient, (record) => {
      const parts = [toCoverage, toAllergies, toMedications, toConditions].flatMap((toParts) => toParts(record))
      const all = [toPatient(record), ...parts]
      // As a file has them: a line of JSON each.
      const read = all.map((resource) => JSON.parse(JSON.stringify(resource)) as typeof resource)
      expect(read).toEqual(all)
      expect(read.flatMap(findProblems)).toEqual([])
      expect(new Set(read.map((each) => `${each.resourceType} ${each.id}`)).size).toBe(read.length)
      for (const part of parts) expect(findReferences(part)).toEqual([`Patient/${id}`])
    }),
    { numRuns },
  )
})

it('every record is read unchanged from CSV, and no cell is a formula', () => {
  fc.assert(
    fc.property(patient, (record) => {
      const rows = parse(formatHeader(patientColumns) + formatRow(patientColumns, record), {
        columns: true,
        bom: true,
      }) as Record<string, string>[]
      expect(rows).toHaveLength(1)
      for (const [name, toCell] of Object.entries(patientColumns)) {
        const value = String(toCell(record) ?? '')
        const isFormula = /^[=+\-@\t\r\n]/.test(value)
        expect(rows[0]?.[name]).toBe(isFormula ? `'${value}` : value)
      }
    }),
    { numRuns },
  )
})
