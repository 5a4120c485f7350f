import { type Attempt, hourly, type Limit, type Lock, maxWindowHours } from '#http/rate-limiter.ts'
import type { LockScope, RecordedLock } from './events.ts'

const locked = {
  maxAttempts: 5,
  maxFurtherAttempts: 5,
  lockMinutes: [1, 5, 15],
  windowHours: maxWindowHours,
  code: 'locked',
  message: 'Too many failed attempts.',
} as const

/** Failed sign-ins to one account from one network, whether or not the account exists. */
export const signInsPerAccountAndNetwork: Limit = { ...locked, purpose: 'sign-in account network' }

/** Failed sign-ins to one account from a device that has signed in to it before. */
export const signInsPerDevice: Limit = { ...locked, purpose: 'sign-in device' }

/** Failed sign-ins to one account from everywhere: stops guesses that come from many networks. */
export const signInsPerAccount: Limit = {
  ...locked,
  purpose: 'sign-in account',
  maxAttempts: 100,
  ...hourly,
}

/** Failed sign-ins from one network: far more than a practice behind one address mistypes on a Monday morning. */
export const signInsPerNetwork: Limit = {
  purpose: 'sign-in network',
  maxAttempts: 100,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many failed attempts from your network.',
}

/**
 * Returns the limits of a sign-in, in the order in which they count it (docs/decisions/0022). A device that has signed in to
 * the account before has a counter of its own, so that failures elsewhere cannot lock it out. An account that has signed in from
 * the network before does not share the limit of the network: an attacker in the waiting room locks no colleague out at a new desk.
 */
export function selectSignInLimits({
  account,
  network,
  knownDeviceId,
  isKnownNetwork = false,
}: {
  account: string
  network: string
  /** The device from which the attempt comes, if it has signed in to this account before. */
  knownDeviceId: string | null
  /** The account has signed in from this network before. */
  isKnownNetwork?: boolean
}): readonly Attempt[] {
  if (knownDeviceId !== null) return [{ limit: signInsPerDevice, value: `${knownDeviceId} ${account}` }]
  return [
    { limit: signInsPerAccountAndNetwork, value: `${network} ${account}` },
    ...(isKnownNetwork ? [] : [{ limit: signInsPerNetwork, value: network }]),
    { limit: signInsPerAccount, value: account },
  ]
}

/**
 * Sign-ins with a passkey from one network that were begun and not completed. No key can be guessed: this limits what strangers
 * store, and leaves room for a practice whose people cancel and try again.
 */
export const passkeySignInsPerNetwork: Limit = {
  ...signInsPerNetwork,
  purpose: 'passkey sign-in network',
  maxAttempts: 300,
  message: 'Too many unfinished sign-ins from your network.',
}

/** Requests for a new password for one address from one network, whether or not it has an account. */
export const resetsPerAccountAndNetwork: Limit = {
  purpose: 'password reset account network',
  maxAttempts: 5,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many requests for this address.',
}

/** Requests for a new password for one address from everywhere: strangers cannot flood a mailbox. */
export const resetsPerAccount: Limit = {
  ...resetsPerAccountAndNetwork,
  purpose: 'password reset account',
  maxAttempts: 20,
}

/** Requests for a new password from one network. */
export const resetsPerNetwork: Limit = {
  ...resetsPerAccountAndNetwork,
  purpose: 'password reset network',
  maxAttempts: 30,
  message: 'Too many requests from your network.',
}

/** Requests of a user for another link that confirms the address of the registration. */
export const emailProofsPerUser: Limit = {
  ...resetsPerAccountAndNetwork,
  purpose: 'email proof user',
  message: 'Too many messages to this address.',
}

/** Requests of a user to change the e-mail address. */
export const emailChangesPerUser: Limit = {
  ...resetsPerAccountAndNetwork,
  purpose: 'email change user',
  message: 'Too many requests for a new email.',
}

/** Requests to change to one address, from everyone, whether or not it has an account: strangers cannot flood a mailbox. */
export const emailChangesPerAddress: Limit = { ...resetsPerAccount, purpose: 'email change address' }

/** Wrong passwords of a signed-in user where it is asked again. */
export const passwordChecks: Limit = { ...locked, purpose: 'password check' }

/** Wrong codes of a user, after the right password: six digits withstand fewer guesses than a password. */
export const twoFactorChecks: Limit = {
  purpose: 'two-factor check',
  maxAttempts: 10,
  ...hourly,
  code: 'locked',
  message: 'Too many wrong codes.',
}

const lockScopes = new Map<Limit, LockScope>([
  [signInsPerDevice, 'device'],
  [signInsPerAccountAndNetwork, 'account-in-network'],
  [signInsPerAccount, 'account'],
  [signInsPerNetwork, 'network'],
  [twoFactorChecks, 'code'],
  [passwordChecks, 'password'],
])

/** Returns the locks of sign-ins, passwords and codes as the record names them. */
export const describeLocks = (locks: readonly Lock[]): RecordedLock[] =>
  locks.flatMap(({ limit, until }) => {
    const scope = lockScopes.get(limit)
    return scope ? [{ scope, until: until.toISOString() }] : []
  })

/** Registrations from one network. */
export const createRegistrationLimit = (maxAttempts: number): Limit => ({
  purpose: 'register network',
  maxAttempts,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many registrations from your network.',
})
