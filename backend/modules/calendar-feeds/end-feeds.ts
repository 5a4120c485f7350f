import type { CalendarFeedId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { findMemberships, type Membership } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { calendarFeedDecider } from './decider.ts'
import type { CalendarFeedEndReason } from './events.ts'

/** A feed that has not ended, and the user on whose permission it depends. */
export type OpenFeed = { id: CalendarFeedId; practiceId: PracticeId; createdBy: UserId }

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

/** Ends those feeds whose creator may no longer create feeds, for good. Returns the ids of these. */
export async function endFeedsWithoutRight(
  { db, bus, newId }: Pick<Services, 'db' | 'bus' | 'newId'>,
  feeds: readonly OpenFeed[],
): Promise<ReadonlySet<CalendarFeedId>> {
  const memberships = await findMemberships(db, [...new Set(feeds.map(({ createdBy }) => createdBy))])
  const ended = new Set<CalendarFeedId>()
  for (const feed of feeds) {
    const reason = findEndReason(feed, memberships)
    if (reason === null) continue
    ended.add(feed.id)
    const actor = { kind: 'process', name: endFeedsJob } as const
    const context = { practiceId: feed.practiceId, actor, correlationId: newId() }
    await bus.execute(calendarFeedDecider, feed.id, { type: 'End', reason }, context)
  }
  return ended
}
