import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { sessionDecider } from './decider.ts'
import type { SessionEvent } from '../events.ts'

type Ended = {
  userId: UserId
  /** A session that stays. */
  exceptSessionId?: string
  reason: Extract<SessionEvent, { type: 'SignedOut' }>['data']['reason']
}

/** Ends all sessions of a user except the given one, and records why. */
export async function endSessions(
  { bus, sessions }: Pick<Services, 'bus' | 'sessions'>,
  { userId, exceptSessionId, reason }: Ended,
  context: CommandContext,
): Promise<void> {
  const ended = await sessions.revokeAll(userId, exceptSessionId)
  const command = { type: 'SignOut', reason } as const
  await Promise.all(ended.map((sessionId) => bus.execute(sessionDecider, sessionId, command, context)))
}
