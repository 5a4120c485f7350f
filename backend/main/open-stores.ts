import type { Logger } from 'pino'
import type { Key } from '#encryption/cipher.ts'
import { openPostgresKeyStore, type PostgresKeyStore } from '#encryption/postgres-key-store.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { Module } from '#modules/module.ts'
import type { DiskMonitor } from '#runtime/disk-space.ts'
import { decorateEventStore } from './decorate-event-store.ts'
import { createModuleEventVersions } from './event-versions.ts'
import { guardEventStore } from './guard-event-store.ts'
import { openEventStore } from './open-event-store.ts'
import type { Pools } from './open-pools.ts'
import type { StopSteps } from './stop-steps.ts'
import { watchDamage } from './watch-damage.ts'

type Parts = {
  /** Undefined: events are stored in the database. */
  eventStoreUrl: string | undefined
  modules: readonly Module[]
  masterKey: Key
  disk: DiskMonitor
  logger: Logger
}

/** The event store of an application in its views, and the keys of what it encrypts. */
export type Stores = {
  /** The events as they are stored, neither decrypted nor upcast. */
  raw: EventStore
  store: EventStore
  metadataOnlyStore: EventStore
  keyStore: PostgresKeyStore
  /** Returns false once a newer version has written: this instance must be upgraded. */
  isUpToDate: () => boolean
}

/** Opens the event store and the key store, once the migrations have run. */
export async function openStores(
  { eventStoreUrl, modules, masterKey, disk, logger }: Parts,
  { pool, appendPool, maintenancePool }: Pools,
  stopSteps: StopSteps,
): Promise<Stores> {
  const opened = await openEventStore(eventStoreUrl, pool, {
    appendPool,
    onDamaged: watchDamage(maintenancePool, logger),
  })
  stopSteps.add(opened.close)
  const essentialCategories = modules.flatMap((module) => module.essentialCategories ?? [])
  const raw = guardEventStore(opened, disk, essentialCategories)
  const keyStore = await openPostgresKeyStore(pool, masterKey, { precedesEvents: eventStoreUrl === undefined })
  stopSteps.add(keyStore.close)
  const newerEvents = new Set<string>()
  const views = decorateEventStore(raw, {
    keyStore,
    modules,
    versions: createModuleEventVersions(modules),
    onNewer: (event) => logNewerEvent(event, newerEvents, logger),
  })
  return { raw, ...views, keyStore, isUpToDate: () => newerEvents.size === 0 }
}

/** Logs an event of a newer version once per type: an instance from before an upgrade is still running. */
function logNewerEvent({ type, position, metadata }: Recorded, logged: Set<string>, logger: Logger): void {
  const { schemaVersion } = metadata
  if (logged.has(`${type} ${schemaVersion}`)) return
  logged.add(`${type} ${schemaVersion}`)
  logger.error({ type, schemaVersion, position }, 'a newer version wrote to the event store: upgrade this instance')
}
