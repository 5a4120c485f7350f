import { z } from 'zod'
import { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'
import { event } from '#eventstore/event.ts'

const userId = UserId
/** The client's address as a keyed hash: tells whether two are the same, not what it is. */
const addressHash = z.string().min(1)
/** An ISO instant in UTC. */
const instant = z.iso.datetime()

/** Who holds an e-mail address. The stream's name is a keyed hash of it. */
export const EmailEvent = z.discriminatedUnion('type', [
  event('EmailReserved', { userId, reservedAt: instant }),
  event('EmailReservationReleased', { userId }),
])
export type EmailEvent = z.infer<typeof EmailEvent>

/** Who holds a username. The stream's name is a keyed hash of it. */
export const UsernameEvent = z.discriminatedUnion('type', [
  event('UsernameReserved', { userId, reservedAt: instant }),
  event('UsernameReservationReleased', { userId }),
])
export type UsernameEvent = z.infer<typeof UsernameEvent>

/** Everything that can have happened to an account itself. */
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
  /** It was begun and never came to its end; somebody else asked for the same name since. It can never end now. */
  event('RegistrationAbandoned', { userId }),
])
export type UserEvent = z.infer<typeof UserEvent>

/** One session, from its beginning to its end. Sessions that were idle for too long end without a word. */
export const SessionEvent = z.discriminatedUnion('type', [
  event('SignedIn', { sessionId: z.uuid(), userId, addressHash }),
  event('SignedOut', { sessionId: z.uuid(), userId, reason: z.enum(['signed-out', 'signed-in-again']) }),
])
export type SessionEvent = z.infer<typeof SessionEvent>

/** Somebody tried to sign in and was refused. `userId` is null when nobody has the e-mail address that was given. */
export const FailedSignInEvent = event('SignInRefused', { userId: userId.nullable(), addressHash })
export type FailedSignInEvent = z.infer<typeof FailedSignInEvent>
