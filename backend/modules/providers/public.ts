import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { type PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { CommandBus, SeenStream } from '#eventstore/command-bus.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { providerDecider } from './decider.ts'
import { addUserAsProvider, ensureFirstProvider, memberProviderKey } from './first-provider.ts'
import * as queries from './queries.ts'
import { countSeats, providersLock, requireFreeSeat } from './seats.ts'
import { findUnusedColour } from './unused-colour.ts'

const NameRow = z.object({ name: z.string() })

const PracticeProvider = z.object({
  id: ProviderId,
  userId: UserId.nullable(),
  name: z.string(),
  active: z.boolean(),
  timezone: z.string(),
  /** The last revision of the provider's own events. */
  revision: z.number(),
})

/** A provider as scheduling needs it. `timezone` (IANA) is that of the practice when the provider was added. */
export type PracticeProvider = z.infer<typeof PracticeProvider>

const ProviderRow = PracticeProvider.extend({ practiceId: z.string() })

/** Finds the providers of a practice, inactive ones included, in the order in which they were added. */
export const findPracticeProviders = groupQueries(
  async (db, practiceIds: readonly string[]): Promise<(readonly PracticeProvider[])[]> => {
    const rows = await db.any(
      prepared(sql.type(ProviderRow)`
        select practice_id as "practiceId", id, user_id as "userId", name, active, timezone, revision
        from read.providers
        where practice_id = any(${listOf(practiceIds, 'uuid')}) order by created_at, id`),
    )
    const providers = Map.groupBy(rows, ({ practiceId }) => practiceId)
    return practiceIds.map((practiceId) => providers.get(practiceId) ?? [])
  },
)

/** Finds the providers of a practice as the settings show them, inactive ones included. */
export const findProviders = queries.findProviders

/** Returns the stream of a provider as this row shows it. */
export const toSeenProvider = ({ id, revision }: PracticeProvider): SeenStream => ({
  stream: `${providerDecider.category}-${id}`,
  expected: BigInt(revision),
})

/** Loads the stream of a provider as it is now; null for one who is not active. */
export async function loadSeenProvider(bus: CommandBus, providerId: ProviderId): Promise<SeenStream | null> {
  const { state, revision } = await bus.load(providerDecider, providerId)
  const isActive = state.exists && state.isActive
  return isActive ? { stream: `${providerDecider.category}-${providerId}`, expected: revision } : null
}

/** Returns whether a provider sees patients, from the stored events: also when that changed a moment ago. */
export async function isProviderActive(bus: CommandBus, providerId: ProviderId): Promise<boolean> {
  const { state } = await bus.load(providerDecider, providerId)
  return !state.exists || state.isActive
}

/** Finds the name of a provider; null when there is none. */
export async function findProviderName(db: CommonQueryMethods, providerId: string): Promise<string | null> {
  const provider = await db.maybeOne(sql.type(NameRow)`select name from read.providers where id = ${providerId}`)
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

/** Adds a member of a practice as a provider, once. Returns false while the member is not in the read model yet. */
export async function addMemberAsProvider(
  services: Pick<Services, 'bus' | 'db' | 'waitUntilCaughtUp'>,
  { practiceId, userId }: { practiceId: PracticeId; userId: UserId },
  cause: Pick<CommandContext, 'correlationId' | 'causationId'>,
): Promise<boolean> {
  const colour = findUnusedColour(await queries.findProviders(services.db, practiceId))
  const key = memberProviderKey({ practiceId, userId })
  return await addUserAsProvider(services, { key, actor: 'member-provider', practiceId, userId, colour }, cause)
}

/** Counts the seats of a practice: active providers and open invitations that will add one. */
export const countProviderSeats = async (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  practiceId: string,
): Promise<number> => {
  const { active, invited } = await countSeats(db, practiceId, clock())
  return active + invited
}

/**
 * Returns a function that runs a task which takes a seat of a practice, one task after the other. `hasSeat` returns whether
 * the task has its seat already. The function throws 402 `plan-limit` when there is none; `path` names the field that asked for it.
 */
export function createSeatTaker(services: Services) {
  const withLocks = withAdvisoryLocks(services.pool, 2)
  return async <Result>(
    practiceId: PracticeId,
    { hasSeat, path, context }: { hasSeat: () => Promise<boolean>; path: string; context: CommandContext },
    run: () => Promise<Result>,
  ): Promise<Result> =>
    await withLocks([providersLock(practiceId)], async () => {
      if (!(await hasSeat())) await requireFreeSeat(services, practiceId, context, path)
      return await run()
    })
}
