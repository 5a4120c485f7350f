import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'
import { event } from '#eventstore/event.ts'

const userId = UserId
/** The client's address as a keyed hash: two can be compared, but the address cannot be recovered. */
const addressHash = z.string().min(1)
/** An ISO instant in UTC. */
const instant = z.iso.datetime()

/** The reservations of an e-mail address. The stream's name is a keyed hash of the address. */
export const EmailEvent = z.discriminatedUnion('type', [
  event('EmailReserved', {
    userId,
    reservedAt: instant,
    /** The request of the user to change to this address; missing in the reservation of a registration. */
    requestId: z.uuid().optional(),
  }),
  event('EmailReservationReleased', { userId }),
])
export type EmailEvent = z.infer<typeof EmailEvent>

/** The reservations of a username. The stream's name is a keyed hash of the username. */
export const UsernameEvent = z.discriminatedUnion('type', [
  event('UsernameReserved', { userId, reservedAt: instant }),
  event('UsernameReservationReleased', { userId }),
])
export type UsernameEvent = z.infer<typeof UsernameEvent>

/** The fields of the own account that users change in the settings. */
const profile = z
  .strictObject({ firstName: z.string().min(1), lastName: z.string().min(1), username: z.string().min(1) })
  .partial()

/** A user changed the own profile. `from` and `to` contain only the changed fields. */
export const ProfileChanged = event('ProfileChanged', { userId, from: profile, to: profile })

/** The events of an account. */
export const UserEvent = z.discriminatedUnion('type', [
  event('UserRegistered', {
    userId,
    email: z.string().min(1),
    username: z.string().min(1),
    firstName: z.string().min(1),
    lastName: z.string().min(1),
    role: Role,
    newsletterOptIn: z.boolean(),
    addressHash,
  }),
  /** The address of the registration has to be confirmed: a link was requested. Only the latest one works. */
  event('EmailProofRequested', { userId, proofId: z.uuid(), expiresAt: instant }),
  /** The link was opened: the address of the registration belongs to the user. */
  event('EmailProved', { userId, proofId: z.uuid() }),
  /** The registration was started but not finished, and another registration took over its names. */
  event('RegistrationAbandoned', { userId }),
  /** The user asked to change to another address. Only the latest request can be confirmed. */
  event('EmailChangeRequested', {
    userId,
    requestId: z.uuid(),
    email: z.string().min(1),
    addressHash,
    expiresAt: instant,
  }),
  /** The user confirmed the new address. */
  event('EmailChanged', {
    userId,
    requestId: z.uuid(),
    changeId: z.uuid(),
    from: z.string().min(1),
    to: z.string().min(1),
    /** The request with which `from` was reserved; null for the address of the registration. */
    replaces: z.uuid().nullable(),
    addressHash,
  }),
  /** The confirmation was started but not finished, and another account took over the address. */
  event('EmailChangeAbandoned', { userId, requestId: z.uuid() }),
  ProfileChanged,
  /** The reservation of a username that the account does not use, or uses no longer, ends; the account can no longer rely on it. */
  event('UsernameGivenUp', { userId, reservedAt: instant }),
])
export type UserEvent = z.infer<typeof UserEvent>

/** The events of a session. A session that expires writes no event. */
export const SessionEvent = z.discriminatedUnion('type', [
  event('SignedIn', { sessionId: z.uuid(), userId, addressHash }),
  event('SignedOut', {
    sessionId: z.uuid(),
    userId,
    /**
     * `idle`: the browser was not used, locked its windows and ended it. `revoked`: ended by its user from another session, also
     * by setting up a second factor there. `password-changed`: ended because the password changed elsewhere.
     * `two-factor-reset`: ended because an administrator reset the second factor.
     */
    reason: z.enum(['signed-out', 'idle', 'signed-in-again', 'revoked', 'password-changed', 'two-factor-reset']),
  }),
])
export type SessionEvent = z.infer<typeof SessionEvent>

/**
 * Scope of a lock after too many failures: sign-ins on one device, to an account from one network or from anywhere, or from one
 * network; the second factor of a user; or the password where a signed-in user is asked for it again.
 */
