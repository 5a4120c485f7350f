import type { PracticeId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { ClosureEvent } from './events.ts'

type Added = Extract<ClosureEvent, { type: 'ClosureAdded' }>['data']
/** The fields of a closure that can be changed. */
export type ClosureFields = Pick<Added, 'name' | 'from' | 'until'>

/** Commands for one holiday, or for some days off of one provider. */
export type ClosureCommand =
  | { type: 'Add'; closure: Added }
  | { type: 'Change'; practiceId: PracticeId; fields: ClosureFields }
  | { type: 'Remove'; practiceId: PracticeId }

export type ClosureState = { status: 'unknown' } | { status: 'active' | 'removed'; closure: Added }

export type ClosureRejection = 'not-found' | 'dates-reversed' | 'name-missing'

const notFound = () => reject('not-found', 'There are no such days.')

/** The rules of a closure: its dates are in order, a holiday has a name, and once removed it stays removed. */
export const closureDecider: Decider<ClosureCommand, ClosureEvent, ClosureState, ClosureRejection> = {
  category: 'closure',
  events: ClosureEvent,
  initial: { status: 'unknown' },
  decide(command, state) {
    if (command.type === 'Add') {
      if (state.status !== 'unknown') return []
      return validate(command.closure) ?? [{ type: 'ClosureAdded', data: command.closure }]
    }
    if (state.status === 'unknown' || state.closure.practiceId !== command.practiceId) return notFound()
    const { closure } = state
    const { closureId } = closure
    if (command.type === 'Remove')
      return state.status === 'removed' ? [] : [{ type: 'ClosureRemoved', data: { closureId } }]
    if (state.status === 'removed') return notFound()
    const fields = (['name', 'from', 'until'] as const).filter((field) => command.fields[field] !== closure[field])
    if (fields.length === 0) return []
    const pick = (source: ClosureFields) => Object.fromEntries(fields.map((field) => [field, source[field]]))
    return (
      validate({ ...closure, ...command.fields }) ?? [
        { type: 'ClosureChanged', data: { closureId, from: pick(closure), to: pick(command.fields) } },
      ]
    )
  },
  evolve(state, event) {
    if (event.type === 'ClosureAdded') return { status: 'active', closure: event.data }
    if (state.status === 'unknown') return state
    if (event.type === 'ClosureRemoved') return { ...state, status: 'removed' }
    return { ...state, closure: { ...state.closure, ...(event.data.to as Partial<ClosureFields>) } }
  },
}

function validate({ providerId, name, from, until }: Pick<Added, 'providerId' | 'name' | 'from' | 'until'>) {
  if (until < from) return reject('dates-reversed', 'Must not be before the first day', 'until')
  if (providerId === null && name === null)
    return reject('name-missing', 'Please enter the name of the holiday', 'name')
  return null
}
