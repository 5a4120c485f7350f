import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Position } from '#eventstore/event.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import type { AnyProjection } from './projection.ts'
import { type Engine, type Progress, rebuild, swapBack } from './rebuild.ts'
import { FoldFailed } from './shadow.ts'
import { previousOf, tableOf } from './tables.ts'

const tellEvery = 5_000
const askAgain = 250
const storePause = 1_000
/** A read model that has nothing yet of a record longer than this is folded beside, which is many times as fast. */
const longRecord = 5_000

type Parts = Engine & { logger: Logger; signal?: AbortSignal | undefined }

/**
 * Brings the table of a read model to the version of this code, while copies of the app that have the other version go on
 * with theirs. Where the table of before the last rebuild is of this version, it comes back; else it is folded anew.
 * One that has nothing yet of a long record is folded anew as well, which is many times as fast as following it.
 * Several copies that start wait for the one that is at it. Answers false when an event cannot be folded: the old table
 * stays, for people to see and decide. Rejects with the signal's reason when that ends it.
 */
export async function bringUpToVersion(parts: Parts, projection: AnyProjection): Promise<boolean> {
  const { logger, signal, pool } = parts
  const { name, version } = projection
  let told = Date.now()
  const onProgress = ({ stage, share, secondsLeft }: Progress) => {
    if (Date.now() - told < tellEvery) return
    told = Date.now()
    logger.info({ projection: name, version, stage, percent: Math.floor(share * 100), secondsLeft }, 'rebuilding')
  }
  const options = { onProgress, ...(signal ? { signal } : {}) }
  for (;;) {
    const { rows } = await pool.query<{ position: Position | null }>(
      'select position from read.checkpoints where name = $1 and version = $2',
      [name, version],
    )
    const [found] = rows
    if (found && found.position !== null) return true
    try {
      if (found && !(await isLong(parts.store))) return true
      const { status } = (await swapBack(parts, projection, options)) ?? (await rebuild(parts, projection, options))
      if (status === 'done') logger.info({ projection: name, version }, 'read model brought to this version')
      if (status === 'done' && found) await forgetPrevious(parts, projection)
      if (status === 'busy') await sleep(askAgain, undefined, signal ? { signal } : {})
    } catch (error) {
      // One that has its table goes up to that event as it follows, and stands still there.
      if (error instanceof FoldFailed && found) return true
      if (error instanceof FoldFailed) {
        const { event, failure } = error
        logger.error({ projection: name, version, eventId: event.id, failure }, 'read model stays at its old version')
        return false
      }
      if (!(error instanceof StoreUnavailable)) throw error
      // It may be away at the start: what is in the tables can be read meanwhile.
      if (found) return true
      logger.warn({ err: error, projection: name }, 'a read model waits for the event store')
      await sleep(storePause, undefined, signal ? { signal } : {})
    }
    signal?.throwIfAborted()
  }
}

const isLong = async ({ readAll }: EventStore) => (await readAll(null, longRecord)).events.length === longRecord

/** The table of before was empty: nobody wants to go back to it. */
async function forgetPrevious({ pool }: Engine, projection: AnyProjection): Promise<void> {
  const previous = previousOf(projection)
  await pool.query('delete from read.checkpoints where name = $1', [previous.name])
  await pool.query(`drop table if exists ${tableOf(previous)}`)
}