const lockScope = z.enum(['device', 'account-in-network', 'account', 'network', 'code', 'password'])
export type LockScope = z.infer<typeof lockScope>

/** A lock as the record names it. `until` is an ISO instant in UTC. */
export type RecordedLock = { scope: LockScope; until: string }

/** A sign-in that was refused, and what follows from too many of them. */
export const FailedSignInEvent = z.discriminatedUnion('type', [
  /** `userId` is null when no account has the e-mail address. */
  event('SignInRefused', { userId: userId.nullable(), addressHash }),
  /** The password was right, and the code was missing. One event stands for all of a minute from one address. */
  event('SignInCodeMissing', { userId, addressHash }),
  /** A signed-in user gave a wrong code where one was asked for. */
  event('CodeRefused', { userId, addressHash }),
  /** The last of too many failures: no further attempt is admitted until an instant. */
  event('AttemptsLocked', { userId: userId.nullable(), addressHash, scope: lockScope, until: instant }),
])
export type FailedSignInEvent = z.infer<typeof FailedSignInEvent>

/** The events of a password. It is itself stored as a hash outside of the event store, and so is that of a change (ADR 32). */
export const PasswordEvent = z.discriminatedUnion('type', [
  /** A link to choose a new password was requested. `userId` is null when no account has the e-mail address. */
  event('PasswordResetRequested', { resetId: z.uuid(), userId: userId.nullable(), addressHash, expiresAt: instant }),
  /** A new password was chosen with a link. It ends every session that began before. */
  event('PasswordReset', { userId, changeId: z.uuid(), addressHash }),
  /** A signed-in user changed the password. It ends every other session that began before. */
  event('PasswordChanged', { userId, changeId: z.uuid(), sessionId: z.uuid(), addressHash }),
  /** A signed-in user gave a wrong password where it was asked again. */
  event('PasswordRefused', { userId, addressHash }),
])
export type PasswordEvent = z.infer<typeof PasswordEvent>

/** The events of an account's second factor. Its secret and the recovery codes are stored outside of the event store (ADR 32). */
export const TwoFactorEvent = z.discriminatedUnion('type', [
  event('TwoFactorEnabled', { userId, factorId: z.uuid(), recoveryCodes: z.int().nonnegative() }),
  event('RecoveryCodesReplaced', { userId, recoveryCodes: z.int().nonnegative() }),
  /** A recovery code was used in place of the authenticator app. */
  event('RecoveryCodeUsed', { userId, left: z.int().nonnegative() }),
  event('TwoFactorDisabled', { userId }),
  /** The owner or an administrator (`by`) turned it off for a member who lost the phone and the recovery codes. */
  event('TwoFactorReset', { userId, factorId: z.uuid(), by: userId }),
])
export type TwoFactorEvent = z.infer<typeof TwoFactorEvent>

/** The events of the passkeys of an account. Their public keys are stored outside of the event store (ADR 35). */
export const PasskeyEvent = z.discriminatedUnion('type', [
  event('PasskeyAdded', { userId, passkeyId: z.uuid(), name: z.string().min(1) }),
  event('PasskeyRemoved', { userId, passkeyId: z.uuid() }),
  /**
   * The owner or an administrator (`by`) removed them from a member who lost the device. `factorId` is the authenticator app
   * that is reset with them; null without one.
   */
  event('PasskeysReset', { userId, passkeyIds: z.array(z.uuid()), factorId: z.uuid().nullable(), by: userId }),
])
export type PasskeyEvent = z.infer<typeof PasskeyEvent>

const passkeyUse = { userId, passkeyId: z.uuid(), challengeId: z.uuid(), addressHash }

/** The outcome of a challenge that a passkey has signed. */
export const PasskeyUseEvent = z.discriminatedUnion('type', [
  event('PasskeyUsed', passkeyUse),
  /** `counter`: it did not grow since the last use, so the passkey may have been copied. */
  event('PasskeyRefused', { ...passkeyUse, reason: z.enum(['counter']) }),
])
export type PasskeyUseEvent = z.infer<typeof PasskeyUseEvent>
