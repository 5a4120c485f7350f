import type { Client, Pool } from 'pg'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Position } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { swapWithRetry } from './swap-tables.ts'
import { withProjectionLock } from './rebuild-lock.ts'
import { failCheckpoint } from '#projections/runner/checkpoints.ts'
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
import { asPrevious, asShadow } from '#projections/tables.ts'

/**
 * The event store, and the database of the read models. `metadataOnlyStore` serves projections that declare
 * `isMetadataOnly`; `store` serves them when it is absent. Projections with sealed columns need the key store.
 */
export type EngineContext = { store: EventStore; metadataOnlyStore?: EventStore; keyStore?: KeyStore; pool: Pool }

/** Progress of a rebuild. `share` is from 0 to 1; `secondsLeft` is null until it can be estimated. */
export type Progress = {
  stage: RebuildStage
  events: number
  perSecond: number
  share: number
  secondsLeft: number | null
}

type Options = {
  /** Cancels between two pages. The next rebuild continues from there. */
  signal?: AbortSignal
  onProgress?: (progress: Progress) => void
  /** Called under the lock: another process may have rebuilt it a moment before. */
  isWanted?: () => Promise<boolean>
  /** Called before the swap, when both tables exist. Blocks nothing. */
  confirm?: () => Promise<boolean>
  /** Limit of the rows buffered in memory before they are written, in bytes of JSON text. */
  maxBufferedBytes?: number
}

/**
 * The outcome. `busy`: another process is rebuilding the same projection. `declined`: `isWanted` or `confirm` returned false.
 */
export type RebuildResult = { status: 'done'; events: number; milliseconds: number } | { status: Unfinished }
type Unfinished = 'busy' | 'cancelled' | 'declined'

/**
 * Rebuilds a projection from the first event in a shadow table, and swaps it in when it has caught up. Queries are not
 * interrupted, and runners continue with the new table. Continues a rebuild of the same version that was cancelled or
 * killed. Throws FoldFailed at an event that cannot be folded.
 */
export async function rebuild(
  engine: EngineContext,
  projection: AnyProjection,
  options: Options = {},
): Promise<RebuildResult> {
  return await withRebuildLock(engine, projection, options, async (open) => {
    const next = asShadow(projection)
    const shadow = await open(next, (client) => openShadow(client, next))
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
 * Swaps the previous table back in once it has caught up, and keeps the current one as the previous. Returns null when
 * there is no previous table of this version; tables of other versions cannot be updated.
 */
export async function swapBack(
  engine: EngineContext,
  projection: AnyProjection,
  options: Options = {},
): Promise<RebuildResult | null> {
  const previous = asPrevious(projection)
  const { rows } = await engine.pool.query(checkpointSql, [previous.name, projection.version])
  if (rows.length === 0) return null
  return await withRebuildLock(engine, projection, options, async (open) => {
    const shadow = await open(previous, async (client) => {
      const checkpoint = await client.query<{ position: Position | null }>(checkpointSql, [
        previous.name,
        projection.version,
      ])
      return checkpoint.rows[0]?.position ?? null
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
  { signal = new AbortController().signal, onProgress, isWanted, maxBufferedBytes = 16_000_000 }: Options,
  run: (open: OpenShadow) => Promise<'done' | Unfinished>,
): Promise<RebuildResult> {
  const { store, pool } = engine
  const startedAt = performance.now()
  let events = 0
  try {
    const status = await withProjectionLock(pool, projection.name, async (client) => {
      if (isWanted && !(await isWanted())) return 'declined'
      return await run(async (as, loadPosition) => {
        const skippedIds = await loadSkippedIds(store, projection.name)
        const position = await loadPosition(client)
        const estimate = createProgressEstimator(store, position, await store.head())
        const onPage: Shadow['onPage'] = (stage, count, reached) => {
          events += count
          onProgress?.(estimate(stage, events, reached))
        }
        return {
          client,
          pool,
          keyStore: engine.keyStore,
          store: selectStore(engine, projection),
          projection: as,
          skippedIds,
          position,
          onPage,
          signal,
          maxBufferedBytes,
        }
      })
    })
    if (status !== 'done') return { status: status ?? 'busy' }
    return { status, events, milliseconds: Math.round(performance.now() - startedAt) }
  } catch (error) {
    if (signal.aborted && !(error instanceof FoldFailed)) return { status: 'cancelled' }
    throw error
  }
}

function createProgressEstimator({ estimateOffset }: EventStore, from: Position | null, head: Position | null) {
  const startedAt = performance.now()
  const [start, end] = [estimateOffset(from), estimateOffset(head)]
  return (stage: RebuildStage, events: number, position: Position | null): Progress => {
    const seconds = (performance.now() - startedAt) / 1000
    const [done, total] = [estimateOffset(position) - start, end - start]
    const share = end === 0 ? 1 : Math.min(estimateOffset(position) / end, 1)
    const secondsLeft = done > 0 ? Math.max(0, (seconds / done) * (total - done)) : null
    return { stage, events, perSecond: seconds > 0 ? Math.round(events / seconds) : 0, share, secondsLeft }
  }
}

/** Records the failure on the shadow's checkpoint, for an operator to decide. */
async function markShadowFailed({ client, projection }: Shadow, { event, failure }: FoldFailed): Promise<void> {
  await failCheckpoint(client, projection, event.position, failure)
}
