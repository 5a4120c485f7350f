import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import type { Recorded } from '#eventstore/event.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { splitWords } from '#modules/patients/name-keys.ts'
import {
  patientCountsProjection,
  patientsProjection,
  patientWordsProjection,
  recordColumns,
  removedPatientsProjection,
} from '#modules/patients/projection.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { grace, importId, patientId, practiceId, registered, removed, today } from './patient-fixtures.ts'

const stream = `patient-${patientId}`

function rowsAfter(of: AnyProjection, ...events: { type: string; data: Record<string, unknown> }[]): Row[] {
  const rows: Rows = new Map()
  events.forEach((event, revision) =>
    applyEvent(
      of,
      rows,
      recordedEvent(event, { stream, revision, metadata: { practiceId, at: `2026-11-20T08:00:0${revision}.000Z` } }),
    ),
  )
  return [...rows.values()].filter((row) => row !== null)
}
const patientAfter = (...events: PatientEvent[]) => rowsAfter(patientsProjection, ...events)[0]

const registration = registered({ importId, importRow: 5 })
const row = {
  ...Object.fromEntries(Object.values(recordColumns).map(({ column }) => [column, null])),
  id: patientId,
  practice_id: practiceId,
  first_name: 'Grace',
  last_name: 'Hopper',
  date_of_birth: '1996-02-24',
  gender: 'female',
  email: 'grace.hopper@navy.example',
  phone: '+16175550123',
  address: grace.address,
  emergency_contact: grace.emergencyContact,
  insurance_info: grace.insuranceInfo,
  medical_history: 'Asthma',
  allergies: ['Penicillin'],
  allergies_status: 'listed',
  medications: grace.medications,
  notes: grace.notes,
  deceased_on: null,
  import_id: importId,
  sample: false,
  revision: 0,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
  sort_key: 'hopper grace',
  name_key: 'grace hopper',
  email_key: 'grace.hopper@navy.example',
  phone_digits: '16175550123',
  words: 'grace hopper g* gr* gra* h* ho* hop* @grace @hopper @navy @example'.split(' '),
  completed_appointments: {},
  last_visit: null,
}

describe('the row of a removed patient', () => {
  it('exists from the removal on, with the name at that time', () => {
    expect(rowsAfter(removedPatientsProjection, registration)).toEqual([])
    expect(rowsAfter(removedPatientsProjection, registration, removed({ lastName: 'Gómez' }))).toEqual([
      { id: patientId, practice_id: practiceId, first_name: 'Grace', last_name: 'Gómez' },
    ])
  })
})

describe('the row of a patient', () => {
  it('contains all registered fields and its search keys', () => {
    expect(patientAfter(registration)).toEqual(row)
  })

  it('has the search and sort keys of its current fields after any change', () => {
    const name = fc.constantFrom('Grace', 'Gómez', 'Smith Jones', 'O’Brien', 'X5')
    const change = fc.oneof(
      fc.record({ firstName: name, lastName: name }, { requiredKeys: [] }).map((to) => ({
        type: 'PatientDemographicsCorrected',
        data: { patientId, from: {}, to },
      })),
      fc
        .record(
          {
            email: fc.constantFrom('Ada@Navy.example', null),
            phone: fc.constantFrom('+1 617', '+44', null),
          },
          { requiredKeys: [] },
        )
        .map((to) => ({ type: 'PatientContactChanged', data: { patientId, from: {}, to } })),
      fc.constant({ type: 'PatientNotesChanged', data: { patientId, notes: 'x' } }),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 9 }), (changes) => {
        const [after] = rowsAfter(patientsProjection, registration, ...changes)
        const { first_name, last_name, email, phone } = after as unknown as typeof row
        const [again] = rowsAfter(patientsProjection, {
          ...registration,
          data: { ...registration.data, firstName: first_name, lastName: last_name, email, phone },
        })
        const found = (one: Row) => ['sort_key', 'name_key', 'email_key', 'phone_digits', 'words'].map((n) => one[n])
        expect(found(after ?? {})).toEqual(found(again ?? {}))
      }),
    )
  })

  it('has the new name, and is found by it', () => {
    const after = patientAfter(registration, {
      type: 'PatientDemographicsCorrected',
      data: { patientId, from: { lastName: 'Hopper' }, to: { lastName: 'Gómez' } },
    })
    expect(after).toMatchObject({ last_name: 'Gómez', sort_key: 'gomez grace', name_key: 'grace gomez', revision: 1 })
    expect(after?.['words']).toContain('gomez')
    expect(after?.['words']).not.toContain('hopper')
    expect(after).toMatchObject({ created_at: row.created_at, updated_at: '2026-11-20T08:00:01.000Z' })
  })

  it('has the new ways of contact', () => {
    const after = patientAfter(registration, {
      type: 'PatientContactChanged',
      data: {
        patientId,
        from: { email: 'grace.hopper@navy.example', phone: '+16175550123' },
        to: { email: null, phone: '+442079460018' },
      },
    })
    expect(after).toMatchObject({ email: null, email_key: null, phone: '+442079460018', phone_digits: '442079460018' })
    expect(after?.['words']).not.toContain('@navy')
  })

  const emergencyContact = { name: 'Ann', relationship: null, phone: null }
  const insuranceInfo = { provider: 'Cigna', policyNumber: null, groupNumber: null, memberName: null }
  const medications = [{ name: 'Aspirin', dosage: null, frequency: null }]
  it.each<[PatientEvent, Partial<typeof row> | object]>([
    [
      { type: 'PatientEmergencyContactChanged', data: { patientId, emergencyContact } },
      { emergency_contact: emergencyContact },
    ],
    [{ type: 'PatientInsuranceChanged', data: { patientId, insuranceInfo } }, { insurance_info: insuranceInfo }],
    [{ type: 'PatientMedicalHistoryChanged', data: { patientId, medicalHistory: null } }, { medical_history: null }],
    [
      { type: 'PatientAllergiesChanged', data: { patientId, allergies: [] } },
      // As in a new record.
      { allergies: null, allergies_status: null },
    ],
    [
      { type: 'PatientAllergiesChanged', data: { patientId, allergies: [], allergiesStatus: 'none-known' } },
      { allergies: null, allergies_status: 'none-known' },
    ],
    [{ type: 'PatientMedicationsChanged', data: { patientId, medications: [] } }, { medications: null }],
    [{ type: 'PatientMedicationsChanged', data: { patientId, medications } }, { medications }],
    [{ type: 'PatientNotesChanged', data: { patientId, notes: 'Called' } }, { notes: 'Called' }],
    [{ type: 'PatientDeathRecorded', data: { patientId, deceasedOn: '2026-11-01' } }, { deceased_on: '2026-11-01' }],
    [{ type: 'PatientDeathCorrected', data: { patientId, from: '2026-11-01', to: null } }, { deceased_on: null }],
  ])('changes only the affected columns', (event, changed) => {
    const updated_at = '2026-11-20T08:00:01.000Z'
    expect(patientAfter(registration, event)).toEqual({ ...row, ...changed, revision: 1, updated_at })
  })

  it('is removed with the patient', () => {
    expect(patientAfter(registration, removed())).toBeUndefined()
  })

  it('keeps what is indexed short, whatever a name unfolds to', () => {
    const after = patientAfter(registered({ firstName: '\uFDFA'.repeat(100), lastName: '🙂'.repeat(100) }))
    for (const key of ['name_key', 'sort_key'] as const)
      expect(Buffer.byteLength(String(after?.[key]))).toBeLessThan(1_300)
    for (const word of (after?.['words'] ?? []) as string[]) expect(Buffer.byteLength(word)).toBeLessThan(1_300)
  })
})

