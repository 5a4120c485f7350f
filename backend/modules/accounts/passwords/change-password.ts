import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Services } from '#modules/module.ts'
import { computePasswordVersion, type PasswordCommand, passwordDecider } from './decider.ts'
import { sessionDecider } from '../sessions/decider.ts'
import { finishPasswordReset } from './finish-password-reset.ts'
import type { PasswordChanges } from './password-changes.ts'

/** A change of a password that is on the record. */
export type RecordedChange = {
  userId: UserId
  changeId: string
  /** The session that made the change and stays open; null after a reset. */
  keptSessionId: string | null
  /** The version of the password; see `computePasswordVersion`. */
  version: number
}

type Parts = Pick<Services, 'bus' | 'sessions' | 'pool'> & { changes: PasswordChanges }

/**
 * Records a change of a password and applies it. The hash is stored before the event is written: after a crash in between
 * nothing has changed, and after one behind the event a job finishes the change. Throws `CommandRejected`.
 */
export async function recordPasswordChange(
  parts: Parts,
  command: Extract<PasswordCommand, { type: 'Reset' | 'Change' }>,
  passwordHash: string,
  context: CommandContext,
): Promise<void> {
  const { bus, changes } = parts
  const { userId, changeId } = command
  await changes.prepare({ changeId, userId, passwordHash })
  const recorded = await bus
    .execute(passwordDecider, userId, command, context, { consistency: 'eventual' })
    .catch(async (error: unknown) => {
      // After any other error the event may have been written.
      if (error instanceof CommandRejected) await changes.drop(changeId)
      throw error
    })
  const keptSessionId = command.type === 'Change' ? command.sessionId : null
  const version = computePasswordVersion(recorded.revision)
  await finishPasswordChange(parts, { userId, changeId, keptSessionId, version }, context)
}

/** Makes the new password the user's and ends the sessions that began with the old one. Can be repeated. */
export async function finishPasswordChange(
  parts: Parts,
  { userId, changeId, keptSessionId, version }: RecordedChange,
  context: CommandContext,
): Promise<void> {
  const { bus, changes, sessions } = parts
  // Before the new password is in force, so that sessions of these passkeys end with those of the old one.
  if (keptSessionId === null) await finishPasswordReset(parts, { userId, changeId }, context)
  await changes.apply({ changeId, version, keptSessionId })
  const ended = await sessions.revokeOutdated(userId, version)
  const command = { type: 'SignOut', reason: 'password-changed' } as const
  await Promise.all(ended.map((sessionId) => bus.execute(sessionDecider, sessionId, command, context)))
}
