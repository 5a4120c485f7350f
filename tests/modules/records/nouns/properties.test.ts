import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { toColumn } from '#modules/records/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { otherPracticeId, patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { type Noun, nouns } from './nouns.ts'

const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0c01'
const edit = { practiceId, today: '2026-11-26' }

type Step = { type: string }

const createOf = ({ definition, fields }: Noun) => ({
  type: 'Create',
  id,
  practiceId,
  patientId: definition.patient === 'none' ? null : patientId,
  fields,
})

/** Decides commands one after the other; refused ones change nothing. */
function decideAll({ decider }: Noun, commands: readonly Step[]): DomainEvent[] {
  return commands.reduce<DomainEvent[]>((events, command) => {
    const decision = decider.decide(command, fold(decider, events))
    return isRejection(decision) ? events : [...events, ...(decision as DomainEvent[])]
  }, [])
}

/** Moves with the data that the way of the noun gives them, in any order, between changes. */
function arbitrarySteps({ way, change, fields, definition }: Noun): fc.Arbitrary<Step[]> {
  const moves = way.map(({ event, data = {} }) => ({ type: 'Move', ...edit, event, data }))
  const changes = [change, fields].map((each) => ({ type: 'Change', ...edit, change: each }))
  const known = new Set(way.map(({ event }) => event))
  // Statuses that the way does not reach, if they need no data.
  const others = Object.entries(definition.transitions)
    .filter(([event, { data }]) => !known.has(event) && Object.keys(data).length === 0)
    .map(([event]) => ({ type: 'Move', ...edit, event, data: {} }))
  return fc.array(fc.constantFrom<Step>(...moves, ...changes, ...others), { maxLength: 15 })
}

describe.each(nouns.map((noun) => [noun.noun, noun] as const))('a %s, whatever the commands', (_, noun) => {
  const { decider, definition, projection, way } = noun
  const statuses = new Set([definition.initialStatus, ...Object.values(definition.transitions).map(({ to }) => to)])

  it('moves only as declared, and its events can be stored', () => {
    fc.assert(
      fc.property(arbitrarySteps(noun), (steps) => {
        const events = decideAll(noun, [createOf(noun), ...steps])
        for (const [index, event] of events.entries()) {
          expect(decider.events.parse(event)).toEqual(event)
          const before = fold(decider, events.slice(0, index))
          const after = fold(decider, events.slice(0, index + 1))
          expect(statuses).toContain(after.status)
          const transition = definition.transitions[event.type]
          if (transition) expect(transition.from).toContain(before.status)
          else if (before.exists) expect(after.status).toBe(before.status)
        }
      }),
    )
  })

  it('is what its row shows', () => {
    fc.assert(
      fc.property(arbitrarySteps(noun), (steps) => {
        const events = decideAll(noun, [createOf(noun), ...steps])
        const rows: Rows = new Map()
        for (const [index, event] of events.entries())
          applyEvent(projection, rows, recordedEvent(event, { revision: index }))
        const { status, fields } = fold(decider, events)
        const columns = Object.entries(fields as object).map(([field, value]) => [toColumn(field), value])
        expect(rows.get(id)).toMatchObject({ status, ...Object.fromEntries(columns), revision: events.length - 1 })
      }),
    )
  })

  it('decides nothing for a repeated command, and nothing for another practice', () => {
    fc.assert(
      fc.property(
        arbitrarySteps(noun).filter(({ length }) => length > 0),
        (steps) => {
          const events = decideAll(noun, [createOf(noun), ...steps])
          const last = steps.at(-1)
          const again = decider.decide(last, fold(decider, events))
          expect(isRejection(again) ? [] : again).toEqual([])
          const foreign = decider.decide({ ...last, practiceId: otherPracticeId }, fold(decider, events))
          expect(isRejection(foreign) && foreign.rejected).toBe('not-found')
        },
      ),
    )
  })

  it('goes its way to the end', () => {
    const steps = way.map(({ event, data = {} }) => ({ type: 'Move', ...edit, event, data }))
    const events = decideAll(noun, [createOf(noun), ...steps])
    expect(events.map(({ type }) => type)).toEqual([definition.names.created, ...way.map(({ event }) => event)])
    expect(fold(decider, events).status).toBe(way.at(-1)?.status)
  })
})