describe('the words of a practice', () => {
  const words = (...events: PatientEvent[]) =>
    Object.fromEntries(rowsAfter(patientWordsProjection, ...events).map(({ word, patients }) => [word, patients]))

  it('are counted with each name, and go with it', () => {
    expect(words(registration)).toEqual({ grace: 1, hopper: 1 })
    expect(words(registration, registration)).toEqual({ grace: 2, hopper: 2 })
    expect(words(registration, registration, removed())).toEqual({ grace: 1, hopper: 1 })
    expect(words(registration, removed())).toEqual({})
  })

  it('follow a corrected name', () => {
    const corrected: PatientEvent = {
      type: 'PatientDemographicsCorrected',
      data: { patientId, from: { lastName: 'Hopper' }, to: { lastName: 'Grace Murray' } },
    }
    expect(words(registration, corrected)).toEqual({ grace: 2, murray: 1 })
    expect(words(registration, corrected, removed({ lastName: 'Grace Murray' }))).toEqual({})
  })

  it('know a numbered name without its number', () => {
    expect(words(registered({ firstName: 'Aaron697', lastName: 'Lee' }))).toEqual({ aaron697: 1, aaron: 1, lee: 1 })
  })

  it('are the words of the patients who are there, whatever happened, and never less than one', () => {
    const name = fc.constantFrom('Ann', 'Ann Lee', 'Lee', 'José', 'Aaron697', '🙂', 'O’Brien-Lee')
    const step = fc.record({
      who: fc.constantFrom('a', 'b', 'c'),
      remove: fc.boolean(),
      firstName: name,
      lastName: name,
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const histories = new Map<string, PatientEvent[]>()
        const rows: Rows = new Map()
        for (const { who, remove, firstName, lastName } of steps) {
          const history = histories.get(who) ?? []
          const command = remove
            ? ({ type: 'Remove', practiceId, reason: 'deleted' } as const)
            : history.length === 0
              ? ({
                  type: 'Register',
                  patientId,
                  practiceId,
                  patient: { ...grace, firstName, lastName },
                  today,
                } as const)
              : ({ type: 'Change', practiceId, change: { firstName, lastName }, today } as const)
          const decision = patientDecider.decide(command, fold(patientDecider, history))
          if (isRejection(decision)) continue
          for (const event of decision)
            applyEvent(patientWordsProjection, rows, recordedEvent(event, { metadata: { practiceId } }) as Recorded)
          histories.set(who, [...history, ...decision])
          expect([...rows.values()].every((each) => each === null || (each['patients'] as number) > 0)).toBe(true)
        }
        const there = [...histories.values()].flatMap((history) => {
          const state = fold(patientDecider, history)
          return state.status === 'registered' ? [state.patient] : []
        })
        const expected = new Set(
          there.flatMap(({ firstName, lastName }) => [...splitWords(firstName), ...splitWords(lastName)]),
        )
        const kept = [...rows.values()].flatMap((each) => (each ? [each['word'] as string] : []))
        expect(new Set(kept)).toEqual(expected)
      }),
    )
  })
})

it('counts the patients of a practice', () => {
  const count = (...events: PatientEvent[]) => rowsAfter(patientCountsProjection, ...events)
  const one = [{ practice_id: practiceId, patients: 1, sample_ids: [] }]
  expect(count(registration)).toEqual(one)
  expect(count(registration, registration, removed())).toEqual(one)
})
