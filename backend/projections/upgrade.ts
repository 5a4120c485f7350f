import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Position } from '#eventstore/event.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import type { AnyProjection } from './projection.ts'
import { type Engine, measureOf, type Progress, rebuild, swapBack } from './rebuild.ts'
import { FoldFailed } from './shadow.ts'
import { nextOf, previousOf, tableOf } from './tables.ts'

const tellEvery = 5_000
const askAgain = 250
const storePause = 1_000
/** A read model that misses more than this, and most of the record, is folded beside, which is many times as fast. */
const longRecord = 5_000

type Parts = Engine & { logger: Logger; signal?: AbortSignal | undefined }

/**
 * Brings the table of a read model to the version of this code, while copies of the app that have the other version go on
 * with theirs. Where the table of before the last rebuild is of this version, it comes back; else it is folded anew.
 * Several copies that start wait for the one that is at it. Answers false when an event cannot be folded: the old table
 * stays, for people to see and decide. Rejects with the signal's reason when that ends it.
 */
export async function bringUpToVersion(parts: Parts, projection: AnyProjection): Promise<boolean> {
  const { logger, signal, pool } = parts
  const { name, version } = projection
  const options = optionsOf(parts, projection)
  for (;;) {
    const { rows } = await pool.query('select from read.checkpoints where name = $1 and version = $2', [name, version])
    if (rows.length > 0) return true
    try {
      const { status } = (await swapBack(parts, projection, options)) ?? (await rebuild(parts, projection, options))
      if (status === 'done') logger.info({ projection: name, version }, 'read model brought to this version')
      if (status === 'busy') await sleep(askAgain, undefined, signal ? { signal } : {})
    } catch (error) {
      if (error instanceof FoldFailed) {
        const { event, failure } = error
        logger.error({ projection: name, version, eventId: event.id, failure }, 'read model stays at its old version')
        return false
      }
      if (!(error instanceof StoreUnavailable)) throw error
      logger.warn({ err: error, projection: name }, 'a read model waits for the event store')
      await sleep(storePause, undefined, signal ? { signal } : {})
    }
    signal?.throwIfAborted()
  }
}

/**
 * Folds the read models beside that miss most of a long record: those that have nothing yet, as when they are new, or the
 * database is, and those that stood still for long. Where an event stops one, or the event store is away, it is left to
 * those who follow.
 */
export async function fillWhatIsFarBehind(parts: Parts, projections: readonly AnyProjection[]): Promise<void> {
  const { logger, signal } = parts
  for (const projection of projections) {
    try {
      while (await isFarBehind(parts, projection)) {
        const { status } = await rebuild(parts, projection, optionsOf(parts, projection))
        signal?.throwIfAborted()
        if (status === 'busy') await sleep(askAgain, undefined, signal ? { signal } : {})
        // It knew little: nobody wants to go back to it.
        if (status === 'done') await forget(parts, previousOf(projection))
      }
    } catch (error) {
      if (!(error instanceof FoldFailed || error instanceof StoreUnavailable)) throw error
      if (error instanceof FoldFailed) await forget(parts, nextOf(projection))
      logger.warn({ err: error, projection: projection.name }, 'a read model is filled as it follows')
    }
  }
}

/** Whether most of the record, and much of it, is still to come: so much is folded sooner from the first event on. */
async function isFarBehind({ store, pool }: Engine, { name, version }: AnyProjection): Promise<boolean> {
  const { rows } = await pool.query<{ position: Position | null }>(
    'select position from read.checkpoints where name = $1 and version = $2',
    [name, version],
  )
  if (!rows[0]) return false
  const { position } = rows[0]
  if (measureOf(position) * 2 >= measureOf(await store.head())) return false
  return (await store.readAll(position, longRecord, [])).seen === longRecord
}

async function forget({ pool }: Engine, beside: AnyProjection): Promise<void> {
  await pool.query('delete from read.checkpoints where name = $1', [beside.name])
  await pool.query(`drop table if exists ${tableOf(beside)}`)
}

/** Tells in the log how far it is, every five seconds. */
function optionsOf({ logger, signal }: Parts, { name, version }: AnyProjection) {
  let told = Date.now()
  const onProgress = ({ stage, share, secondsLeft }: Progress) => {
    if (Date.now() - told < tellEvery) return
    told = Date.now()
    logger.info({ projection: name, version, stage, percent: Math.floor(share * 100), secondsLeft }, 'rebuilding')
  }
  return { onProgress, ...(signal ? { signal } : {}) }
}
