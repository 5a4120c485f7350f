import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { referralEvents } from './events.ts'

/** The fields that a specialist has read. */
const sentFields = ['specialtyType', 'reasonForReferral'] as const

/** The rules of a referral: its reason stays as the specialist has read it. */
export const referralDecider = recordDecider(referralEvents, {
  category: 'referral',
  noun: 'referral',
  rules(command, { status, fields }) {
    if (command.type !== 'Change' || status === 'pending') return undefined
    const { change } = command
    const fixed = sentFields.find((name) => change[name] !== undefined && change[name] !== fields[name])
    return fixed
      ? reject('already-sent', 'This referral was sent. Cancel it, and create another one.', fixed)
      : undefined
  },
})
