import { maxFormLinkTries } from '#contracts/form-links.ts'
import type { FormLinkId, PracticeId } from '#contracts/values/ids.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import { FormLinkEvent } from './events.ts'

type Created = Extract<FormLinkEvent, { type: 'FormLinkCreated' }>['data']

/** Commands for the links of one form. `now` is an ISO instant. */
export type FormLinkCommand =
  | { type: 'Create'; link: Created }
  | { type: 'Revoke'; practiceId: PracticeId }
  | { type: 'Try'; linkId: FormLinkId; isRight: boolean; now: string }

/** The newest link of a form, with the ids of those before it. */
type KnownLink = {
  known: true
  link: Created
  earlier: readonly FormLinkId[]
  misses: number
  isRevoked: boolean
  isUsed: boolean
}
export type FormLinkState = { known: false } | KnownLink

export type FormLinkRejection = 'not-found' | 'link-replaced' | 'link-revoked' | 'link-closed' | 'link-expired'

/**
 * The rules of the links of a form: only the newest one works, until it is revoked, expires, or three wrong dates of birth were
 * given.
 */
export const formLinkDecider: Decider<FormLinkCommand, FormLinkEvent, FormLinkState, FormLinkRejection> = {
  category: 'form-link',
  events: FormLinkEvent,
  initial: { known: false },
  decide(command, state) {
    if (command.type === 'Create') return [{ type: 'FormLinkCreated', data: command.link }]
    if (command.type === 'Revoke') {
      if (!state.known || state.link.practiceId !== command.practiceId || state.isRevoked) return []
      return [{ type: 'FormLinkRevoked', data: toSubject(state.link) }]
    }
    const refused = findLinkRejection(state, command.linkId, command.now)
    if (refused) return refused
    if (!state.known) return []
    if (!command.isRight) return [{ type: 'FormLinkMissed', data: toSubject(state.link) }]
    return state.isUsed ? [] : [{ type: 'FormLinkOpened', data: toSubject(state.link) }]
  },
  evolve(state, event) {
    if (event.type === 'FormLinkCreated') {
      const earlier = state.known ? [...state.earlier, state.link.linkId] : []
      return { known: true, link: event.data, earlier, misses: 0, isRevoked: false, isUsed: false }
    }
    if (!state.known) return state
    if (event.type === 'FormLinkRevoked') return { ...state, isRevoked: true }
    return event.type === 'FormLinkOpened' ? { ...state, isUsed: true } : { ...state, misses: state.misses + 1 }
  },
}

const toSubject = ({ formId, practiceId, patientId, linkId }: Created) => ({ formId, practiceId, patientId, linkId })

/** Returns why a link does not work; undefined for one that does. */
export function findLinkRejection(
  state: FormLinkState,
  linkId: FormLinkId,
  now: string,
): Rejection<FormLinkRejection> | undefined {
  if (state.known && state.earlier.includes(linkId))
    return reject('link-replaced', 'There is a newer link to this form.')
  if (!state.known || state.link.linkId !== linkId) return reject('not-found', 'This link is not valid.')
  if (state.isRevoked) return reject('link-revoked', 'The practice has withdrawn this link.')
  if (state.misses >= maxFormLinkTries)
    return reject('link-closed', 'This link was closed after three wrong dates of birth.')
  return state.link.expiresAt <= now ? reject('link-expired', 'This link has expired.') : undefined
}
