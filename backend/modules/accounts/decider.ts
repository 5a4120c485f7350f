import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { EmailEvent, FailedSignInEvent, SessionEvent, UserEvent, UsernameEvent } from './events.ts'

/** The commands for an e-mail address or a username. `at` is an ISO instant in UTC. */
export type NameCommand = { type: 'Reserve'; userId: UserId; at: string } | { type: 'Release'; userId: UserId }

/** The holder of a name and the time of the reservation; null when the name is free. */
export type NameState = { userId: UserId; reservedAt: string } | null

/** The rules for one e-mail address: the first reservation holds it. */
export const emailDecider: Decider<NameCommand, EmailEvent, NameState, 'email-taken'> = {
  category: 'email',
  events: EmailEvent,
  initial: null,
  decide(command, holder) {
    const { userId } = command
    const own = holder?.userId === userId
    if (command.type === 'Release') return own ? [{ type: 'EmailReservationReleased', data: { userId } }] : []
    if (own) return []
    if (holder) return reject('email-taken', 'This email is already registered', 'email')
    return [{ type: 'EmailReserved', data: { userId, reservedAt: command.at } }]
  },
  evolve: (_, { type, data }) => (type === 'EmailReserved' ? data : null),
}

/** The rules for one username: the first reservation holds it. */
export const usernameDecider: Decider<NameCommand, UsernameEvent, NameState, 'username-taken'> = {
  category: 'username',
  events: UsernameEvent,
  initial: null,
  decide(command, holder) {
    const { userId } = command
    const own = holder?.userId === userId
    if (command.type === 'Release') return own ? [{ type: 'UsernameReservationReleased', data: { userId } }] : []
    if (own) return []
    if (holder) return reject('username-taken', 'This username is already taken', 'username')
    return [{ type: 'UsernameReserved', data: { userId, reservedAt: command.at } }]
  },
  evolve: (_, { type, data }) => (type === 'UsernameReserved' ? data : null),
}

/** The data of a registration. */
export type RegisteredUser = Extract<UserEvent, { type: 'UserRegistered' }>['data']

/** The commands for an account. */
export type UserCommand = { type: 'Register'; user: RegisteredUser } | { type: 'Abandon'; userId: UserId }

/** The state of an account. */
export type UserState = { status: 'none' } | { status: 'registered'; user: RegisteredUser } | { status: 'abandoned' }

export type UserRejection = 'already-registered' | 'registration-abandoned'

/** One account. It is either registered or abandoned, whichever came first, and stays so. */
export const userDecider: Decider<UserCommand, UserEvent, UserState, UserRejection> = {
  category: 'user',
  events: UserEvent,
  initial: { status: 'none' },
  decide(command, { status }) {
    if (command.type === 'Abandon') {
      if (status === 'registered') return reject('already-registered', 'This account is registered.')
      return status === 'abandoned' ? [] : [{ type: 'RegistrationAbandoned', data: { userId: command.userId } }]
    }
    if (status === 'registered') return reject('already-registered', 'This account is already registered.')
    if (status === 'abandoned')
      return reject('registration-abandoned', 'This took too long. Please try to register again.')
    return [{ type: 'UserRegistered', data: command.user }]
  },
  evolve: (_, event) =>
    event.type === 'UserRegistered' ? { status: 'registered', user: event.data } : { status: 'abandoned' },
}

/** The commands for a session. */
export type SessionCommand =
  | { type: 'SignIn'; sessionId: string; userId: UserId; addressHash: string }
  | { type: 'SignOut'; reason: 'signed-out' | 'signed-in-again' }

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

/** The command that records a refused sign-in. */
export type RecordFailedSignIn = { type: 'Refuse'; userId: UserId | null; addressHash: string }

/** The rules for refused sign-ins; each has its own stream. */
export const failedSignInDecider: Decider<RecordFailedSignIn, FailedSignInEvent, 'none' | 'refused'> = {
  category: 'refusal',
  events: FailedSignInEvent,
  initial: 'none',
  decide: ({ userId, addressHash }, state) =>
    state === 'refused' ? [] : [{ type: 'SignInRefused', data: { userId, addressHash } }],
  evolve: () => 'refused',
}
