import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { willPass } from '#database/pool.ts'
import { advance, type Batch, type Follower, isFollowing, stopAt } from './subscription.ts'

type Parts = { pool: Pool; store: EventStore; logger: Logger }

/**
 * Takes a read model over a batch; stops it at an event that cannot be folded, with everything before it taken in. Answers
 * false when it could not, as `advance`. Throws what will pass, as a database that is away.
 */
export async function advanceOrStop(parts: Parts, follower: Follower, batch: Batch, again = false): Promise<boolean> {
  const { pool, store, logger } = parts
  try {
    return await advance(pool, store, follower, batch)
  } catch (error) {
    if (error instanceof StoreUnavailable || willPass(error) || (await isAway(pool))) throw error
    const [event] = batch.events
    if (!event || batch.events.length > 1) return await advanceByHalves(parts, follower, batch)
    // A connection can break without a code: only an event that fails twice is to blame.
    if (!again) return await advanceOrStop(parts, follower, batch, true)
    await stopAt(pool, follower, event, error)
    logger.error({ projection: follower.projection.name, eventId: event.id, type: event.type }, 'read model stopped')
    return true
  }
}

async function advanceByHalves(parts: Parts, follower: Follower, { events, next }: Batch): Promise<boolean> {
  const middle = Math.floor(events.length / 2)
  const left = events.slice(0, middle)
  const moved = await advanceOrStop(parts, follower, { events: left, next: left.at(-1)?.position ?? next })
  if (!moved || !isFollowing(follower)) return moved
  return await advanceOrStop(parts, follower, { events: events.slice(middle), next })
}

const isAway = (pool: Pool) =>
  pool.query('select 1').then(
    () => false,
    () => true,
  )
