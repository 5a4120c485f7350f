import { fold, isRejection } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { type Noun, nouns } from './nouns.ts'

const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0c02'

/**
 * Returns what happens to a record after steps of its way: the code of a refusal, or the types of the new events.
 * `over` replaces fields with which it was created.
 */
export function decideAfter(name: string, steps: number, command: object, { today = '2026-11-26', over = {} } = {}) {
  const noun = nouns.find((each) => each.noun === name) as Noun
  const { decider, definition, way } = noun
  const fields = { ...noun.fields, ...over }
  const edit = { practiceId, today: '2026-11-26' }
  const about = definition.patient === 'none' ? null : patientId
  const commands = [
    { type: 'Create', id, practiceId, patientId: about, fields },
    ...way.slice(0, steps).map(({ event, data = {} }) => ({ type: 'Move', ...edit, event, data })),
  ]
  const events = commands.reduce<DomainEvent[]>(
    (all, each) => [...all, ...(decider.decide(each, fold(decider, all)) as DomainEvent[])],
    [],
  )
  const decision = decider.decide({ practiceId, today, ...command }, fold(decider, events))
  return isRejection(decision) ? decision.rejected : (decision as DomainEvent[]).map(({ type }) => type)
}
/** A command that changes fields. */
export const change = (fields: object) => ({ type: 'Change', change: fields })
/** A command that moves a record to another status. */
export const move = (event: string, data: object = {}) => ({ type: 'Move', event, data })
