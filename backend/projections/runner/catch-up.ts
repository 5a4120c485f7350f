import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { EventStore } from '#eventstore/event-store.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { getErrorKind } from '#runtime/error-kind.ts'
import { advanceOrFail } from './advance-or-fail.ts'
import { advanceTogether } from './advance-together.ts'
import type { OriginTracker } from './origin.ts'
import { combineFilters, type EventFilter, isActive, selectLeading, type Subscription } from './subscription.ts'

type Dependencies = {
  pool: Pool
  store: EventStore
  /** Serves the subscribers that read no encrypted field. */
  metadataOnlyStore: EventStore
  /** Encrypts the sealed columns of projections. */
  keyStore?: KeyStore | undefined
  logger: Logger
  origin: OriginTracker
  /** Called when a subscription may have advanced. */
  onAdvanced: () => void
}

/** Milliseconds to wait when another instance holds a checkpoint. */
const busyDelayMs = 20

/** A read of events and what became of it: the end of the history was reached unless `hasMore`. */
type Progress = { scanned: number; hasMore: boolean }

/**
 * Creates a function that reads the next events once and passes them to all subscriptions. It returns whether there is more to
 * do at once: after a full batch, and when another instance held a checkpoint. While some lag by more than a batch, they are read separately, and only the events that they handle, so
 * that they do not delay the leading ones (ADR 18).
 */
export function createCatchUp(parts: Dependencies) {
  let isFarBehind = false

  return async (subscriptions: readonly Subscription[], batchSize: number): Promise<boolean> => {
    await parts.origin.verify()
    const active = subscriptions.filter(isActive)
    const leading = selectLeading(active)
    const lagging = active.filter((subscription) => !leading.includes(subscription))
    if (!isFarBehind || lagging.length === 0) {
      const { scanned, hasMore } = await processBatch(parts, active, batchSize)
      isFarBehind = scanned === batchSize
      return hasMore
    }
    // An error of the leading group must not stop the lagging one.
    const [outcome] = await Promise.allSettled([processBatch(parts, leading, batchSize, combineFilters(leading))])
    const behind = await processBatch(parts, lagging, batchSize, combineFilters(lagging))
    isFarBehind = behind.scanned === batchSize
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value.hasMore || behind.scanned > 0
  }
}

/** Reads from the lowest position and advances all subscriptions. */
async function processBatch(
  parts: Dependencies,
  subscriptions: readonly Subscription[],
  batchSize: number,
  { types, metadataOnly }: EventFilter = {},
): Promise<Progress> {
  if (subscriptions.length === 0) return { scanned: 0, hasMore: false }
  const positions = subscriptions.map(({ position }) => position)
  const from = positions.includes(null) ? null : (positions.toSorted()[0] ?? null)
  const source = metadataOnly ? parts.metadataOnlyStore : parts.store
  const { events, next, scanned } = await source.readAll(from, { limit: batchSize, types })
  if (next === null || scanned === 0) {
    for (const subscription of subscriptions) if (subscription.state === 'rebuilding') subscription.state = 'running'
    return { scanned: 0, hasMore: false }
  }
  if (!types) parts.origin.advance(from, events)
  const { advanced, error } = await advanceTogether(parts, subscriptions, { events, next })
  if (advanced.size > 0) parts.onAdvanced()
  // All of them finish before the next read, even when one fails.
  const outcomes = await Promise.allSettled(
    subscriptions
      .filter((subscription) => !advanced.has(subscription))
      .map((subscription) => advanceOrFail(parts, subscription, { events, next }).finally(() => parts.onAdvanced())),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  // Each of them could do alone what they could not do together, which costs several times as much.
  if (error !== undefined && subscriptions.every(({ state }) => state !== 'failed'))
    parts.logger.warn({ error: getErrorKind(error) }, 'read models advance one by one')
  const isHeldElsewhere = outcomes.some((outcome) => outcome.status === 'fulfilled' && !outcome.value)
  if (isHeldElsewhere) await sleep(busyDelayMs)
  const isRebuilding = subscriptions.some(({ state }) => state === 'rebuilding')
  return { scanned, hasMore: scanned === batchSize || isHeldElsewhere || isRebuilding }
}
