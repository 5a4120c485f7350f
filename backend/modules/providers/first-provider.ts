import { ProviderId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, derivedId } from '#eventstore/command-bus.ts'
import type { DatabasePool } from 'slonik'
import { providerDecider } from './decider.ts'
import { findOwner } from './queries.ts'

/**
 * The owner of a practice is the first to see patients. The id follows from the practice's, so that it happens once, whoever
 * sees to it: the process manager, or the first who asks for the providers of a practice that is older than they are.
 */
export async function ensureFirstProvider(
  { bus, db }: { bus: CommandBus; db: DatabasePool },
  practiceId: string,
  correlationId: string,
): Promise<void> {
  const owner = await findOwner(db, practiceId)
  if (!owner) return
  const providerId = ProviderId.parse(derivedId(`first provider of ${practiceId}`))
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: 'first-provider' }, correlationId }
  const details = { name: owner.name, title: null, colour: 'teal' } as const
  const { userId, timezone } = owner
  const command = { type: 'Add', providerId, practiceId: owner.practiceId, userId, details, timezone } as const
  await bus.execute(providerDecider, providerId, command, context, { idempotencyKey: 'first-provider' })
}
