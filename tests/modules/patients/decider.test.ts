import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyPatientFields, type PatientFields } from '#contracts/patients.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type PatientCommand, patientDecider } from '#modules/patients/decider.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  grace,
  importId,
  otherPracticeId,
  patientId,
  practiceId,
  registered,
  removed,
  today,
} from './patient-fixtures.ts'

const given = deciderSpec(patientDecider)

const register = (patient: Partial<PatientFields> = {}): PatientCommand => ({
  type: 'Register',
  patientId,
  practiceId,
  patient: { ...grace, ...patient },
  today,
})
const change = (fields: Partial<PatientFields>): PatientCommand => ({
  type: 'Change',
  practiceId,
  change: fields,
  today,
})
const remove: PatientCommand = { type: 'Remove', practiceId, reason: 'deleted' }
const undo: PatientCommand = { type: 'Remove', practiceId, reason: 'import-undone', importId }
const notesChanged: PatientEvent = { type: 'PatientNotesChanged', data: { patientId, notes: 'Called' } }

describe('registering a patient', () => {
  it('records every field', () => {
    given().when(register()).then(registered())
  })

  it('needs no more than a name', () => {
    given().when(register(emptyPatientFields)).then(registered(emptyPatientFields))
  })

  it('ignores a field that no event declares', () => {
    const unknown = { shoeSize: 38 } as Partial<PatientFields>
    given().when(register(unknown)).then(registered())
    given(registered()).when(change(unknown)).thenNothing()
  })

  it('records that allergies are listed, also when nothing was said about them', () => {
    given()
      .when(register({ ...emptyPatientFields, allergies: ['Nuts'] }))
      .then(registered({ ...emptyPatientFields, allergies: ['Nuts'], allergiesStatus: 'listed' }))
  })

  it('records its import and row', () => {
    given()
      .when({ ...register(), importId, importRow: 7 } as PatientCommand)
      .then(registered({ importId, importRow: 7 }))
  })

  it('happens once', () => {
    given(registered()).when(register()).thenRefused('already-registered')
    given(registered(), removed()).when(register()).thenRefused('already-registered')
  })

  it('is recorded once when the same import repeats it', () => {
    given(registered({ importId, importRow: 7 }))
      .when({ ...register(), importId, importRow: 7 } as PatientCommand)
      .thenNothing()
  })

  it('accepts no birth or death after the practice’s local date', () => {
    given()
      .when(register({ dateOfBirth: '2026-11-20' }))
      .then(registered({ dateOfBirth: '2026-11-20' }))
    given()
      .when(register({ dateOfBirth: '2026-11-21' }))
      .thenRefused('in-the-future', 'dateOfBirth')
    given()
      .when(register({ deceasedOn: '2026-11-21' }))
      .thenRefused('in-the-future', 'deceasedOn')
  })

  it('accepts no death before the birth', () => {
    given()
      .when(register({ deceasedOn: '1996-02-23' }))
      .thenRefused('died-before-birth')
    given()
      .when(register({ deceasedOn: '1996-02-24' }))
      .then(registered({ deceasedOn: '1996-02-24' }))
  })
})

