import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { FailedSignInEvent, type RecordedLock, SessionEvent } from '../events.ts'

/** The commands for a session. */
export type SessionCommand =
  | { type: 'SignIn'; sessionId: string; userId: UserId; addressHash: string }
  | { type: 'SignOut'; reason: Extract<SessionEvent, { type: 'SignedOut' }>['data']['reason'] }

/** The state of a session. */
export type SessionState = { status: 'none' } | { status: 'open' | 'ended'; sessionId: string; userId: UserId }

/** The rules for a session: it starts once and ends once. */
export const sessionDecider: Decider<SessionCommand, SessionEvent, SessionState, 'session-exists'> = {
  category: 'session',
  events: SessionEvent,
  initial: { status: 'none' },
  decide(command, state) {
    if (command.type === 'SignIn') {
      const { sessionId, userId, addressHash } = command
      if (state.status !== 'none') return reject('session-exists', 'This session has already started.')
      return [{ type: 'SignedIn', data: { sessionId, userId, addressHash } }]
    }
    if (state.status !== 'open') return []
    const { sessionId, userId } = state
    return [{ type: 'SignedOut', data: { sessionId, userId, reason: command.reason } }]
  },
  evolve: (_, { type, data: { sessionId, userId } }) => ({
    status: type === 'SignedIn' ? 'open' : 'ended',
    sessionId,
    userId,
  }),
}

/**
 * The commands that record a refused sign-in: with a wrong password or code, and with the right password but no code; a wrong
 * code of a signed-in user; and only the locks that followed. `locks` are those that the attempt has set.
 */
export type RecordFailedSignIn = { addressHash: string } & (
  | { type: 'Refuse'; userId: UserId | null; locks?: readonly RecordedLock[] }
  | { type: 'NoteMissingCode'; userId: UserId }
  | { type: 'RefuseCode'; userId: UserId; locks?: readonly RecordedLock[] }
  | { type: 'NoteLocks'; userId: UserId; locks: readonly RecordedLock[] }
)

/** The rules for refused sign-ins; each stream has one. */
export const failedSignInDecider: Decider<RecordFailedSignIn, FailedSignInEvent, 'none' | 'refused'> = {
  category: 'refusal',
  events: FailedSignInEvent,
  initial: 'none',
  decide(command, state) {
    if (state === 'refused') return []
    const { addressHash } = command
    if (command.type === 'NoteMissingCode')
      return [{ type: 'SignInCodeMissing', data: { userId: command.userId, addressHash } }]
    const { userId, locks = [] } = command
    const locked = locks.map((lock) => ({ type: 'AttemptsLocked', data: { userId, addressHash, ...lock } }) as const)
    if (command.type === 'NoteLocks') return locked
    return command.type === 'Refuse'
      ? [{ type: 'SignInRefused', data: { userId, addressHash } }, ...locked]
      : [{ type: 'CodeRefused', data: { userId: command.userId, addressHash } }, ...locked]
  },
  evolve: () => 'refused',
}
