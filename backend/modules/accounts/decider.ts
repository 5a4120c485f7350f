import { addDays } from 'date-fns/addDays'
import { addHours } from 'date-fns/addHours'
import { emailChangeHours, emailProofDays } from '#contracts/account-security.ts'
import type { ProfileFields } from '#contracts/profile.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { UserEvent } from './events.ts'
import { normalizeUsername } from './names/unique-names.ts'

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
