import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectEventSchemas } from '#eventstore/event-schemas.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { PatientEvent } from '#modules/patients/events.ts'
import { patientCountsProjection, patientsProjection, patientWordsProjection } from '#modules/patients/projection.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
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
const fields = collectPhiFields(collectEventSchemas(PatientEvent))

/** A fact as it is read once the key of its patient was destroyed. */
const unreadable = (event: PatientEvent) =>
  ({ ...event, data: fields.get(event.type)?.split(event.data).plain ?? event.data }) as PatientEvent

describe('erasing a patient', () => {
  it('removes first, with the reason, once', () => {
    const erase = { type: 'Remove', practiceId, reason: 'erased' } as const
    given(registered())
      .when(erase)
      .then(removed({ reason: 'erased' }))
    given(registered(), removed({ reason: 'erased' }))
      .when(erase)
      .thenNothing()
    given(registered(), removed()).when(erase).thenRefused('not-found')
    given(registered({ practiceId: otherPracticeId }))
      .when(erase)
      .thenRefused('not-found')
  })
})

describe('an erased patient', () => {
  const erased = [registered({ importId, importRow: 2 }), removed({ reason: 'erased' })].map(unreadable)

  it('cannot be changed, removed or registered again', () => {
    for (const history of [erased, erased.slice(0, 1)]) {
      const when = given(...history).when
      when({ type: 'Change', practiceId, change: { notes: 'x' }, today }).thenRefused('not-found')
      when({ type: 'Remove', practiceId, reason: 'deleted' }).thenRefused('not-found')
      when({ type: 'Remove', practiceId, reason: 'import-undone', importId }).thenRefused('not-found')
      when({ type: 'Remove', practiceId, reason: 'erased' }).thenNothing()
      const patient = { ...grace, firstName: 'Grace' }
      when({ type: 'Register', patientId, practiceId, patient, today }).thenRefused('already-registered')
    }
  })

  const names = fc.constantFrom('Ada', 'Grace', 'Grace Ada', "O'Neil", 'Murray-Gómez', 'Doe12')
  const named = fc.record({ firstName: names, lastName: names })
  const life = fc.record({ erased: fc.boolean(), removed: fc.boolean(), names: fc.array(named, { minLength: 1 }) })

  it('leaves lists, known words and counts as if a patient had been removed, whatever the names were', () => {
    fc.assert(
      fc.property(fc.array(life, { maxLength: 6 }), (lives) => {
        const facts = lives.map(({ erased: isErased, removed: isRemoved, names: [first, ...later] }, index) => {
          const id = `018f3b1e-7b1a-4c3e-9a53-0d6f1f1f1${String(index).padStart(3, '0')}` as typeof patientId
          let now = first
          const corrections = later.map((to) => {
            const from = now
            now = to
            return { type: 'PatientDemographicsCorrected', data: { patientId: id, from, to } } as PatientEvent
          })
          const reason = isErased ? 'erased' : 'deleted'
          return [
            registered({ patientId: id, ...first }),
            ...corrections,
            ...(isErased || isRemoved ? [removed({ patientId: id, reason, ...now })] : []),
          ]
        })
        const before = facts.flat()
        const after = facts.flatMap((own, index) => (lives[index]?.erased ? own.map(unreadable) : own))
        for (const projection of [patientsProjection, patientWordsProjection, patientCountsProjection])
          expect(rowsOf(projection, after)).toEqual(rowsOf(projection, before))
      }),
    )
  })
})

function rowsOf(projection: AnyProjection, events: readonly PatientEvent[]): Map<string, Row> {
  const rows: Rows = new Map()
  for (const event of events) applyEvent(projection, rows, recordedEvent(event, { metadata: { practiceId } }))
  return new Map([...rows].filter((entry): entry is [string, Row] => entry[1] !== null))
}
