import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import type { AnyProjection } from './projection.ts'
import { type Engine, type Progress, rebuild, swapBack } from './rebuild.ts'
import { FoldFailed } from './shadow.ts'

const tellEvery = 5_000
const askAgain = 250
const storePause = 1_000

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
  let told = Date.now()
  const onProgress = ({ stage, share, secondsLeft }: Progress) => {
    if (Date.now() - told < tellEvery) return
    told = Date.now()
    logger.info({ projection: name, version, stage, percent: Math.floor(share * 100), secondsLeft }, 'rebuilding')
  }
  const options = { onProgress, ...(signal ? { signal } : {}) }
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
