import { addDays } from 'date-fns/addDays'
import { addHours } from 'date-fns/addHours'
import { addMinutes } from 'date-fns/addMinutes'
import { emailChangeHours, emailProofDays, resetMinutes } from '#contracts/account-security.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import type { ProfileFields } from '#contracts/profile.ts'
import { normalizeEmail } from '#modules/normalize-email.ts'
import {
  EmailEvent,
  FailedSignInEvent,
  PasswordEvent,
  type RecordedLock,
  SessionEvent,
  UserEvent,
  UsernameEvent,
} from './events.ts'
import { normalizeUsername } from './names/unique-names.ts'

/**
 * The commands for an e-mail address or a username. `at` is an ISO instant in UTC. `requestId` is the request to change to the
 * address; undefined for a registration and for usernames.
 */
export type NameCommand =
  | { type: 'Reserve'; userId: UserId; at: string; requestId?: string | undefined }
  /** `reservedAt`: only the reservation of that instant; otherwise whichever the user holds for the request. */
  | { type: 'Release'; userId: UserId; requestId?: string | undefined; reservedAt?: string }

/** The holder of a name, and the time and the request of the reservation; null when the name is free. */
export type NameState = { userId: UserId; reservedAt: string; requestId?: string | undefined } | null

const isReleased = (
  { userId, requestId, reservedAt }: Extract<NameCommand, { type: 'Release' }>,
  holder: NameState,
): boolean =>
  holder?.userId === userId &&
  holder.requestId === requestId &&
  (reservedAt === undefined || reservedAt === holder.reservedAt)

/**
 * The rules for one e-mail address: the first reservation holds it. Each is released by its own request only, so that a release
 * that comes late does not end a newer reservation of the same user.
 */
export const emailDecider: Decider<NameCommand, EmailEvent, NameState, 'email-taken'> = {
  category: 'email',
  events: EmailEvent,
  initial: null,
  decide(command, holder) {
    const { userId, requestId } = command
    if (command.type === 'Release')
      return isReleased(command, holder) ? [{ type: 'EmailReservationReleased', data: { userId } }] : []
    if (holder?.userId === userId && holder.requestId === requestId) return []
    if (holder) return reject('email-taken', 'This email is already registered', 'email')
    const request = requestId === undefined ? {} : { requestId }
    return [{ type: 'EmailReserved', data: { userId, reservedAt: command.at, ...request } }]
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
    if (command.type === 'Release')
      return isReleased(command, holder) ? [{ type: 'UsernameReservationReleased', data: { userId } }] : []
    if (holder?.userId === userId) return []
    if (holder) return reject('username-taken', 'This username is already taken', 'username')
    return [{ type: 'UsernameReserved', data: { userId, reservedAt: command.at } }]
  },
  evolve: (_, { type, data }) => (type === 'UsernameReserved' ? data : null),
}

/** The data of a registration. */
export type RegisteredUser = Extract<UserEvent, { type: 'UserRegistered' }>['data']

/** The instants (ISO, UTC) at which usernames were reserved: the new one, and the one that is in use; null when unknown. */
export type UsernameReservations = { next: string; current: string | null }

/** The commands for an account. `at` is an ISO instant in UTC. */
export type UserCommand =
  /** `proof`: the link with which the address has to be confirmed, where this is asked; `isGiven` when one was opened already. */
  | { type: 'Register'; user: RegisteredUser; proof?: (EmailProofRequest & { isGiven: boolean }) | undefined }
  | ({ type: 'RequestEmailProof' } & EmailProofRequest)
  | ({ type: 'ProveEmail' } & EmailProofRequest)
  /** Another link that was mailed to the address was used: that of an invitation or of a new password. */
  | { type: 'ProveEmailByLink'; proofId: string }
  | { type: 'Abandon'; userId: UserId }
  | { type: 'RequestEmailChange'; requestId: string; email: string; addressHash: string; at: string }
  /** Comes after the new address was reserved for the request. `changeId` is the same for every attempt at one confirmation. */
  | { type: 'ChangeEmail'; requestId: string; changeId: string; addressHash: string; at: string }
  /** Ends a request whose confirmation was interrupted, so that another account can have its address. */
  | { type: 'AbandonEmailChange'; requestId: string }
  /** `reservations` when the change includes another username, reserved before; null otherwise. */
  | {
      type: 'ChangeProfile'
      userId: UserId
      change: Partial<ProfileFields>
      reservations: UsernameReservations | null
    }
  /** Ends the reservation of a username unless the account uses this name. */
  | { type: 'GiveUpUsername'; userId: UserId; username: string; reservedAt: string }

type EmailProofRequest = { proofId: string; at: string }

type EmailChangeRequest = { requestId: string; email: string; expiresAt: string }

