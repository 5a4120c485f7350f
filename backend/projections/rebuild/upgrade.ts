import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { type EngineContext, type Progress, rebuild, swapBack } from './rebuild.ts'
import { FoldFailed } from './shadow.ts'
import { asShadow, asPrevious, quoteTableName } from '#projections/tables.ts'

const logIntervalMs = 5_000
const busyRetryDelayMs = 250
const storeRetryDelayMs = 1_000
/** A read model that has nothing yet of a record longer than this is folded beside, which is many times as fast. */
const bulkFillMinEvents = 5_000

type Dependencies = EngineContext & { logger: Logger; signal?: AbortSignal | undefined }

/**
 * Brings the table of a read model to the version of this code, while copies of the app that have the other version go on
 * with theirs. Where the table of before the last rebuild is of this version, it comes back; else it is folded anew.
 * Several copies that start wait for the one that is at it. Answers false when an event cannot be folded: the old table
 * stays, for people to see and decide. Rejects with the signal's reason when that ends it.
 */
export async function upgradeProjection(parts: Dependencies, projection: AnyProjection): Promise<boolean> {
  const { logger, signal, pool } = parts
  const { name, version } = projection
  const isWanted = async () => {
    const isThere = 'select from read.checkpoints where name = $1 and version = $2'
    return (await pool.query(isThere, [name, version])).rows.length === 0
  }
  const options = { ...buildRebuildOptions(parts, projection), isWanted }
  for (;;) {
    if (!(await isWanted())) return true
    try {
      const { status } = (await swapBack(parts, projection, options)) ?? (await rebuild(parts, projection, options))
      if (status === 'done') logger.info({ projection: name, version }, 'read model brought to this version')
      if (status === 'busy') await sleep(busyRetryDelayMs, undefined, signal ? { signal } : {})
    } catch (error) {
      if (error instanceof FoldFailed) {
        const { event, failure } = error
        logger.error({ projection: name, version, eventId: event.id, failure }, 'read model stays at its old version')
        return false
      }
      if (!(error instanceof StoreUnavailable)) throw error
      logger.warn({ err: error, projection: name }, 'a read model waits for the event store')
      await sleep(storeRetryDelayMs, undefined, signal ? { signal } : {})
    }
    signal?.throwIfAborted()
  }
}

/**
 * Folds the read models beside that have nothing yet of a long record, as when they are new, or the database is. Where an
 * event stops one, or the event store is away, it is left to those who follow.
 */
export async function fillEmptyProjections(parts: Dependencies, projections: readonly AnyProjection[]): Promise<void> {
  const { pool, logger, signal } = parts
  const isEmpty = async ({ name, version }: AnyProjection) => {
    const empty = 'select from read.checkpoints where name = $1 and version = $2 and position is null'
    return (await pool.query(empty, [name, version])).rows.length > 0
  }
  for (const projection of projections) {
    try {
      while ((await isEmpty(projection)) && (await isLongHistory(parts))) {
        const isWanted = () => isEmpty(projection)
        const { status } = await rebuild(parts, projection, { ...buildRebuildOptions(parts, projection), isWanted })
        signal?.throwIfAborted()
        if (status === 'busy') await sleep(busyRetryDelayMs, undefined, signal ? { signal } : {})
        // It was empty: nobody wants to go back to it.
        if (status === 'done') await dropTable(parts, asPrevious(projection))
      }
    } catch (error) {
      if (!(error instanceof FoldFailed || error instanceof StoreUnavailable)) throw error
      if (error instanceof FoldFailed) await dropTable(parts, asShadow(projection))
      logger.warn({ err: error, projection: projection.name }, 'a read model is filled as it follows')
    }
  }
}

const isLongHistory = async ({ store }: EngineContext) =>
  (await store.readAll(null, { limit: bulkFillMinEvents, types: [] })).scanned === bulkFillMinEvents

async function dropTable({ pool }: EngineContext, beside: AnyProjection): Promise<void> {
  await pool.query('delete from read.checkpoints where name = $1', [beside.name])
  await pool.query(`drop table if exists ${quoteTableName(beside)}`)
}

/** Tells in the log how far it is, every five seconds. */
function buildRebuildOptions({ logger, signal }: Dependencies, { name, version }: AnyProjection) {
  let told = Date.now()
  const onProgress = ({ stage, share, secondsLeft }: Progress) => {
    if (Date.now() - told < logIntervalMs) return
    told = Date.now()
    logger.info({ projection: name, version, stage, percent: Math.floor(share * 100), secondsLeft }, 'rebuilding')
  }
  return { onProgress, ...(signal ? { signal } : {}) }
}
