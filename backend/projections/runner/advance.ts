import type { Pool } from 'pg'
import { withConnection } from '#database/pool.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { isBehind } from '#projections/position.ts'
import { loadSkippedIds } from '#projections/skips.ts'
import {
  inCheckpointTransaction,
  lockCheckpoints,
  moveCheckpoints,
  syncWithCheckpoints,
  terminateStaleHolder,
} from './checkpoints.ts'
import type { Subscription } from './subscription.ts'

/** The events after one position, up to and including another. */
export type Batch = { events: readonly Recorded[]; next: Position }

/**
 * Processes a batch. Rows and checkpoint move in one transaction, so that every event counts exactly once, however
 * often it is delivered and however many instances run. Returns false when it could not: another instance holds the
 * checkpoint, or the database has lost its last commits.
 */
export async function advance(
  pool: Pool,
  store: EventStore,
  subscription: Subscription,
  { events, next }: Batch,
): Promise<boolean> {
  const { subscriber, savedPosition } = subscription
  const pending = await selectPending(store, subscription, events)
  if (pending.length === 0) {
    if (isBehind(subscription.position, next)) subscription.position = next
    return true
  }
  const reached = await withConnection(pool, (client) =>
    inCheckpointTransaction(client, async () => {
      const locked = (await lockCheckpoints(client, [subscriber])).get(subscriber.name)
      if (locked === undefined || isBehind(locked, savedPosition)) return null
      const unseen = pending.filter(({ position }) => isBehind(locked, position))
      await subscriber.processEvents(client, unseen)
      if (!isBehind(locked, next)) return locked
      await moveCheckpoints(client, [subscriber.name], next)
      return next
    }),
  )
  if (reached === null) {
    await terminateStaleHolder(pool, subscriber)
    await syncWithCheckpoints(pool, [subscription])
    return false
  }
  subscription.position = reached
  subscription.savedPosition = reached
  return true
}

/** Returns the events that the subscriber handles, has not seen and does not skip. */
export async function selectPending(
  store: EventStore,
  subscription: Subscription,
  events: readonly Recorded[],
): Promise<readonly Recorded[]> {
  const { subscriber, position } = subscription
  const handled = events.filter((event) => isBehind(position, event.position) && subscriber.eventTypes.has(event.type))
  if (handled.length === 0) return []
  const skippedIds = (subscription.skippedIds ??= await loadSkippedIds(store, subscriber.name))
  return handled.filter(({ id }) => !skippedIds.has(id))
}
