import { addMinutes } from 'date-fns/addMinutes'
import { resetMinutes } from '#contracts/account-security.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { PasswordEvent } from '../events.ts'

/** The commands for a password. `at` is an ISO instant in UTC; `changeId` names the hash that was stored for the change. */
export type PasswordCommand =
  | { type: 'RequestReset'; resetId: string; userId: UserId | null; addressHash: string; at: string }
  | {
      type: 'Reset'
      resetId: string
      userId: UserId
      changeId: string
      addressHash: string
      at: string
      /** The last change of the e-mail address (ISO, UTC): earlier links were mailed to another one. Null without a change. */
      emailChangedAt?: string | null
    }
  | {
      type: 'Change'
      userId: UserId
      changeId: string
      /** The last change that was known when the current password was checked: it may have been replaced since. */
      basedOn: string | null
      sessionId: string
      addressHash: string
    }
  | { type: 'RefusePassword'; userId: UserId; addressHash: string }

/** The links that may still be used until they expire, and the id of the last change. */
export type PasswordState = {
  links: readonly { resetId: string; expiresAt: string }[]
  lastChangeId: string | null
}

const findRequestedAt = (expiresAt: string): string => addMinutes(expiresAt, -resetMinutes).toISOString()

/** Returns whether a link can be used at an instant (ISO, UTC). None works that was requested before the address changed. */
export const isResetOpen = (
  { links }: PasswordState,
  resetId: string,
  at: string,
  emailChangedAt: string | null = null,
): boolean =>
  links.some(
    (link) =>
      link.resetId === resetId &&
      link.expiresAt > at &&
      (emailChangedAt === null || findRequestedAt(link.expiresAt) > emailChangedAt) &&
      // A clock that was ahead when the link was requested does not make it work for longer.
      link.expiresAt <= addMinutes(at, resetMinutes).toISOString(),
  )

/** The rules for one password: a link is used once, within its time, and every change ends all links. */
export const passwordDecider: Decider<
  PasswordCommand,
  PasswordEvent,
  PasswordState,
  'link-expired' | 'changed-meanwhile'
> = {
  category: 'password',
  events: PasswordEvent,
  initial: { links: [], lastChangeId: null },
  decide(command, state) {
    switch (command.type) {
      case 'RequestReset': {
        const { resetId, userId, addressHash, at } = command
        if (state.links.some((link) => link.resetId === resetId)) return []
        const expiresAt = addMinutes(at, resetMinutes).toISOString()
        return [{ type: 'PasswordResetRequested', data: { resetId, userId, addressHash, expiresAt } }]
      }
      case 'Reset': {
        const { resetId, userId, changeId, addressHash, at } = command
        if (state.lastChangeId === changeId) return []
        if (!isResetOpen(state, resetId, at, command.emailChangedAt))
          return reject('link-expired', 'This link no longer works. Please request a new one.')
        return [{ type: 'PasswordReset', data: { userId, changeId, addressHash } }]
      }
      case 'Change': {
        const { userId, changeId, basedOn, sessionId, addressHash } = command
        if (state.lastChangeId === changeId) return []
        if (state.lastChangeId !== basedOn)
          return reject('changed-meanwhile', 'Your password was changed in the meantime. Please sign in again.')
        return [{ type: 'PasswordChanged', data: { userId, changeId, sessionId, addressHash } }]
      }
      case 'RefusePassword':
        return [{ type: 'PasswordRefused', data: { userId: command.userId, addressHash: command.addressHash } }]
    }
  },
  evolve(state, { type, data }) {
    if (type === 'PasswordRefused') return state
    if (type !== 'PasswordResetRequested') return { links: [], lastChangeId: data.changeId }
    const requestedAt = findRequestedAt(data.expiresAt)
    const open = state.links.filter(({ expiresAt }) => expiresAt > requestedAt)
    return { ...state, links: [...open, { resetId: data.resetId, expiresAt: data.expiresAt }] }
  },
}

/**
 * Returns the version of a password, which grows with every change: the number of events in its stream, up to that of the
 * change or any later one before the next change.
 */
export const computePasswordVersion = (revision: bigint | 'no-stream'): number =>
  revision === 'no-stream' ? 0 : Number(revision) + 1
