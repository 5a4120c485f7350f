import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { type RegisteredUser, userDecider } from './decider.ts'
import { emailDecider, usernameDecider } from './names/decider.ts'
import { createNameHasher, decidedAgain, type NameParts, reserveEmail, reserveUsername } from './names/reserve-names.ts'

/**
 * Registers a user (docs/decisions/0002): reserves the e-mail address and the username, stores the password, and only
 * then writes the registration. Throws `CommandRejected` with `email-taken`, `username-taken` or, when the registration
 * took so long that its names were taken over, `registration-abandoned`.
 */
export async function registerUser(
  parts: NameParts,
  user: RegisteredUser,
  storePassword: () => Promise<void>,
  context: CommandContext,
  /** The link that has to confirm the address, where this is asked, or that has done so. */
  link?: { proofId: string; isGiven: boolean },
): Promise<void> {
  const { bus } = parts
  const ids = createNameHasher(parts)
  const email = ids.email(user.email)
  const username = ids.username(user.username)
  const release = async () => {
    await bus.execute(emailDecider, email, { type: 'Release', userId: user.userId }, context, decidedAgain)
    await bus.execute(usernameDecider, username, { type: 'Release', userId: user.userId }, context, decidedAgain)
  }
  await reserveEmail(parts, user.email, { userId: user.userId }, context)
  try {
    await reserveUsername(parts, user.username, user.userId, context)
    await storePassword()
  } catch (error) {
    // Nothing is registered yet. Names that cannot be released now are taken over later.
    await release().catch(() => undefined)
    throw error
  }
  const proof = link && { ...link, at: parts.clock().toISOString() }
  try {
    await bus.execute(userDecider, user.userId, { type: 'Register', user, proof }, context)
  } catch (error) {
    // After any other error the registration may have been written, so the names stay reserved.
    // A repetition from another network is refused as registered already: the names are the user's own.
    if (error instanceof CommandRejected && error.rejection.rejected !== 'already-registered')
      await release().catch(() => undefined)
    throw error
  }
}
