import { ProviderId } from '#contracts/values/ids.ts'
import { type CommandContext, deriveId } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { providerDecider } from './decider.ts'
import { findOwner } from './queries.ts'

/**
 * The owner of a practice is the first to see patients. The id follows from the practice's, so that it happens once, whoever
 * sees to it: the process manager, or the first who asks for the providers of a practice that is older than they are.
 * Answers false while the practice cannot be looked up.
 */
export async function ensureFirstProvider(
  { bus, db, waitUntilCaughtUp: caughtUp }: Pick<Services, 'bus' | 'db' | 'waitUntilCaughtUp'>,
  practiceId: string,
  cause: Pick<CommandContext, 'correlationId' | 'causationId'>,
): Promise<boolean> {
  const owner = await findOwner(db, practiceId)
  if (!owner) return false
  const providerId = ProviderId.parse(deriveId(`first provider of ${practiceId}`))
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: 'first-provider' }, ...cause }
  const details = { name: owner.name, title: null, colour: 'teal' } as const
  const { userId, timezone } = owner
  const command = { type: 'Add', providerId, practiceId: owner.practiceId, userId, details, timezone } as const
  const { position } = await bus.execute(providerDecider, providerId, command, context, {
    idempotencyKey: 'first-provider',
  })
  // Somebody else may have seen to it a moment ago.
  if (position !== null) await caughtUp(['ProviderAdded'], position)
  return true
}
