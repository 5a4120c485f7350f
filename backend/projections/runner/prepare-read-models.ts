import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { KeyStore } from '#encryption/key-store.ts'
import { type EventStore, StoreUnavailable } from '#eventstore/event-store.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { fillEmptyProjections, upgradeProjection } from '#projections/rebuild/upgrade.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import type { OriginTracker } from './origin.ts'

type Dependencies = {
  pool: Pool
  store: EventStore
  metadataOnlyStore?: EventStore
  keyStore?: KeyStore
  projections: readonly AnyProjection[]
  logger: Logger
  signal?: AbortSignal | undefined
  origin: OriginTracker
}

const storeRetryDelayMs = 1_000

/**
 * Creates missing tables, upgrades those of another version and fills empty ones from a long history. Returns the names
 * of the projections that keep their old table because an event cannot be folded.
 */
export async function prepareReadModels(parts: Dependencies): Promise<ReadonlySet<string>> {
  const { pool, projections } = parts
  const outdated = await prepareTables(pool, projections)
  await verifyOrigin(parts, outdated.length > 0)
  const failed = new Set<string>()
  for (const projection of outdated) if (!(await upgradeProjection(parts, projection))) failed.add(projection.name)
  await fillEmptyProjections(parts, projections)
  return failed
}

/**
 * Verifies the origin. Waits for an unavailable event store only before a rebuild; otherwise the runner verifies later.
 */
async function verifyOrigin({ origin, logger, signal }: Dependencies, mustWait: boolean): Promise<void> {
  while (!origin.isVerified()) {
    signal?.throwIfAborted()
    try {
      await origin.verify()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (!mustWait) return
      logger.warn({ err: error }, 'rebuild waits for the event store')
      await sleep(storeRetryDelayMs, undefined, signal ? { signal } : {})
    }
  }
}
