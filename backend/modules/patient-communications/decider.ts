import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { communicationEvents } from './events.ts'

/** The parts of a message that were read as they are. */
const sentFields = ['messageContent', 'subject', 'direction', 'communicationType'] as const

/** The rules of a message: its text stays as it was sent. */
export const communicationDecider = recordDecider(communicationEvents, {
  category: 'patient-communication',
  noun: 'message',
  rules(command, { fields }) {
    if (command.type !== 'Change') return undefined
    const { change } = command
    const fixed = sentFields.find((name) => change[name] !== undefined && change[name] !== fields[name])
    return fixed ? reject('already-sent', 'A message does not change. Add another one.', fixed) : undefined
  },
})
