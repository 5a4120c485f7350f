import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { EmailEvent, UsernameEvent } from '../events.ts'

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
