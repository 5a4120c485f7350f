import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { callEvents } from './events.ts'

/** The rules of a call: a follow-up can be finished only where one is required. */
export const callDecider = recordDecider(callEvents, {
  category: 'call-log',
  noun: 'call',
  rules: (command, { fields }) =>
    command.type === 'Move' && !fields.followUpRequired
      ? reject('no-follow-up', 'This call needs no follow-up.', 'followUpRequired')
      : undefined,
})
