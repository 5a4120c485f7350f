import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { CommandRejected, RetriesExhausted } from '#eventstore/command-errors.ts'
import type { Decider } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { userDecider } from '../decider.ts'
import { emailDecider, type NameCommand, type NameState, usernameDecider } from './decider.ts'
import { normalizeUsername } from './unique-names.ts'

/** The parts of the application that the reservation of a name uses. */
export type NameParts = {
  bus: CommandBus
  clock: () => Date
  keyedHash: (purpose: string, value: string) => string
}

type Holder = NonNullable<NameState>

/**
 * Reservations older than this that nothing came of can be taken over. Long enough that two concurrent registrations do not
 * take over from each other.
 */
const abandonedAfterMs = 30_000
const maxAttempts = 3

/** A name that was released is reserved again by a repeated request; the decider recognizes one that is still held. */
export const decidedAgain = { idempotencyKey: null } as const

/** Returns functions that hash names to the ids of their streams. */
export const createNameHasher = ({ keyedHash }: Pick<NameParts, 'keyedHash'>) => ({
  email: (email: string) => keyedHash('email', normalizeEmail(email)),
  username: (username: string) => keyedHash('username', normalizeUsername(username)),
})

/**
 * Reserves an e-mail address for a registration, or for a request of a user to change to it. Throws `CommandRejected` with
 * `email-taken` when another account has it.
 */
export async function reserveEmail(
  parts: NameParts,
  email: string,
  owner: { userId: UserId; requestId?: string },
  context: CommandContext,
): Promise<void> {
  const abandon = (holder: Holder) => endUnusedEmail(parts, holder, context)
  await reserve(parts, emailDecider, createNameHasher(parts).email(email), { ...owner, abandon }, context)
}

/**
 * Reserves a username for a user, and returns the instant of the reservation, which may be older: a user who reserved the name
 * before keeps it. Throws `CommandRejected` with `username-taken`.
 */
export async function reserveUsername(
  parts: NameParts,
  username: string,
  userId: UserId,
  context: CommandContext,
): Promise<string> {
  const abandon = async (holder: Holder) =>
    (await abandonRegistration(parts, holder, context)) || (await abandonUsername(parts, username, holder, context))
  return await reserve(parts, usernameDecider, createNameHasher(parts).username(username), { userId, abandon }, context)
}

/** Releases one reservation of a username, which its user has given up. */
export async function releaseUsername(
  parts: NameParts,
  username: string,
  { userId, reservedAt }: Holder,
  context: CommandContext,
): Promise<void> {
  const id = createNameHasher(parts).username(username)
  await parts.bus.execute(usernameDecider, id, { type: 'Release', userId, reservedAt }, context, decidedAgain)
}

type Claim = {
  userId: UserId
  requestId?: string
  /** Ends an abandoned reservation, so that it can be released. */
  abandon: (holder: Holder) => Promise<boolean>
}

async function reserve<Event extends DomainEvent, Code extends string>(
  { bus, clock }: NameParts,
  decider: Decider<NameCommand, Event, NameState, Code>,
  id: string,
  { userId, requestId, abandon }: Claim,
  context: CommandContext,
): Promise<string> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      const command = { type: 'Reserve', userId, requestId, at: clock().toISOString() } as const
      const { state } = await bus.execute(decider, id, command, context, decidedAgain)
      return state?.reservedAt ?? command.at
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      const { state: holder } = await bus.load(decider, id)
      if (holder && !(await abandon(holder))) throw error
      if (holder) await bus.execute(decider, id, { type: 'Release', ...holder }, context, decidedAgain)
    }
  }
  throw new RetriesExhausted(`Still busy after ${maxAttempts} tries: ${decider.category}`)
}

/**
 * Returns whether a name is held by a registration that never finished. Closes the unfinished account first, so that a
 * registration that was merely slow can no longer finish.
 */
async function abandonRegistration(
  { bus, clock }: NameParts,
  { userId, reservedAt }: Holder,
  context: CommandContext,
): Promise<boolean> {
  if (clock().getTime() - Date.parse(reservedAt) < abandonedAfterMs) return false
  return await isAccepted(bus.execute(userDecider, userId, { type: 'Abandon', userId }, context))
}

/**
 * Returns whether an address is held by a registration or a change of address that never finished, or was given up. Closes what
 * is unfinished first, so that a request that was merely slow can no longer finish.
 */
async function endUnusedEmail(parts: NameParts, holder: Holder, context: CommandContext): Promise<boolean> {
  const { bus, clock } = parts
  const { userId, reservedAt, requestId } = holder
  const { state } = await bus.load(userDecider, userId)
  if (state.status === 'registered') {
    if (state.emailChange?.requestId === requestId) return false
    // Neither the user's current address nor the one that was requested last: this reservation is never used again.
    if (requestId === undefined || state.emailRequest?.requestId !== requestId) return true
  }
  if (requestId === undefined) return await abandonRegistration(parts, holder, context)
  if (clock().getTime() - Date.parse(reservedAt) < abandonedAfterMs) return false
  try {
    const { state: ended } = await bus.execute(userDecider, userId, { type: 'AbandonEmailChange', requestId }, context)
    // The change may have been confirmed a moment ago.
    return ended.status === 'registered' && ended.emailChange?.requestId !== requestId
  } catch (error) {
    if (error instanceof CommandRejected) return false
    throw error
  }
}

/**
 * Returns whether a username is held by an account that does not use it: a change of the profile was interrupted. Gives the
 * reservation up first, so that a change that was merely slow can no longer use it.
 */
async function abandonUsername(
  { bus, clock }: NameParts,
  username: string,
  { userId, reservedAt }: Holder,
  context: CommandContext,
): Promise<boolean> {
  if (clock().getTime() - Date.parse(reservedAt) < abandonedAfterMs) return false
  const command = { type: 'GiveUpUsername', userId, username, reservedAt } as const
  return await isAccepted(bus.execute(userDecider, userId, command, context, decidedAgain))
}

/** Returns false for a command that was refused. */
export async function isAccepted(execution: Promise<unknown>): Promise<boolean> {
  try {
    await execution
    return true
  } catch (error) {
    if (error instanceof CommandRejected) return false
    throw error
  }
}
