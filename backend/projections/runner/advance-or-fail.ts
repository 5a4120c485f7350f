import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import { isTransient } from '#database/pool.ts'
import { advance, type Batch } from './advance.ts'
import { failCheckpoint } from './checkpoints.ts'
import { describeFailure } from './failure.ts'
import { isActive, type Subscription } from './subscription.ts'

type Dependencies = { pool: Pool; store: EventStore; logger: Logger }

/**
 * Processes a batch. Marks the subscription as failed at an event that cannot be processed, after processing everything
 * before it. Returns false as `advance` does. Throws transient errors, such as an unavailable database.
 */
export async function advanceOrFail(
  parts: Dependencies,
  subscription: Subscription,
  batch: Batch,
  isRetry = false,
): Promise<boolean> {
  const { pool, store, logger } = parts
  try {
    return await advance(pool, store, subscription, batch)
  } catch (error) {
    if (error instanceof StoreUnavailable || isTransient(error) || (await isDatabaseUnavailable(pool))) throw error
    const [event] = batch.events
    if (!event || batch.events.length > 1) return await bisectBatch(parts, subscription, batch)
    // An unknown error can still be temporary: only an event that fails twice is considered faulty.
    if (!isRetry) return await advanceOrFail(parts, subscription, batch, true)
    const { subscriber } = subscription
    await failCheckpoint(pool, subscriber, event.position, describeFailure(event, error))
    // Set after the checkpoint: a caller that stops waiting must find the reason there.
    subscription.state = 'failed'
    logger.error({ projection: subscriber.name, eventId: event.id, type: event.type }, 'projection failed')
    return true
  }
}

async function bisectBatch(parts: Dependencies, subscription: Subscription, { events, next }: Batch): Promise<boolean> {
  const middle = Math.floor(events.length / 2)
  const left = events.slice(0, middle)
  const advanced = await advanceOrFail(parts, subscription, { events: left, next: left.at(-1)?.position ?? next })
  if (!advanced || !isActive(subscription)) return advanced
  return await advanceOrFail(parts, subscription, { events: events.slice(middle), next })
}

const isDatabaseUnavailable = (pool: Pool) =>
  pool.query('select 1').then(
    () => false,
    () => true,
  )
