import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { KeyStore } from '#encryption/key-store.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import type { Position } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition, StoreUnavailable } from '#eventstore/event-store.ts'
import { isBehind } from '#projections/position.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { getErrorKind } from '#runtime/error-kind.ts'
import { createCatchUp } from './catch-up.ts'
import { flushCheckpoints, loadSubscriptions, startAtEnd, syncWithCheckpoints } from './checkpoints.ts'
import { isTransientFailure } from './failure.ts'
import { createLagCounter } from './lag.ts'
import { createPollLoop } from './loop.ts'
import { createOriginTracker } from './origin.ts'
import { prepareReadModels } from './prepare-read-models.ts'
import { type Subscriber, toSubscriber } from './subscriber.ts'
import { hasReached, type Subscription } from './subscription.ts'
import { createWaiters } from './waiters.ts'

/** The state of one projection or process manager. `lag` counts the events it has not seen, up to a thousand. */
export type ReadModelState = {
  name: string
  kind: Subscriber['kind']
  version: number
  position: Position | null
  head: Position | null
  lag: number
  state: Subscription['state'] | 'stopped'
}

/** Keeps the read models of this process up to date and runs its process managers; each event is read once for all. */
export type ProjectionRunner = {
  /** Resolves when all of them have caught up for the first time. */
  start(): Promise<void>
  /** Finishes the batch in progress. */
  stop(): Promise<void>
  /**
   * Resolves when the projections that handle one of these event types have reached a position, or after a
   * time-out. Returns whether all of them have reached it: false after the time-out, and when one of them no longer advances.
   */
  waitUntilCaughtUp(types: readonly string[], position: Position): Promise<boolean>
  /** Returns the position that every projection has reached as far as this process knows; null before the first event. */
  getReadPosition(): Position | null
  getStates(): Promise<ReadModelState[]>
}

type Dependencies = {
  store: EventStore
  /** Serves the projections that declare `isMetadataOnly`; `store` when it is absent. */
  metadataOnlyStore?: EventStore
  /** Encrypts the sealed columns of projections. */
  keyStore?: KeyStore
  pool: Pool
  /** Connections without a query time-out, for creating and rebuilding tables. */
  maintenancePool?: Pool
  projections: readonly AnyProjection[]
  processManagers?: readonly Subscriber[]
  logger: Logger
  /** Maximum wait for read models in milliseconds. */
  catchUpTimeoutMs?: number
  /** Ends a start in progress, even in the middle of a long rebuild. */
  signal?: AbortSignal | undefined
  /** Called when the event store contains a different history. Nothing is folded from then on. */
  onForeignStore?: ((error: ForeignPosition) => void) | undefined
}

const batchSize = 1_000
/** Larger before requests are served: a row that changes often is then written once per so many events. */
const startBatchSize = 5_000
const pollIntervalMs = 1_000

