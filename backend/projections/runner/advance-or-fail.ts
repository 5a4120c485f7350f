import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { EventStore } from '#eventstore/event-store.ts'
import { isConnectionLost } from '#database/transient-errors.ts'
import { advance, type Batch } from './advance.ts'
import { failCheckpoint } from './checkpoints.ts'
import { describeFailure, isTransientFailure, splitBatch } from './failure.ts'
import { isActive, type Subscription } from './subscription.ts'

type Dependencies = { pool: Pool; store: EventStore; logger: Logger }

/**
 * Processes a batch. Marks the subscription as failed at an event that cannot be processed, after processing everything
 * before it. Returns false as `advance` does. Splits a batch whose connection is lost. Throws other transient errors, such as
 * an unavailable database.
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
    // On a slow machine, folding a batch may take too long for one transaction (ADR 11): a shorter one succeeds.
    const isTooLong = isConnectionLost(error) && batch.events.length > 1
    if ((isTransientFailure(error) && !isTooLong) || (await isUnreachable(pool))) throw error
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

async function bisectBatch(parts: Dependencies, subscription: Subscription, batch: Batch): Promise<boolean> {
  const [left, right] = splitBatch(batch)
  const advanced = await advanceOrFail(parts, subscription, left)
  if (!advanced || !isActive(subscription)) return advanced
  return await advanceOrFail(parts, subscription, right)
}

/** Returns whether the database does not reply: then no event is at fault. */
const isUnreachable = (pool: Pool) =>
  pool.query('select 1').then(
    () => false,
    () => true,
  )
