import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { administrationEvents } from './events.ts'

/** The rules of an administration: one that was entered in error stays as it is. */
export const administrationDecider = recordDecider(administrationEvents, {
  category: 'medication-administration',
  noun: 'administration',
  rules: (command, { status }) =>
    command.type === 'Change' && status === 'entered-in-error'
      ? reject('entered-in-error', 'This administration was entered in error. Record another one.')
      : undefined,
})
