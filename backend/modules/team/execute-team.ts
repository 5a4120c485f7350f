import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandOptions, CommandResult } from '#eventstore/command-bus.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { loadRegistration } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { loadFounder } from '#modules/practices/public.ts'
import { type TeamCommand, teamDecider, type TeamState } from './decider.ts'
import type { TeamEvent } from './events.ts'

/**
 * Executes commands on the team of a practice, all or none. The first ones also record who owns it. Throws 404 for someone who is
 * not a member, 403 for what only the owner may do, and `CommandRejected` otherwise.
 */
export async function executeTeam(
  { bus, clock }: Pick<Services, 'bus' | 'clock'>,
  practiceId: PracticeId,
  commands: readonly TeamCommand[],
  context: CommandContext,
  options: CommandOptions = {},
): Promise<CommandResult<TeamState, TeamEvent>> {
  const ownerId = await loadFounder({ bus }, practiceId)
  const owner = ownerId && (await loadRegistration({ bus }, ownerId))
  if (!owner) throw notFound('practice')
  const start: TeamCommand = { type: 'Start', practiceId, ownerId, role: owner.role }
  const at = clock().toISOString()
  const timed = [start, ...commands].map((command) => ({ command, at }))
  return await bus.executeAll(teamDecider, practiceId, timed, context, options).catch((error: unknown) => {
    if (!(error instanceof CommandRejected)) throw error
    const { rejected, message, path } = error.rejection
    if (rejected === 'not-found') throw notFound('member')
    if (rejected !== 'owner-only') throw error
    throw new ProblemError(403, 'forbidden', message, { errors: path === undefined ? [] : [{ path, message }] })
  })
}
