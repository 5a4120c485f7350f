import type { UserId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, CommandRejected, RetriesExhausted } from '#eventstore/command-bus.ts'
import type { Decider } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import {
  emailDecider,
  type NameCommand,
  type NameState,
  type RegisteredUser,
  userDecider,
  usernameDecider,
} from './decider.ts'
import { normalizeEmail, normalizeUsername } from './unique-names.ts'

type Parts = {
  bus: CommandBus
  clock: () => Date
  keyedHash: (purpose: string, value: string) => string
}

/**
 * Reservations older than this whose registration never finished can be taken over. Long enough that two concurrent
 * registrations do not take over from each other.
 */
const abandonedAfterMs = 30_000
const maxAttempts = 3

/** A name that was released is reserved again by a repeated registration; the decider recognizes one that is still held. */
const decidedAgain = { idempotencyKey: null } as const

/** Returns functions that hash names to the ids of their streams. */
export const createNameHasher = ({ keyedHash }: Pick<Parts, 'keyedHash'>) => ({
  email: (email: string) => keyedHash('email', normalizeEmail(email)),
  username: (username: string) => keyedHash('username', normalizeUsername(username)),
})

/**
 * Registers a user (docs/decisions/0002): reserves the e-mail address and the username, stores the password, and only
 * then writes the registration. Throws `CommandRejected` with `email-taken`, `username-taken` or, when the registration
 * took so long that its names were taken over, `registration-abandoned`.
 */
export async function registerUser(
  parts: Parts,
  user: RegisteredUser,
  storePassword: () => Promise<void>,
  context: CommandContext,
): Promise<void> {
  const { bus } = parts
  const ids = createNameHasher(parts)
  const email = ids.email(user.email)
  const username = ids.username(user.username)
  const release = async () => {
    await bus.execute(emailDecider, email, { type: 'Release', userId: user.userId }, context, decidedAgain)
    await bus.execute(usernameDecider, username, { type: 'Release', userId: user.userId }, context, decidedAgain)
  }
  await reserve(parts, emailDecider, email, user.userId, context)
  try {
    await reserve(parts, usernameDecider, username, user.userId, context)
    await storePassword()
  } catch (error) {
    // Nothing is registered yet. Names that cannot be released now are taken over later.
    await release().catch(() => undefined)
    throw error
  }
  try {
    await bus.execute(userDecider, user.userId, { type: 'Register', user }, context)
  } catch (error) {
    // After any other error the registration may have been written, so the names stay reserved.
    if (error instanceof CommandRejected) await release().catch(() => undefined)
    throw error
  }
}

async function reserve<Event extends DomainEvent, Code extends string>(
  parts: Parts,
  decider: Decider<NameCommand, Event, NameState, Code>,
  id: string,
  userId: UserId,
  context: CommandContext,
): Promise<void> {
  const { bus, clock } = parts
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      await bus.execute(decider, id, { type: 'Reserve', userId, at: clock().toISOString() }, context, decidedAgain)
      return
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      const { state: holder } = await bus.load(decider, id)
      if (holder && !(await abandonIfExpired(parts, holder, context))) throw error
      if (holder) await bus.execute(decider, id, { type: 'Release', userId: holder.userId }, context, decidedAgain)
    }
  }
  throw new RetriesExhausted(`Still busy after ${maxAttempts} tries: ${decider.category}`)
}

/**
 * Returns whether a name is held by a registration that never finished. Closes the unfinished account first, so that a
 * registration that was merely slow can no longer finish.
 */
async function abandonIfExpired(
  { bus, clock }: Parts,
  { userId, reservedAt }: NonNullable<NameState>,
  context: CommandContext,
): Promise<boolean> {
  if (clock().getTime() - Date.parse(reservedAt) < abandonedAfterMs) return false
  try {
    await bus.execute(userDecider, userId, { type: 'Abandon', userId }, context)
    return true
  } catch (error) {
    if (error instanceof CommandRejected) return false
    throw error
  }
}
