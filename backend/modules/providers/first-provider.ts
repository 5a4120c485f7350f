import { PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { type CommandContext, deriveId } from '#eventstore/command-bus.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { providerDecider } from './decider.ts'

/**
 * Adds the owner of a practice as its first provider. The id is derived from the practice's, so that it happens once,
 * whether the job or the first request for the providers comes first. Returns false while the practice or its owner is
 * not in the read model yet.
 */
export async function ensureFirstProvider(
  { bus, db, waitUntilCaughtUp }: Pick<Services, 'bus' | 'db' | 'waitUntilCaughtUp'>,
  practiceId: string,
  cause: Pick<CommandContext, 'correlationId' | 'causationId'>,
): Promise<boolean> {
  const practice = await findPracticeProfile(db, practiceId)
  if (!practice) return false
  const name = (await findUserNames(db, [practice.ownerId])).get(practice.ownerId)
  if (name === undefined) return false
  const providerId = ProviderId.parse(deriveId(`first provider of ${practiceId}`))
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: 'first-provider' }, ...cause }
  const command = {
    type: 'Add',
    providerId,
    practiceId: PracticeId.parse(practiceId),
    userId: UserId.parse(practice.ownerId),
    details: { name, title: null, colour: 'teal' },
    timezone: practice.timezone,
  } as const
  const { position } = await bus.execute(providerDecider, providerId, command, context, {
    idempotencyKey: 'first-provider',
  })
  // Null when the provider existed already.
  if (position !== null) await waitUntilCaughtUp(['ProviderAdded'], position)
  return true
}
