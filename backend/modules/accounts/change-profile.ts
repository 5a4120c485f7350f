import type { ProfileFields } from '#contracts/profile.ts'
import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandOptions, CommandResult } from '#eventstore/command-bus.ts'
import { CommandRejected, isConflict } from '#eventstore/command-errors.ts'
import { isOfEarlierAttempt } from '#eventstore/repetition.ts'
import { userDecider, type UserState } from './decider.ts'
import { usernameDecider } from './names/decider.ts'
import type { UserEvent } from './events.ts'
import {
  createNameHasher,
  decidedAgain,
  isAccepted,
  type NameParts,
  releaseUsername,
  reserveUsername,
} from './names/reserve-names.ts'

type Request = { userId: UserId; change: Partial<ProfileFields> }
type Changed = CommandResult<UserState, UserEvent>

/**
 * Changes the profile of a user. Another username is reserved first and the old one is released at the end
 * (docs/decisions/0002); after a crash in between, the name that is not used can be taken over. Throws `CommandRejected` with
 * `username-taken`, and ConcurrencyError.
 */
export async function changeProfile(
  parts: NameParts,
  request: Request,
  context: CommandContext,
  options: Pick<CommandOptions, 'expectedRevision'>,
): Promise<Changed> {
  const { userId, change } = request
  const ids = createNameHasher(parts)
  const { state, history, revision } = await parts.bus.load(userDecider, userId)
  // A repetition would reserve the name once more, and so be another command: the profile may have changed since.
  const isRepeated = history.some((event) => event.type === 'ProfileChanged' && isOfEarlierAttempt(event))
  if (isRepeated) return { state, events: [], revision, position: null }
  const { username } = change
  if (state.status !== 'registered' || username === undefined)
    return await execute(parts, request, null, context, options)
  const before = state.user.username
  if (ids.username(username) === ids.username(before)) return await execute(parts, request, null, context, options)

  const { state: held } = await parts.bus.load(usernameDecider, ids.username(before))
  const current = held?.userId === userId ? held.reservedAt : null
  let next = await reserveUsername(parts, username, userId, context)
  if (state.givenUp.includes(next)) {
    // The user had this name before, and an interrupted change did not release it.
    await releaseUsername(parts, username, { userId, reservedAt: next }, context)
    next = await reserveUsername(parts, username, userId, context)
  }
  try {
    const changed = await execute(parts, request, { next, current }, context, options)
    // What cannot be released now is taken over when another user asks for the name.
    if (current !== null)
      await releaseUsername(parts, before, { userId, reservedAt: current }, context).catch(() => undefined)
    return changed
  } catch (error) {
    // After any other error the change may have been written, so the name stays reserved.
    if (error instanceof CommandRejected || isConflict(error, userDecider))
      await giveUp(parts, username, { userId, reservedAt: next }, context).catch(() => undefined)
    throw error
  }
}

const execute = (
  { bus }: NameParts,
  { userId, change }: Request,
  reservations: { next: string; current: string | null } | null,
  context: CommandContext,
  options: Pick<CommandOptions, 'expectedRevision'>,
): Promise<Changed> =>
  bus.execute(userDecider, userId, { type: 'ChangeProfile', userId, change, reservations }, context, options)

/** Gives up and releases a username, unless another request of the same user has begun to use it. */
async function giveUp(
  parts: NameParts,
  username: string,
  { userId, reservedAt }: { userId: UserId; reservedAt: string },
  context: CommandContext,
): Promise<void> {
  const command = { type: 'GiveUpUsername', userId, username, reservedAt } as const
  if (await isAccepted(parts.bus.execute(userDecider, userId, command, context, decidedAgain)))
    await releaseUsername(parts, username, { userId, reservedAt }, context)
}