/** The state of an account. */
export type UserState =
  | { status: 'none' }
  | {
      status: 'registered'
      /** The registration, with the current names and the current address. */
      user: RegisteredUser
      /** The latest link that confirms the address of the registration; null where none was requested or opened. */
      emailProof: { proofId: string; expiresAt: string; isProved: boolean } | null
      /** The latest request to change the address, expired or not; null once it was confirmed or abandoned. */
      emailRequest: EmailChangeRequest | null
      /** The change that led to the current address; null for the address of the registration. */
      emailChange: { requestId: string; changeId: string } | null
      /** The instants of the reservations of usernames that ended. */
      givenUp: readonly string[]
    }
  | { status: 'abandoned' }

export type UserRejection =
  | 'already-registered'
  | 'registration-abandoned'
  | 'not-registered'
  | 'same-email'
  | 'email-proved'
  | 'link-expired'
  | 'username-taken'
  | 'username-in-use'

/** Returns whether a request to change the address can be confirmed at an instant (ISO, UTC). */
export const isEmailRequestOpen = (state: UserState, requestId: string, at: string): boolean =>
  state.status === 'registered' &&
  state.emailRequest?.requestId === requestId &&
  state.emailRequest.expiresAt > at &&
  // A clock that was ahead when the link was requested does not make it work for longer.
  state.emailRequest.expiresAt <= addHours(at, emailChangeHours).toISOString()

/**
 * One account. It is either registered or abandoned, whichever came first, and stays so. Its address changes with the latest
 * request only, within its time, and once.
 */
export const userDecider: Decider<UserCommand, UserEvent, UserState, UserRejection> = {
  category: 'user',
  events: UserEvent,
  initial: { status: 'none' },
  decide(command, state) {
    const { status } = state
    switch (command.type) {
      case 'Abandon':
        if (status === 'registered') return reject('already-registered', 'This account is registered.')
        return status === 'abandoned' ? [] : [{ type: 'RegistrationAbandoned', data: { userId: command.userId } }]
      case 'Register':
        if (status === 'registered') return reject('already-registered', 'This account is already registered.')
        if (status === 'abandoned')
          return reject('registration-abandoned', 'This took too long. Please try to register again.')
        return register(command)
      case 'RequestEmailProof':
      case 'ProveEmail':
        return state.status === 'registered' ? decideEmailProof(command, state) : notRegistered()
      case 'ProveEmailByLink':
        if (state.status !== 'registered') return notRegistered()
        if (isAddressProved(state)) return []
        return [proveEmail(state.user.userId, state.emailProof?.proofId ?? command.proofId)]
      case 'ChangeProfile':
        return state.status === 'registered' ? changeProfile(command, state) : notRegistered()
      case 'GiveUpUsername': {
        if (state.status !== 'registered') return notRegistered()
        const { userId, username, reservedAt } = command
        if (isSameUsername(state.user.username, username)) return reject('username-in-use', 'This username is in use.')
        return state.givenUp.includes(reservedAt) ? [] : [{ type: 'UsernameGivenUp', data: { userId, reservedAt } }]
      }
      default:
        return state.status === 'registered' ? decideEmailChange(command, state) : notRegistered()
    }
  },
  evolve: evolveUser,
}

type Registered = Extract<UserState, { status: 'registered' }>

/** Returns whether the address of an account still has to be confirmed. A changed address was confirmed by the change. */
export const mustProveEmail = (state: UserState): boolean =>
  state.status === 'registered' && state.emailProof?.isProved === false

/** Returns whether a link that was mailed to the address of an account was opened by its user. */
export const isAddressProved = (state: UserState): boolean =>
  state.status === 'registered' && (state.emailProof?.isProved === true || state.emailChange !== null)

/** Returns whether a link confirms the address of a registration at an instant (ISO, UTC). */
export const isEmailProofOpen = (state: UserState, proofId: string, at: string): boolean =>
  state.status === 'registered' &&
  state.emailProof?.proofId === proofId &&
  !state.emailProof.isProved &&
  state.emailProof.expiresAt > at &&
  // A clock that was ahead when the link was requested does not make it work for longer.
  state.emailProof.expiresAt <= computeProofExpiry(at)

const computeProofExpiry = (at: string): string => addDays(at, emailProofDays).toISOString()

function register({ user, proof }: Extract<UserCommand, { type: 'Register' }>): readonly UserEvent[] {
  const registered: UserEvent = { type: 'UserRegistered', data: user }
  if (!proof) return [registered]
  const { userId } = user
  return [registered, proof.isGiven ? proveEmail(userId, proof.proofId) : requestProof(userId, proof)]
}

const requestProof = (userId: UserId, { proofId, at }: EmailProofRequest): UserEvent => ({
  type: 'EmailProofRequested',
  data: { userId, proofId, expiresAt: computeProofExpiry(at) },
})

const proveEmail = (userId: UserId, proofId: string): UserEvent => ({ type: 'EmailProved', data: { userId, proofId } })

