import type { Colour } from '#contracts/values/colours.ts'
import { PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { providerDecider } from './decider.ts'

type Dependencies = Pick<Services, 'bus' | 'db' | 'waitUntilCaughtUp'>
type Cause = Pick<CommandContext, 'correlationId' | 'causationId'>

/** A user who becomes a provider. The id is derived from `key`, so that it happens once. */
type UserProvider = { key: string; actor: string; practiceId: string; userId: string; colour: Colour }

/** Returns the key from which the id of a member's provider is derived. */
export const memberProviderKey = ({ practiceId, userId }: { practiceId: string; userId: string }): string =>
  `provider ${userId} of ${practiceId}`

/** Adds a user as a provider, once. Returns false while the practice or the user is not in the read model yet. */
export async function addUserAsProvider(
  { bus, db, waitUntilCaughtUp }: Dependencies,
  { key, actor, practiceId, userId, colour }: UserProvider,
  cause: Cause,
): Promise<boolean> {
  const practice = await findPracticeProfile(db, practiceId)
  const name = (await findUserNames(db, [userId])).get(userId)
  if (!practice || name === undefined) return false
  const providerId = ProviderId.parse(deriveId(key))
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: actor }, ...cause }
  const command = {
    type: 'Add',
    providerId,
    practiceId: PracticeId.parse(practiceId),
    userId: UserId.parse(userId),
    details: { name, title: null, colour },
    timezone: practice.timezone,
  } as const
  const { position } = await bus.execute(providerDecider, providerId, command, context, { idempotencyKey: actor })
  // Null when the provider existed already.
  if (position !== null) await waitUntilCaughtUp(['ProviderAdded'], position)
  return true
}

/**
 * Adds the owner of a practice as its first provider, once, whether the job or the first request for the providers comes
 * first. Returns false while the practice or its owner is not in the read model yet.
 */
export async function ensureFirstProvider(services: Dependencies, practiceId: string, cause: Cause): Promise<boolean> {
  const practice = await findPracticeProfile(services.db, practiceId)
  if (!practice) return false
  const { ownerId: userId } = practice
  const key = `first provider of ${practiceId}`
  return await addUserAsProvider(services, { key, actor: 'first-provider', practiceId, userId, colour: 'teal' }, cause)
}
