import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Position } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition, StoreUnavailable } from '#eventstore/event-store.ts'
import { advanceOrStop } from './advance-or-stop.ts'
import {
  type EventFilter,
  subscriptionOf,
  loadSubscription,
  type Subscription,
  mostAdvanced,
  syncWithCheckpoints,
  isActive,
  flushCheckpoints,
} from './subscription.ts'
import { createLagCounter } from './lag.ts'
import { findMark, type OriginMark, createMark, assertSameOrigin, saveMark } from './origin.ts'
import { type AnyProjection, handlesEvent } from '#projections/projection.ts'
import { startAtEnd, isProcessManager, type ProcessManagerSubscriber } from '#process-managers/subscription.ts'
import { prepareTables } from '#projections/tables.ts'
import { upgradeProjection, fillEmptyProjections } from '#projections/rebuild/upgrade.ts'

/** How far one read model or reactor is. `lag` counts the events it has not seen, up to a thousand. */
export type ReadModelState = {
  name: string
  kind: 'projection' | 'reactor'
  version: number
  position: Position | null
  head: Position | null
  lag: number
  state: Subscription['state']
}

/** Keeps every read model of this process up to date, from one reading of the record. */
export type ProjectionRunner = {
  /** Resolves when every read model has caught up for the first time. */
  start(): Promise<void>
  /** Finishes the batch under way. */
  stop(): Promise<void>
  /** Resolves when the read models that know one of these events have reached a position, or after two seconds. */
  waitUntilCaughtUp(types: readonly string[], position: Position): Promise<void>
  getStates(): Promise<ReadModelState[]>
}

type Dependencies = {
  store: EventStore
  /** Serves the projections that declare `isMetadataOnly`; `store` when it is absent. */
  metadataOnlyStore?: EventStore
  pool: Pool
  /** Connections for what takes long: making tables and folding them anew. */
  maintenancePool?: Pool
  projections: readonly AnyProjection[]
  processManagers?: readonly ProcessManagerSubscriber[]
  logger: Logger
  /** Ends a start that is under way, as in the middle of a long rebuild. */
  signal?: AbortSignal | undefined
  /** Called when the store turns out to hold another record. Nothing is folded from then on. */
  onForeignStore?: ((error: ForeignPosition) => void) | undefined
}

const batchSize = 1_000
/** Before anybody is answered: rows that change again and again are written once in so many events. */
const startBatchSize = 5_000
const pollIntervalMs = 1_000
const catchUpTimeoutMs = 2_000

const hasReached = (follower: Subscription, goal: Position) =>
  !isActive(follower) || (follower.position !== null && follower.position >= goal)