describe('changing a patient', () => {
  it('records what differs, before and after', () => {
    given(registered())
      .when(change({ lastName: 'Murray', phone: '+16175550199', email: null, firstName: 'Grace' }))
      .then(
        {
          type: 'PatientDemographicsCorrected',
          data: { patientId, from: { lastName: 'Hopper' }, to: { lastName: 'Murray' } },
        },
        {
          type: 'PatientContactChanged',
          data: {
            patientId,
            from: { email: 'grace.hopper@navy.example', phone: '+16175550123' },
            to: { email: null, phone: '+16175550199' },
          },
        },
      )
  })

  it('records each detail with an event of its own', () => {
    const emergencyContact = { name: 'Ann', relationship: null, phone: null }
    const insuranceInfo = { provider: 'Cigna', policyNumber: null, groupNumber: null, memberName: null }
    given(registered())
      .when(
        change({
          emergencyContact,
          insuranceInfo,
          medicalHistory: null,
          allergies: [],
          medications: [],
          notes: null,
          deceasedOn: '2026-11-01',
        }),
      )
      .then(
        { type: 'PatientEmergencyContactChanged', data: { patientId, emergencyContact } },
        { type: 'PatientInsuranceChanged', data: { patientId, insuranceInfo } },
        { type: 'PatientMedicalHistoryChanged', data: { patientId, medicalHistory: null } },
        {
          type: 'PatientAllergiesChanged',
          data: { patientId, allergies: [], allergiesStatus: 'unknown', knownMedications: [] },
        },
        { type: 'PatientMedicationsChanged', data: { patientId, medications: [], knownAllergies: [] } },
        { type: 'PatientNotesChanged', data: { patientId, notes: null } },
        { type: 'PatientDeathRecorded', data: { patientId, deceasedOn: '2026-11-01' } },
      )
  })

  it('records nothing when nothing differs', () => {
    given(registered()).when(change(grace)).thenNothing()
    given(registered()).when(change({})).thenNothing()
  })

  describe('whose allergies', () => {
    const allergies = (fields: Partial<Pick<PatientFields, 'allergies' | 'allergiesStatus'>>): PatientEvent => ({
      type: 'PatientAllergiesChanged',
      data: {
        patientId,
        allergies: [],
        allergiesStatus: 'unknown',
        knownMedications: grace.medications,
        ...fields,
      },
    })
    const notAsked = registered({ allergies: [], allergiesStatus: 'unknown' })

    it('are unknown, none known or listed', () => {
      const noneKnown = allergies({ allergiesStatus: 'none-known' })
      given(notAsked)
        .when(change({ allergiesStatus: 'none-known' }))
        .then(noneKnown)
      given(notAsked, noneKnown)
        .when(change({ allergies: [] }))
        .thenNothing()
      given(notAsked, noneKnown)
        .when(change({ allergies: ['Nuts'] }))
        .then(allergies({ allergies: ['Nuts'], allergiesStatus: 'listed' }))
      given(registered())
        .when(change({ allergies: [], allergiesStatus: 'none-known' }))
        .then(noneKnown)
      given(registered())
        .when(change({ allergies: [] }))
        .then(allergies({}))
    })

    it('have no status that contradicts the list', () => {
      given(registered())
        .when(change({ allergiesStatus: 'none-known' }))
        .thenRefused('allergies-contradict', 'allergiesStatus')
      given(registered())
        .when(change({ allergiesStatus: 'unknown' }))
        .thenRefused('allergies-contradict')
      given(notAsked)
        .when(change({ allergiesStatus: 'listed' }))
        .thenRefused('allergies-contradict', 'allergies')
      given()
        .when(register({ allergies: ['Nuts'], allergiesStatus: 'none-known' }))
        .thenRefused('allergies-contradict')
    })

    it('were recorded before there was a status', () => {
      const { allergiesStatus: _, ...data } = registered({ allergies: [] }).data
      const older: PatientEvent = { type: 'PatientRegistered', data }
      const statusAfter = (...events: PatientEvent[]) => {
        const state = fold(patientDecider, events)
        return state.status === 'registered' && state.patient.allergiesStatus
      }
      expect(statusAfter(older)).toBe('unknown')
      const changed = { type: 'PatientAllergiesChanged', data: { patientId, allergies: ['Nuts'] } } as const
      expect(statusAfter(older, { ...changed, data: { ...changed.data, allergies: ['Nuts'] } })).toBe('listed')
      expect(statusAfter({ ...older, data: { ...data, allergies: ['Nuts'] } })).toBe('listed')
    })
  })

  it('corrects a date of death, or clears it', () => {
    const dead = registered({ deceasedOn: '2026-11-01' })
    given(dead)
      .when(change({ deceasedOn: '2026-11-02' }))
      .then({ type: 'PatientDeathCorrected', data: { patientId, from: '2026-11-01', to: '2026-11-02' } })
    given(dead)
      .when(change({ deceasedOn: null }))
      .then({ type: 'PatientDeathCorrected', data: { patientId, from: '2026-11-01', to: null } })
  })

  it('keeps birth before death, whichever of them is changed', () => {
    given(registered())
      .when(change({ deceasedOn: '1990-01-01' }))
      .thenRefused('died-before-birth', 'deceasedOn')
    given(registered({ deceasedOn: '2000-01-01' }))
      .when(change({ dateOfBirth: '2001-01-01' }))
      .thenRefused('died-before-birth', 'dateOfBirth')
    given(registered())
      .when(change({ dateOfBirth: '2026-12-01' }))
      .thenRefused('in-the-future')
  })

  it('is refused for patients of other practices', () => {
    given()
      .when(change({ notes: 'x' }))
      .thenRefused('not-found')
    given(registered(), removed())
      .when(change({ notes: 'x' }))
      .thenRefused('not-found')
    given(registered({ practiceId: otherPracticeId }))
      .when(change({ notes: 'x' }))
      .thenRefused('not-found')
  })
})