/** Creates the runner of a process. The tables are created when it starts. */
export function createProjectionRunner(parts: Dependencies): ProjectionRunner {
  const {
    store,
    metadataOnlyStore = store,
    keyStore,
    pool,
    projections,
    processManagers = [],
    logger,
    catchUpTimeoutMs = productionTimeouts.catchUpMs,
    signal,
    onForeignStore,
  } = parts
  const subscribers = [...projections.map((projection) => toSubscriber(projection, keyStore)), ...processManagers]
  assertUniqueNames(subscribers)
  let subscriptions: Subscription[] = []
  let syncedAt = Date.now()
  const waiters = createWaiters()
  const origin = createOriginTracker({ store, pool })
  const catchUp = createCatchUp({
    store,
    metadataOnlyStore,
    keyStore,
    pool,
    logger,
    origin,
    onAdvanced: waiters.notify,
  })
  const countLags = createLagCounter(store)
  const loop = createPollLoop({
    poll,
    onError,
    onStopped: () => sync().catch(() => undefined),
    intervalMs: pollIntervalMs,
  })
  const stopListening = store.onWake(loop.wakeUp)

  async function poll(): Promise<boolean> {
    const hasMore = await catchUp(subscriptions, batchSize)
    if (Date.now() - syncedAt >= pollIntervalMs) await sync()
    return hasMore
  }

  function onError(error: unknown): boolean {
    if (!(error instanceof ForeignPosition)) {
      // The poll is repeated until an outage is over: its trace would fill the log.
      const details = isTransientFailure(error) ? { kind: getErrorKind(error) } : { err: error }
      logger.warn(details, 'projections paused: database or event store unavailable')
      return true
    }
    for (const subscription of subscriptions) subscription.state = 'failed'
    logger.error({ err: error }, 'event store history does not match')
    onForeignStore?.(error)
    return false
  }

  async function sync(): Promise<void> {
    syncedAt = Date.now()
    // Missing if the event store was unavailable at the start.
    const withoutCheckpoint = subscriptions.filter(
      ({ subscriber, state }) => subscriber.kind === 'process-manager' && state === 'superseded',
    )
    await startAtEnd(
      pool,
      store,
      withoutCheckpoint.map(({ subscriber }) => subscriber),
    )
    await syncWithCheckpoints(pool, subscriptions)
    await flushCheckpoints(pool, subscriptions)
    await origin.save()
    waiters.notify()
  }

  /** Catches up without waiting for an unavailable event store: existing rows can be read in the meantime. */
  async function catchUpAtStart(): Promise<void> {
    try {
      while (!loop.isStopped() && !signal?.aborted && (await catchUp(subscriptions, startBatchSize)));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      logger.warn({ err: error }, 'starting although the event store is unavailable')
    }
  }

  return {
    async start() {
      const failedUpgrades = await prepareReadModels({ ...parts, pool: parts.maintenancePool ?? pool, origin })
      await startAtEnd(pool, store, processManagers).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error
      })
      subscriptions = await loadSubscriptions(pool, subscribers)
      for (const subscription of subscriptions)
        if (failedUpgrades.has(subscription.subscriber.name)) subscription.state = 'failed'
      await catchUpAtStart()
      loop.start()
    },
    async stop() {
      stopListening()
      await loop.stop()
      waiters.notify()
    },
    async waitUntilCaughtUp(types, position) {
      const concerned = subscriptions.filter(
        ({ subscriber: { kind, eventTypes } }) => kind === 'projection' && types.some((type) => eventTypes.has(type)),
      )
      if (concerned.length === 0) return true
      const isCaughtUp = () => loop.isStopped() || concerned.every((subscription) => hasReached(subscription, position))
      await waiters.waitUntil(isCaughtUp, catchUpTimeoutMs, () => loop.wakeUpUnless(isCaughtUp))
      return concerned.every((subscription) => !isBehind(subscription.position, position))
    },
    getReadPosition() {
      const positions = subscriptions
        .filter(({ subscriber }) => subscriber.kind === 'projection')
        .map(({ position }) => position)
      return positions.includes(null) ? null : (positions.toSorted()[0] ?? null)
    },
    async getStates() {
      const head = await store.head()
      // Copied before the next await: lag and position of a state belong together.
      const states = subscriptions.map(({ subscriber: { name, kind, version }, position, state }) => {
        const shownState: ReadModelState['state'] = loop.isStopped() ? 'stopped' : state
        return { name, kind, version, position, head, state: shownState }
      })
      const positions = states.map(({ position }) => position)
      const lagAt = await countLags(positions, head)
      return states.map((state) => ({ ...state, lag: lagAt(state.position) }))
    },
  }
}

function assertUniqueNames(subscribers: readonly Subscriber[]): void {
  const names = subscribers.map(({ name }) => name)
  if (new Set(names).size < names.length)
    throw new Error(`Two projections or process managers have the same name: ${names.join(', ')}`)
}