/** Builds the feed of a process. Its tables are made when it starts. */
export function createProjectionRunner(parts: Dependencies): ProjectionRunner {
  const {
    store,
    metadataOnlyStore = store,
    pool,
    maintenancePool: unhurried = pool,
    projections,
    processManagers: reactors = [],
    logger,
    signal,
    onForeignStore: onForeign,
  } = parts
  const engine = { store, metadataOnlyStore, pool: unhurried, logger, signal }
  const names = [...projections, ...reactors].map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Error(`Two of these have one name: ${names.join(', ')}`)
  let followers: Subscription[] = []
  let stopped = false
  let loop: Promise<void> = Promise.resolve()
  let lastSaved = Date.now()
  let news = false
  let rouse: (() => void) | undefined
  let proven = false
  /** Whether those who are furthest behind have more to read than one batch. */
  let areFarBehind = false
  let mark: OriginMark | undefined
  const waiting = new Set<() => void>()

  const countLags = createLagCounter(store)

  const wake = () => {
    news = true
    rouse?.()
  }

  /** Sleeps until there may be news; right away when there was some in the meantime. */
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      if (news || stopped) return resolve()
      const timer = setTimeout(done, ms)
      rouse = done
      function done() {
        clearTimeout(timer)
        rouse = undefined
        resolve()
      }
    })

  /**
   * One batch for all. While some are far behind, they go on apart: they neither keep those waiting who are furthest ahead,
   * nor read what none of them cares for. Answers whether there was one.
   */
  async function turn(size = batchSize): Promise<boolean> {
    await prove()
    const running = followers.filter(isActive)
    const ahead = mostAdvanced(running)
    const behind = running.filter((follower) => !ahead.includes(follower))
    if (!areFarBehind || behind.length === 0) {
      const seen = await goOn(running, size)
      areFarBehind = seen === size
      return seen > 0
    }
    // Trouble of the ones is none of the others.
    const [first] = await Promise.allSettled([goOn(ahead, size, subscriptionOf(ahead))])
    const seen = await goOn(behind, size, subscriptionOf(behind))
    areFarBehind = seen === size
    if (first.status === 'rejected') throw first.reason
    return first.value + seen > 0
  }

  /** Reads on where the last of them is, and takes all of them over what comes. Answers how much was looked at. */
  async function goOn(
    some: readonly Subscription[],
    size: number,
    { types, metadataOnly }: EventFilter = {},
  ): Promise<number> {
    const positions = some.map(({ position }) => position)
    const from = positions.includes(null) ? null : (positions.toSorted()[0] ?? null)
    if (some.length === 0) return 0
    const source = metadataOnly ? metadataOnlyStore : store
    const { events, next, scanned: seen } = await source.readAll(from, { limit: size, types })
    if (next === null || seen === 0) {
      for (const follower of some) if (follower.state === 'rebuilding') follower.state = 'running'
      return 0
    }
    if (!types) mark = createMark(from, events)
    // Whatever befalls one, the others finish what they have begun before anybody reads on.
    const moved = await Promise.allSettled(
      some.map((follower) => advanceOrStop(parts, follower, { events, next }).finally(() => tell())),
    )
    for (const one of moved) if (one.status === 'rejected') throw one.reason
    if (moved.some((one) => one.status === 'fulfilled' && !one.value))
      await new Promise((resolve) => setTimeout(resolve, 20))
    return seen
  }

  /** Nothing is folded before the store is known to hold the record that the tables were made from. */
  async function prove(): Promise<void> {
    if (proven) return
    await assertSameOrigin({ store, pool })
    if (!(await findMark(pool))) mark = createMark(null, (await store.readAll(null, { limit: 1 })).events)
    proven = true
  }

  /** As `prove`. Waits for a store that is away where something is to be rebuilt; else it is asked when it comes. */
  async function proveAtStart(mustWait: boolean): Promise<void> {
    while (!proven) {
      signal?.throwIfAborted()
      try {
        await prove()
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        if (!mustWait) return
        logger.warn({ err: error }, 'read models wait for the event store')
        await delay(pollIntervalMs, undefined, signal ? { signal } : {})
      }
    }
  }

  async function run(): Promise<void> {
    let pause = 100
    while (!stopped) {
      try {
        news = false
        const more = await turn()
        if (Date.now() - lastSaved >= pollIntervalMs) await saveAll()
        pause = 100
        if (!more) await sleep(pollIntervalMs)
      } catch (error) {
        if (error instanceof ForeignPosition) {
          for (const follower of followers) follower.state = 'failed'
          logger.error({ err: error }, 'the event store holds another record')
          onForeign?.(error)
          return
        }
        logger.warn({ err: error }, 'read models wait for the database or the event store')
        news = false
        await sleep(pause)
        pause = Math.min(pause * 2, 5_000)
      }
    }
    await saveAll().catch(() => undefined)
  }

  /** A store that is away at the start is waited for in the background: what is in the tables can be read meanwhile. */
  async function firstCatchUp(): Promise<void> {
    try {
      while (!stopped && !signal?.aborted && (await turn(startBatchSize)));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      logger.warn({ err: error }, 'the event store is away, starting without it')
    }
  }

  const tell = () => waiting.forEach((check) => check())

  async function saveAll(): Promise<void> {
    lastSaved = Date.now()
    // The event store may have been away when they were to begin.
    await startAtEnd(
      pool,
      store,
      reactors.filter(({ name }) => followers.some((one) => one.subscriber.name === name && one.state === 'stopped')),
    )
    await syncWithCheckpoints(pool, followers)
    await flushCheckpoints(pool, followers)
    if (mark) await saveMark(pool, mark)
    mark = undefined
    tell()
  }

  const until = (done: () => boolean, longest: number) =>
    new Promise<void>((resolve) => {
      if (done()) return resolve()
      const timer = setTimeout(finish, longest)
      function check() {
        if (done()) finish()
      }
      function finish() {
        clearTimeout(timer)
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      wake()
    })

  const stopListening = store.onWake(wake)

  return {
    async start() {
      const outdated = await prepareTables(unhurried, projections)
      await proveAtStart(outdated.length > 0)
      const stuck = new Set<string>()
      for (const projection of outdated) if (!(await upgradeProjection(engine, projection))) stuck.add(projection.name)
      await fillEmptyProjections(engine, projections)
      await startAtEnd(pool, store, reactors).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error
      })
      followers = await Promise.all([...projections, ...reactors].map((followed) => loadSubscription(pool, followed)))
      for (const follower of followers) if (stuck.has(follower.subscriber.name)) follower.state = 'failed'
      await firstCatchUp()
      loop = run()
    },
    async stop() {
      stopped = true
      stopListening()
      rouse?.()
      await loop
    },
    async waitUntilCaughtUp(types, position) {
      const concerned = followers.filter(
        ({ subscriber: projection }) =>
          !isProcessManager(projection) && types.some((type) => handlesEvent(projection, type)),
      )
      if (concerned.length === 0) return
      await until(() => concerned.every((follower) => hasReached(follower, position)), catchUpTimeoutMs)
    },
    async getStates() {
      const head = await store.head()
      const seen = followers.map(({ subscriber: projection, position, state }) => ({
        name: projection.name,
        kind: isProcessManager(projection) ? ('reactor' as const) : ('projection' as const),
        version: projection.version,
        position,
        head,
        state: stopped ? 'stopped' : state,
      }))
      const lagOf = await countLags(
        seen.map(({ position }) => position),
        head,
      )
      return seen.map((one) => ({ ...one, lag: lagOf(one.position) }))
    },
  }
}
