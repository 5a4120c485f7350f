import type { CalendarFeedId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { findMemberships, type Membership } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { calendarFeedDecider } from './decider.ts'
import type { CalendarFeedEndReason } from './events.ts'
import { findOpenFeedsAfter, type OpenFeed } from './queries.ts'

/** The name of the job, and of the actor of what it does. */
export const endFeedsJob = 'end-calendar-feeds'

/** Returns why a feed has to end; null while its creator may create feeds in its practice. */
export function findEndReason(
  { practiceId, createdBy }: Omit<OpenFeed, 'id'>,
  memberships: ReadonlyMap<string, Membership>,
): CalendarFeedEndReason | null {
  const creator = memberships.get(createdBy)
  if (creator?.practiceId !== practiceId) return 'creator-left'
  return hasPermission(creator, 'settings') ? null : 'permission-lost'
}

type EndableFeeds = readonly (OpenFeed & { reason: CalendarFeedEndReason })[]

async function findFeedsWithoutRight(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  feeds: readonly OpenFeed[],
): Promise<EndableFeeds> {
  const memberships = await findMemberships(db, [...new Set(feeds.map(({ createdBy }) => createdBy))], clock())
  return feeds.flatMap((feed) => {
    const reason = findEndReason(feed, memberships)
    return reason === null ? [] : [{ ...feed, reason }]
  })
}

/**
 * Ends those feeds whose creator may no longer create feeds, for good. Returns the ids of these. A read model that lags or is
 * being rebuilt can lack the creator, and nothing reopens a feed: before any ends, the users are read again after a wait for
 * everything stored so far. Throws ReadModelsBehind.
 */
export async function endFeedsWithoutRight(
  services: Pick<Services, 'db' | 'clock' | 'bus' | 'newId' | 'store' | 'waitUntilCaughtUp'>,
  feeds: readonly OpenFeed[],
): Promise<ReadonlySet<CalendarFeedId>> {
  const { bus, newId } = services
  const suspects = await findFeedsWithoutRight(services, feeds)
  if (suspects.length === 0) return new Set()
  await waitForReadModels(services, ['UserRegistered', 'PracticeSetUp', 'MemberJoined'])
  const endable = await findFeedsWithoutRight(services, suspects)
  for (const { id, practiceId, reason } of endable) {
    const actor = { kind: 'process', name: endFeedsJob } as const
    const context = { practiceId, actor, correlationId: newId() }
    await bus.execute(calendarFeedDecider, id, { type: 'End', reason }, context)
  }
  return new Set(endable.map(({ id }) => id))
}

/**
 * Ends the feeds of all practices whose creator may no longer create feeds, page by page. Throws ReadModelsBehind, and when
 * `signal` is aborted.
 */
export async function endAllFeedsWithoutRight(
  services: Services,
  signal: AbortSignal,
  pageSize = 1_000,
): Promise<void> {
  const { db, clock } = services
  const now = clock()
  for (let after: CalendarFeedId | null = null; ;) {
    signal.throwIfAborted()
    const feeds: readonly OpenFeed[] = await findOpenFeedsAfter(db, now, after, pageSize)
    await endFeedsWithoutRight(services, feeds)
    const last = feeds.at(-1)
    if (!last || feeds.length < pageSize) return
    after = last.id
  }
}
