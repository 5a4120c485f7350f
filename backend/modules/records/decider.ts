import type { PracticeId } from '#contracts/values/ids.ts'
import { type Decider, type MarkedEvent, reject, type Rejection } from '#eventstore/decider.ts'
import type {
  FieldsOf,
  Move,
  PatientOf,
  RecordDefinition,
  RecordEvent,
  RecordEvents,
  RecordId,
  StatusOf,
} from './events.ts'

type Create<D extends RecordDefinition> = {
  type: 'Create'
  id: RecordId<D>
  practiceId: PracticeId
  patientId: PatientOf<D>
  fields: FieldsOf<D>
}

/** Commands for a record that exists. `today` is the date in the practice's time zone, YYYY-MM-DD. */
export type RecordEdit<D extends RecordDefinition> =
  | { type: 'Change'; practiceId: PracticeId; today: string; change: Partial<FieldsOf<D>> }
  | ({ type: 'Move'; practiceId: PracticeId; today: string } & Move<D>)

export type RecordCommand<D extends RecordDefinition> = Create<D> | RecordEdit<D>

export type ExistingRecord<D extends RecordDefinition> = {
  exists: true
  id: RecordId<D>
  practiceId: PracticeId
  patientId: PatientOf<D>
  status: StatusOf<D>
  fields: FieldsOf<D>
}
export type RecordState<D extends RecordDefinition> = { exists: false } | ExistingRecord<D>

export type RecordRejection = 'not-found' | 'wrong-status'

type Options<D extends RecordDefinition, Code extends string> = {
  /** The prefix of the names of its streams. */
  category: string
  /** The record in messages, such as "referral". */
  noun: string
  /** Refuses commands by rules of the noun's own. Pure; called for a command that would change the record. */
  rules?: (command: RecordEdit<D>, state: ExistingRecord<D>) => Rejection<Code> | undefined
}

/** Returns the decider of a record: created once, changed where it differs, moved between statuses as declared. */
export function recordDecider<D extends RecordDefinition, Code extends string = never>(
  { definition, schema }: RecordEvents<D>,
  { category, noun, rules }: Options<D, Code>,
): Decider<RecordCommand<D>, RecordEvent<D>, RecordState<D>, RecordRejection | Code> {
  type State = RecordState<D>
  type Existing = ExistingRecord<D>
  type Decision = readonly RecordEvent<D>[] | Rejection<RecordRejection | Code>
  const { names, id: idField, patient, initialStatus, transitions } = definition
  const fieldNames = Object.keys(definition.fields) as (keyof FieldsOf<D>)[]

  const toEvents = (
    type: string,
    { id, practiceId, patientId }: Pick<Existing, 'id' | 'practiceId' | 'patientId'>,
    data: object,
  ) => {
    const about =
      patient === 'none' ? {} : patient === 'optional' ? { patientId, subjectId: patientId ?? id } : { patientId }
    return [{ type, data: { [idField.field]: id, practiceId, ...about, ...data } }] as unknown as RecordEvent<D>[]
  }

  function decide(command: RecordCommand<D>, state: State): Decision {
    if (command.type === 'Create') return state.exists ? [] : toEvents(names.created, command, command.fields)
    if (!state.exists || state.practiceId !== command.practiceId)
      return reject('not-found', `There is no such ${noun}.`)
    const events = command.type === 'Move' ? move(command, state) : change(command.change, state)
    return 'rejected' in events || events.length === 0 ? events : (rules?.(command, state) ?? events)
  }

  function move({ event, data }: Move<D>, state: Existing): Decision {
    const { from, to } = transitions[event] as RecordDefinition['transitions'][string]
    if (state.status === to) return []
    if (from.includes(state.status)) return toEvents(event, state, data)
    return reject('wrong-status', `This ${noun} is ${state.status}: it cannot become ${to}.`, definition.statusField)
  }

  function change(fields: Partial<FieldsOf<D>>, state: Existing): readonly RecordEvent<D>[] {
    const changed = fieldNames.filter(
      (name) => fields[name] !== undefined && JSON.stringify(fields[name]) !== JSON.stringify(state.fields[name]),
    )
    if (changed.length === 0) return []
    const pick = (values: Partial<FieldsOf<D>>) => Object.fromEntries(changed.map((name) => [name, values[name]]))
    return toEvents(names.changed, state, { from: pick(state.fields), to: pick(fields) })
  }

  function evolve(state: State, { type, data }: MarkedEvent<RecordEvent<D>>): State {
    if (type === names.created) {
      const {
        practiceId,
        patientId = null,
        ...rest
      } = data as unknown as { practiceId: PracticeId; patientId?: string }
      const values = rest as Record<string, unknown>
      const fields = Object.fromEntries(fieldNames.map((name) => [name, values[name as string]])) as FieldsOf<D>
      const id = values[idField.field] as RecordId<D>
      return { exists: true, id, practiceId, patientId: patientId as PatientOf<D>, status: initialStatus, fields }
    }
    if (!state.exists) return state
    if (type === names.changed) {
      const { to } = data as unknown as { to: Partial<FieldsOf<D>> }
      return { ...state, fields: { ...state.fields, ...to } }
    }
    const moved = data as unknown as Partial<FieldsOf<D>>
    const set = Object.fromEntries(fieldNames.filter((name) => name in moved).map((name) => [name, moved[name]]))
    return { ...state, status: (transitions[type] as D['transitions'][string]).to, fields: { ...state.fields, ...set } }
  }

  return { category, events: schema, initial: { exists: false }, decide, evolve }
}
