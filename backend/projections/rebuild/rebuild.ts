import type { Client, Pool } from 'pg'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { swapWithRetry } from './swap-tables.ts'
import { withProjectionLock } from './rebuild-lock.ts'
import { failCheckpointSql } from '#projections/runner/subscription.ts'
import { type AnyProjection, selectStore } from '#projections/projection.ts'
import {
  catchUp,
  bulkFold,
  FoldFailed,
  buildShadowIndexes,
  openShadow,
  type Shadow,
  type RebuildStage,
} from './shadow.ts'
import { loadSkippedIds } from '#projections/skips.ts'
import { asShadow, asPrevious } from '#projections/tables.ts'

/** The event store and the database of the read models. `metadataOnlyStore` serves projections that declare `isMetadataOnly`; `store` when it is absent. */
export type EngineContext = { store: EventStore; metadataOnlyStore?: EventStore; pool: Pool }

/** How far a rebuild is. `share` goes from 0 to 1; `secondsLeft` is null while nobody can tell. */
export type Progress = {
  stage: RebuildStage
  events: number
  perSecond: number
  share: number
  secondsLeft: number | null
}

type Options = {
  /** Ends it between two pages. What is done stays, and the next rebuild goes on there. */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Asked once nobody else can rebuild it: somebody may just have done so. */
  isWanted?: () => Promise<boolean>
  /** Asked before the new table takes the place of the old one; both are there then, and nothing is held up meanwhile. */
  confirm?: () => Promise<boolean>
  /** What the rows may weigh, in bytes as texts, that are kept in memory before they are written. */
  maxBufferedBytes?: number
}

/** What came of it. `busy`: somebody else is rebuilding the same read model. `declined`: `isWanted` or `confirm` answered no. */
export type RebuildResult = { status: 'done'; events: number; milliseconds: number } | { status: Unfinished }
type Unfinished = 'busy' | 'cancelled' | 'declined'

/**
 * Folds a read model anew, from the first event, into a table of its own beside the one that answers, and lets it take
 * its place when it has caught up. Nobody who reads notices, and whoever follows it goes on with the new table. Goes on
 * where a rebuild of the same version was cancelled or killed. Throws FoldFailed at an event that cannot be folded.
 */
export async function rebuild(
  engine: EngineContext,
  projection: AnyProjection,
  options: Options = {},
): Promise<RebuildResult> {
  return await withRebuildLock(engine, projection, options, async (shadowOf) => {
    const next = asShadow(projection)
    const shadow = await shadowOf(next, (client) => openShadow(client, next))
    try {
      await bulkFold(shadow)
      await buildShadowIndexes(shadow)
      await catchUp(shadow)
      if (options.confirm && !(await options.confirm())) return 'declined'
      await swapWithRetry(shadow, projection)
    } catch (error) {
      if (error instanceof FoldFailed) await markShadowFailed(shadow, error)
      throw error
    }
    return 'done'
  })
}

/**
 * Lets the table of before the last rebuild take its place again, once it has caught up; the other one is kept for the
 * way back. Answers null when there is none of this version: no other can be followed.
 */
export async function swapBack(
  engine: EngineContext,
  projection: AnyProjection,
  options: Options = {},
): Promise<RebuildResult | null> {
  const previous = asPrevious(projection)
  const { rows } = await engine.pool.query(checkpointSql, [previous.name, projection.version])
  if (rows.length === 0) return null
  return await withRebuildLock(engine, projection, options, async (shadowOf) => {
    const shadow = await shadowOf(previous, async (client) => {
      const found = await client.query<{ position: Position | null }>(checkpointSql, [
        previous.name,
        projection.version,
      ])
      return found.rows[0]?.position ?? null
    })
    await catchUp(shadow)
    await swapWithRetry(shadow, projection)
    return 'done'
  })
}

const checkpointSql = 'select position from read.checkpoints where name = $1 and version = $2'

type OpenShadow = (as: AnyProjection, position: (client: Client) => Promise<Position | null>) => Promise<Shadow>

async function withRebuildLock(
  engine: EngineContext,
  projection: AnyProjection,
  { signal = new AbortController().signal, onProgress, isWanted, maxBufferedBytes: mostBytes = 16_000_000 }: Options,
  run: (open: OpenShadow) => Promise<'done' | Unfinished>,
): Promise<RebuildResult> {
  const { store, pool } = engine
  const began = performance.now()
  let events = 0
  try {
    const status = await withProjectionLock(pool, projection.name, async (client) => {
      if (isWanted && !(await isWanted())) return 'declined'
      return await run(async (as, positionOf) => {
        const skips = await loadSkippedIds(store, projection.name)
        const position = await positionOf(client)
        const measure = createProgressEstimator(store, position, await store.head())
        const onPage: Shadow['onPage'] = (stage, count, reached) => {
          events += count
          onProgress?.(measure(stage, events, reached))
        }
        return {
          client,
          pool,
          store: selectStore(engine, projection),
          projection: as,
          skippedIds: skips,
          position,
          onPage,
          signal,
          maxBufferedBytes: mostBytes,
        }
      })
    })
    if (status !== 'done') return { status: status ?? 'busy' }
    return { status, events, milliseconds: Math.round(performance.now() - began) }
  } catch (error) {
    if (signal.aborted && !(error instanceof FoldFailed)) return { status: 'cancelled' }
    throw error
  }
}

function createProgressEstimator({ estimateOffset }: EventStore, from: Position | null, head: Position | null) {
  const began = performance.now()
  const [start, end] = [estimateOffset(from), estimateOffset(head)]
  return (stage: RebuildStage, events: number, position: Position | null): Progress => {
    const seconds = (performance.now() - began) / 1000
    const [done, whole] = [estimateOffset(position) - start, end - start]
    const share = end === 0 ? 1 : Math.min(estimateOffset(position) / end, 1)
    const secondsLeft = done > 0 ? Math.max(0, (seconds / done) * (whole - done)) : null
    return { stage, events, perSecond: seconds > 0 ? Math.round(events / seconds) : 0, share, secondsLeft }
  }
}

/** Leaves beside the table what stopped it, for people to see and decide. */
async function markShadowFailed({ client, projection }: Shadow, { event, failure }: FoldFailed): Promise<void> {
  await client.query(failCheckpointSql, [projection.name, event.position, failure, projection.version])
}
