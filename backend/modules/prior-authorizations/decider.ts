import { reject } from '#eventstore/decider.ts'
import { recordDecider } from '#modules/records/public.ts'
import { authorizationEvents } from './events.ts'

/** The fields that the insurer decides about: they stay as they were submitted. */
const requestFields = ['insuranceProvider', 'requestType', 'procedureCodes', 'diagnosisCodes'] as const
/** The fields of the insurer's decision. */
const decisionFields = ['authorizationNumber', 'expiresAt'] as const

/**
 * The rules of a prior authorization: an insurer decides about the request that was submitted, an approval has a number and a last
 * day, and it expires after that day.
 */
export const authorizationDecider = recordDecider(authorizationEvents, {
  category: 'prior-authorization',
  noun: 'prior authorization',
  rules(command, { status, fields }) {
    if (command.type === 'Change') {
      const { change } = command
      const differs = (name: keyof typeof fields) =>
        change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(fields[name])
      const fixed = status === 'draft' ? undefined : requestFields.find(differs)
      if (fixed)
        return reject('already-submitted', 'This request was submitted. Add another one for other codes.', fixed)
      const early = status === 'approved' ? undefined : decisionFields.find(differs)
      if (early) return reject('not-approved', 'Only an approved request has a number and a last day.', early)
      return change.expiresAt === null || change.authorizationNumber === null
        ? reject('not-approved', 'An approved request needs its number and its last day.', 'authorizationNumber')
        : undefined
    }
    if (command.event === 'PriorAuthorizationApproved' && command.data.expiresAt < command.today)
      return reject('already-over', 'This day is over. Enter a later one.', 'expiresAt')
    if (command.event !== 'PriorAuthorizationExpired') return undefined
    const isOver = fields.expiresAt !== null && fields.expiresAt < command.today
    return isOver && command.data.expiresAt === fields.expiresAt
      ? undefined
      : reject('still-valid', 'This authorization is not over.', 'expiresAt')
  },
})
