import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { type EngineContext, type Progress, rebuild, swapBack } from './rebuild.ts'
import { FoldFailed } from './shadow.ts'
import { dropTableSql } from '#projections/table-names.ts'
import { asPrevious, asShadow } from '#projections/tables.ts'

const logIntervalMs = 5_000
const busyRetryDelayMs = 250
const storeRetryDelayMs = 1_000
/** Length of the history from which an empty table is filled by a rebuild, which is many times faster. */
const bulkFillMinEvents = 5_000

type Dependencies = EngineContext & { logger: Logger; signal?: AbortSignal | undefined }

/**
 * Upgrades the table of a projection to the version of this code, while instances of the other version continue with
 * theirs. Swaps the previous table back in if it has this version, and rebuilds otherwise. Waits for another instance
 * that is doing the same. Returns false when an event cannot be folded: the old table stays until an operator decides.
 * Throws the reason of the signal when it is aborted.
 */
export async function upgradeProjection(parts: Dependencies, projection: AnyProjection): Promise<boolean> {
  const { logger, signal, pool } = parts
  const { name, version } = projection
  const isWanted = async () => {
    const findTable = 'select from read.checkpoints where name = $1 and version = $2'
    return (await pool.query(findTable, [name, version])).rows.length === 0
  }
  const options = { ...buildRebuildOptions(parts, projection), isWanted }
  for (;;) {
    if (!(await isWanted())) return true
    try {
      const { status } = (await swapBack(parts, projection, options)) ?? (await rebuild(parts, projection, options))
      // The other version may have stored in clear what this one encrypts.
      const isInClear = projection.sealed !== undefined || projection.isPreviousInClear
      if (status === 'done' && isInClear) await dropTable(parts, asPrevious(projection))
      if (status === 'done') logger.info({ projection: name, version }, 'projection upgraded')
      if (status === 'busy') await sleep(busyRetryDelayMs, undefined, signal ? { signal } : {})
    } catch (error) {
      if (error instanceof FoldFailed) {
        const { event, failure } = error
        logger.error({ projection: name, version, eventId: event.id, failure }, 'projection stays at its old version')
        return false
      }
      if (!(error instanceof StoreUnavailable)) throw error
      logger.warn({ err: error, projection: name }, 'upgrade waits for the event store')
      await sleep(storeRetryDelayMs, undefined, signal ? { signal } : {})
    }
    signal?.throwIfAborted()
  }
}

/**
 * Fills empty tables from a long history by a rebuild, as when the projection or the database is new. When an event
 * cannot be folded, or the event store is unavailable, the runner catches up instead.
 */
export async function fillEmptyProjections(parts: Dependencies, projections: readonly AnyProjection[]): Promise<void> {
  const { pool, logger, signal } = parts
  const findEmpty = 'select name, version from read.checkpoints where position is null'
  const { rows } = await pool.query<Pick<AnyProjection, 'name' | 'version'>>(findEmpty)
  const empty = projections.filter(({ name, version }) =>
    rows.some((row) => row.name === name && row.version === version),
  )
  if (empty.length === 0 || !(await isLongHistory(parts))) return
  const isEmpty = async ({ name, version }: AnyProjection) =>
    (await pool.query(`${findEmpty} and name = $1 and version = $2`, [name, version])).rows.length > 0
  for (const projection of empty) {
    try {
      while (await isEmpty(projection)) {
        const isWanted = () => isEmpty(projection)
        const { status } = await rebuild(parts, projection, { ...buildRebuildOptions(parts, projection), isWanted })
        signal?.throwIfAborted()
        if (status === 'busy') await sleep(busyRetryDelayMs, undefined, signal ? { signal } : {})
        // It was empty: there is nothing to swap back to.
        if (status === 'done') await dropTable(parts, asPrevious(projection))
      }
    } catch (error) {
      if (!(error instanceof FoldFailed || error instanceof StoreUnavailable)) throw error
      if (error instanceof FoldFailed) await dropTable(parts, asShadow(projection))
      logger.warn({ err: error, projection: projection.name }, 'bulk fill skipped, catching up incrementally')
    }
  }
}

/** Returns whether the history is long; false when the event store is unavailable. */
async function isLongHistory({ store, logger }: Dependencies): Promise<boolean> {
  try {
    return (await store.readAll(null, { limit: bulkFillMinEvents, types: [] })).scanned === bulkFillMinEvents
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    logger.warn({ err: error }, 'bulk fill skipped, catching up incrementally')
    return false
  }
}

async function dropTable({ pool }: EngineContext, table: AnyProjection): Promise<void> {
  await pool.query('delete from read.checkpoints where name = $1', [table.name])
  await pool.query(dropTableSql(table))
}

/** Builds options that log the progress every five seconds. */
function buildRebuildOptions({ logger, signal }: Dependencies, { name, version }: AnyProjection) {
  let loggedAt = Date.now()
  const onProgress = ({ stage, share, secondsLeft }: Progress) => {
    if (Date.now() - loggedAt < logIntervalMs) return
    loggedAt = Date.now()
    logger.info({ projection: name, version, stage, percent: Math.floor(share * 100), secondsLeft }, 'rebuilding')
  }
  return { onProgress, ...(signal ? { signal } : {}) }
}
