import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { ProviderId, UserId } from '#contracts/values/ids.ts'
import { prepared } from '#database/prepared.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { ensureFirstProvider } from './first-provider.ts'

const PracticeProvider = z.object({
  id: ProviderId,
  userId: UserId.nullable(),
  name: z.string(),
  active: z.boolean(),
  timezone: z.string(),
})

/** A provider as scheduling needs it. `timezone` (IANA) is that of the practice when the provider was added. */
export type PracticeProvider = z.infer<typeof PracticeProvider>

/** Finds the providers of a practice, inactive ones included, in the order in which they were added. */
export const findPracticeProviders = (
  db: CommonQueryMethods,
  practiceId: string,
): Promise<readonly PracticeProvider[]> =>
  db.any(
    prepared(sql.type(PracticeProvider)`
    select id, user_id as "userId", name, active, timezone from read.providers
    where practice_id = ${practiceId} order by created_at, id`),
  )

/** Finds the name of a provider; null when there is none. */
export async function findProviderName(db: CommonQueryMethods, providerId: string): Promise<string | null> {
  const provider = await db.maybeOne(
    sql.type(z.object({ name: z.string() }))`select name from read.providers where id = ${providerId}`,
  )
  return provider?.name ?? null
}

/**
 * Returns the requested provider; without a request the caller, if active as a provider, else the first active one. An
 * inactive provider is accepted only as `currentId`, the one who already has the appointment. Throws 404 or 409. The owner
 * of a new practice becomes its first provider here when the background job has not added them yet.
 */
export async function requireProvider(
  services: Pick<Services, 'bus' | 'db' | 'waitUntilCaughtUp'>,
  caller: Member,
  requestedId: ProviderId | undefined,
  { correlationId }: Pick<CommandContext, 'correlationId'>,
  currentId?: ProviderId,
): Promise<PracticeProvider> {
  const { practiceId } = caller
  let providers = await findPracticeProviders(services.db, practiceId)
  if (providers.length === 0) {
    await ensureFirstProvider(services, practiceId, { correlationId })
    providers = await findPracticeProviders(services.db, practiceId)
  }
  const active = providers.filter((each) => each.active)
  const provider =
    requestedId === undefined
      ? (active.find(({ userId }) => userId === caller.userId) ?? active[0])
      : providers.find(({ id }) => id === requestedId)
  if (!provider && requestedId !== undefined) throw notFound('provider')
  if (!provider) throw new ProblemError(409, 'no-provider', 'Add a provider first.')
  if (!provider.active && provider.id !== currentId)
    throw new ProblemError(409, 'provider-inactive', `${provider.name} no longer sees patients.`, {
      errors: [{ path: 'providerId', message: 'Please choose another provider' }],
    })
  return provider
}
