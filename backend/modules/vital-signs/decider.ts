import { findVitalSignsProblem } from '#contracts/values/vital-signs.ts'
import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { vitalSignsEvents } from './events.ts'

/** The rules of a measurement: a correction leaves values that belong together, and one that was entered in error stays as it is. */
export const vitalSignsDecider = recordDecider(vitalSignsEvents, {
  category: 'vital-signs',
  noun: 'measurement',
  rules(command, { status, fields }) {
    if (command.type !== 'Change') return undefined
    if (status === 'entered-in-error')
      return reject('entered-in-error', 'This measurement was entered in error. Record another one.')
    const problem = findVitalSignsProblem({ ...fields, ...command.change })
    return problem ? reject('implausible', problem.message, problem.field) : undefined
  },
})
