import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { isTransient } from '#database/pool.ts'
import { advance, type Batch, type Subscription, isActive, markFailed } from './subscription.ts'

type Dependencies = { pool: Pool; store: EventStore; logger: Logger }

/**
 * Takes a read model over a batch; stops it at an event that cannot be folded, with everything before it taken in. Answers
 * false when it could not, as `advance`. Throws what will pass, as a database that is away.
 */
export async function advanceOrStop(
  parts: Dependencies,
  follower: Subscription,
  batch: Batch,
  again = false,
): Promise<boolean> {
  const { pool, store, logger } = parts
  try {
    return await advance(pool, store, follower, batch)
  } catch (error) {
    if (error instanceof StoreUnavailable || isTransient(error) || (await isDatabaseUnavailable(pool))) throw error
    const [event] = batch.events
    if (!event || batch.events.length > 1) return await bisectBatch(parts, follower, batch)
    // A connection can break without a code: only an event that fails twice is to blame.
    if (!again) return await advanceOrStop(parts, follower, batch, true)
    await markFailed(pool, follower, event, error)
    logger.error({ projection: follower.subscriber.name, eventId: event.id, type: event.type }, 'read model stopped')
    return true
  }
}

async function bisectBatch(parts: Dependencies, follower: Subscription, { events, next }: Batch): Promise<boolean> {
  const middle = Math.floor(events.length / 2)
  const left = events.slice(0, middle)
  const moved = await advanceOrStop(parts, follower, { events: left, next: left.at(-1)?.position ?? next })
  if (!moved || !isActive(follower)) return moved
  return await advanceOrStop(parts, follower, { events: events.slice(middle), next })
}

const isDatabaseUnavailable = (pool: Pool) =>
  pool.query('select 1').then(
    () => false,
    () => true,
  )