describe('removing a patient', () => {
  it('records the current name', () => {
    given(registered(), {
      type: 'PatientDemographicsCorrected',
      data: { patientId, from: { lastName: 'Hopper' }, to: { lastName: 'Murray' } },
    })
      .when(remove)
      .then(removed({ lastName: 'Murray' }))
  })

  it('happens once, and only to the practice’s own', () => {
    given().when(remove).thenRefused('not-found')
    given(registered(), removed()).when(remove).thenRefused('not-found')
    given(registered({ practiceId: otherPracticeId }))
      .when(remove)
      .thenRefused('not-found')
  })

  it('undoes an import unless the record was edited', () => {
    given(registered({ importId, importRow: 2 }))
      .when(undo)
      .then(removed({ reason: 'import-undone' }))
    given(registered({ importId, importRow: 2 }), notesChanged)
      .when(undo)
      .thenRefused('edited')
    given(registered()).when(undo).thenRefused('not-found')
    given(registered({ importId, importRow: 2 }), removed({ reason: 'import-undone' }))
      .when(undo)
      .thenNothing()
  })
})

describe('a patient of the sample practice', () => {
  const sample = { ...registered(), metadata: { sample: true } }
  const kept: PatientEvent = { type: 'SamplePatientKept', data: { patientId } }
  const removeSample: PatientCommand = { type: 'RemoveSample', practiceId }
  const keepSample: PatientCommand = { type: 'KeepSample', practiceId }

  it('is removed with the sample practice, or kept', () => {
    given(sample)
      .when(removeSample)
      .then(removed({ reason: 'sample-removed' }))
    given(sample).when(keepSample).then(kept)
    given(sample, notesChanged).when(keepSample).then(kept)
  })

  it('is removed and kept once', () => {
    given(sample, removed({ reason: 'sample-removed' }))
      .when(removeSample)
      .thenNothing()
    given(sample, kept).when(keepSample).thenNothing()
  })

  it('is no longer removed as a sample after it was kept', () => {
    given(sample, kept).when(removeSample).thenRefused('not-a-sample')
  })

  it('is the only patient that can be removed or kept as a sample', () => {
    given(registered()).when(removeSample).thenRefused('not-a-sample')
    given(registered()).when(keepSample).thenRefused('not-a-sample')
    given().when(removeSample).thenRefused('not-found')
    given(registered(), removed()).when(removeSample).thenRefused('not-found')
  })
})

