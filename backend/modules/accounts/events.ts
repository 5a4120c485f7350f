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
  event('EmailReserved', { userId, reservedAt: instant }),
  event('EmailReservationReleased', { userId }),
])
export type EmailEvent = z.infer<typeof EmailEvent>

/** The reservations of a username. The stream's name is a keyed hash of the username. */
export const UsernameEvent = z.discriminatedUnion('type', [
  event('UsernameReserved', { userId, reservedAt: instant }),
  event('UsernameReservationReleased', { userId }),
])
export type UsernameEvent = z.infer<typeof UsernameEvent>

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
  /** The registration was started but not finished, and another registration took over its names. */
  event('RegistrationAbandoned', { userId }),
])
export type UserEvent = z.infer<typeof UserEvent>

/** The events of a session. A session that expires writes no event. */
export const SessionEvent = z.discriminatedUnion('type', [
  event('SignedIn', { sessionId: z.uuid(), userId, addressHash }),
  event('SignedOut', { sessionId: z.uuid(), userId, reason: z.enum(['signed-out', 'signed-in-again']) }),
])
export type SessionEvent = z.infer<typeof SessionEvent>

/** A refused sign-in. `userId` is null when no account has the e-mail address. */
export const FailedSignInEvent = event('SignInRefused', { userId: userId.nullable(), addressHash })
export type FailedSignInEvent = z.infer<typeof FailedSignInEvent>