function decideEmailProof(
  { type, proofId, at }: Extract<UserCommand, { type: 'RequestEmailProof' | 'ProveEmail' }>,
  state: Registered,
): readonly UserEvent[] | Rejection<UserRejection> {
  const { emailProof } = state
  const { userId } = state.user
  if (type === 'RequestEmailProof') {
    if (emailProof?.proofId === proofId) return []
    if (!mustProveEmail(state)) return reject('email-proved', 'Your email is confirmed already.')
    return [requestProof(userId, { proofId, at })]
  }
  // A link that is opened twice, for example first by a program that looks at messages.
  if (emailProof?.proofId === proofId && emailProof.isProved) return []
  if (!isEmailProofOpen(state, proofId, at))
    return reject('link-expired', 'This link no longer works. Please have another one sent.')
  return [proveEmail(userId, proofId)]
}

function decideEmailChange(
  command: Extract<UserCommand, { requestId: string }>,
  state: Registered,
): readonly UserEvent[] | Rejection<UserRejection> {
  const { emailRequest, emailChange } = state
  const { userId, email: from } = state.user
  const { requestId } = command
  switch (command.type) {
    case 'RequestEmailChange': {
      const { email, addressHash, at } = command
      if (emailRequest?.requestId === requestId || emailChange?.requestId === requestId) return []
      if (normalizeEmail(email) === normalizeEmail(from))
        return reject('same-email', 'This is your email already', 'email')
      const expiresAt = addHours(at, emailChangeHours).toISOString()
      return [{ type: 'EmailChangeRequested', data: { userId, requestId, email, addressHash, expiresAt } }]
    }
    case 'ChangeEmail': {
      const { changeId, addressHash, at } = command
      if (emailChange?.changeId === changeId) return []
      if (!emailRequest || !isEmailRequestOpen(state, requestId, at))
        return reject('link-expired', 'This link no longer works. Please ask for the change again.')
      const to = emailRequest.email
      const replaces = emailChange?.requestId ?? null
      return [{ type: 'EmailChanged', data: { userId, requestId, changeId, from, to, replaces, addressHash } }]
    }
    case 'AbandonEmailChange':
      return emailRequest?.requestId === requestId
        ? [{ type: 'EmailChangeAbandoned', data: { userId, requestId } }]
        : []
  }
}

function evolveUser(state: UserState, event: UserEvent): UserState {
  if (event.type === 'UserRegistered')
    return {
      status: 'registered',
      user: event.data,
      emailProof: null,
      emailRequest: null,
      emailChange: null,
      givenUp: [],
    }
  if (event.type === 'RegistrationAbandoned') return { status: 'abandoned' }
  if (state.status !== 'registered') return state
  switch (event.type) {
    case 'EmailProofRequested': {
      const { proofId, expiresAt } = event.data
      return { ...state, emailProof: { proofId, expiresAt, isProved: false } }
    }
    case 'EmailProved':
      return {
        ...state,
        emailProof: { expiresAt: '', ...state.emailProof, proofId: event.data.proofId, isProved: true },
      }
    case 'EmailChangeRequested': {
      const { requestId, email, expiresAt } = event.data
      return { ...state, emailRequest: { requestId, email, expiresAt } }
    }
    case 'EmailChanged': {
      const { requestId, changeId, to: email } = event.data
      const change = { emailRequest: null, emailChange: { requestId, changeId } }
      // The link to the former address proves nothing about this one, which was confirmed with a link of its own.
      return { ...state, user: { ...state.user, email }, emailProof: null, ...change }
    }
    case 'EmailChangeAbandoned':
      return { ...state, emailRequest: null }
    case 'ProfileChanged':
      return { ...state, user: { ...state.user, ...event.data.to } }
    case 'UsernameGivenUp':
      return { ...state, givenUp: [...state.givenUp, event.data.reservedAt] }
  }
}

const profileFields = ['firstName', 'lastName', 'username'] as const

const isSameUsername = (one: string, other: string) => normalizeUsername(one) === normalizeUsername(other)

const notRegistered = () => reject('not-registered', 'This account does not exist.')

/** Decides on a change. Another username needs a reservation that has not been given up; that of the old one ends with it. */
function changeProfile(
  { userId, change, reservations }: Extract<UserCommand, { type: 'ChangeProfile' }>,
  { user, givenUp }: Registered,
) {
  const changed = profileFields.filter((field) => change[field] !== undefined && change[field] !== user[field])
  if (changed.length === 0) return []
  const pick = (source: Partial<ProfileFields>) => Object.fromEntries(changed.map((field) => [field, source[field]]))
  const event = { type: 'ProfileChanged', data: { userId, from: pick(user), to: pick(change) } } as const
  if (change.username === undefined || isSameUsername(change.username, user.username)) return [event]
  if (!reservations || givenUp.includes(reservations.next))
    return reject('username-taken', 'This username is already taken', 'username')
  return reservations.current === null
    ? [event]
    : [event, { type: 'UsernameGivenUp', data: { userId, reservedAt: reservations.current } } as const]
}

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