const anyFields: fc.Arbitrary<Partial<PatientFields>> = fc.record(
  {
    firstName: fc.constantFrom('Grace', 'Ann', 'José'),
    lastName: fc.constantFrom('Hopper', 'Lee'),
    dateOfBirth: fc.constantFrom(null, '1996-02-24', '2020-05-05', '2027-01-01'),
    gender: fc.constantFrom(null, 'female' as const),
    email: fc.constantFrom(null, 'a@b.example'),
    phone: fc.constantFrom(null, '+16175550100'),
    address: fc.constantFrom(null, 'Here'),
    emergencyContact: fc.constantFrom(null, { name: 'Ann', relationship: null, phone: null }),
    insuranceInfo: fc.constantFrom(null),
    medicalHistory: fc.constantFrom(null, 'Asthma'),
    allergies: fc.constantFrom([], ['Nuts'], ['Nuts', 'Milk']),
    medications: fc.constantFrom([], [{ name: 'Aspirin', dosage: null, frequency: null }]),
    notes: fc.constantFrom(null, 'x'),
    deceasedOn: fc.constantFrom(null, '2019-01-01', '2026-11-20', '2026-11-21'),
  },
  { requiredKeys: [] },
)
const anyCommand: fc.Arbitrary<PatientCommand> = fc.oneof(
  anyFields.map((fields) => register(fields)),
  anyFields.map((fields) => ({ ...register(fields), importId, importRow: 3 }) as PatientCommand),
  anyFields.map(change),
  anyFields.map((fields) => ({ ...change(fields), practiceId: otherPracticeId }) as PatientCommand),
  fc.constantFrom(remove, undo),
)

const historyOf = (commands: readonly PatientCommand[]) =>
  commands.reduce<PatientEvent[]>((history, command) => {
    const decision = patientDecider.decide(command, fold(patientDecider, history))
    return isRejection(decision) ? history : [...history, ...decision]
  }, [])

describe('any sequence of commands', () => {
  const history = fc.array(anyCommand, { maxLength: 12 }).map(historyOf)

  it('a patient is registered first and once, removed last and once, and has no impossible dates', () => {
    fc.assert(
      fc.property(history, (events) => {
        const types = events.map(({ type }) => type)
        expect(types.lastIndexOf('PatientRegistered')).toBeLessThanOrEqual(0)
        const removal = types.indexOf('PatientRemoved')
        expect(removal === -1 || removal === types.length - 1).toBe(true)
        const state = fold(patientDecider, events)
        if (state.status !== 'registered') return
        const { dateOfBirth, deceasedOn } = state.patient
        expect((dateOfBirth ?? '') <= today && (deceasedOn ?? '') <= today).toBe(true)
        if (dateOfBirth && deceasedOn) expect(deceasedOn >= dateOfBirth).toBe(true)
        expect(state.practiceId).toBe(practiceId)
      }),
    )
  })

  it('stored events lead to the same state', () => {
    fc.assert(
      fc.property(history, (events) => {
        const stored = events.map((event) => patientDecider.events.parse(JSON.parse(JSON.stringify(event))))
        expect(fold(patientDecider, stored)).toEqual(fold(patientDecider, events))
      }),
    )
  })

  it('a repeated change records nothing', () => {
    fc.assert(
      fc.property(history, anyFields, (events, fields) => {
        const first = patientDecider.decide(change(fields), fold(patientDecider, events))
        if (isRejection(first)) return
        expect(patientDecider.decide(change(fields), fold(patientDecider, [...events, ...first]))).toEqual([])
      }),
    )
  })

  it('a change leads exactly to the requested fields', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        const decision = patientDecider.decide(change(fields), fold(patientDecider, [registered()]))
        if (isRejection(decision)) return
        const state = fold(patientDecider, [registered(), ...decision])
        const allergiesStatus = fields.allergies?.length === 0 ? 'unknown' : 'listed'
        expect(state.status === 'registered' && state.patient).toEqual({ ...grace, ...fields, allergiesStatus })
      }),
    )
  })
})
