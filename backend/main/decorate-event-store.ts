import { encryptedStore, metadataOnlyStore, redactedStore } from '#encryption/encrypted-store.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { type EventVersions, upcastingStore } from '#eventstore/upcasting.ts'
import type { Module } from '#modules/module.ts'
import { createModuleEventVersions, listEventSchemas } from './event-versions.ts'

type Options = {
  keyStore: KeyStore
  modules: readonly Module[]
  versions: EventVersions
  /** Called for each event that a newer version of the app wrote. */
  onNewer?: (event: Recorded) => void
}

/** Returns the two views of an event store that the application uses: decrypted and metadata-only, both upcast. */
export const decorateEventStore = (raw: EventStore, { keyStore, modules, versions, onNewer }: Options) => ({
  store: upcastingStore(encryptedStore(raw, keyStore, listEventSchemas(modules)), versions, onNewer),
  metadataOnlyStore: upcastingStore(metadataOnlyStore(raw), versions, onNewer),
})

/** Returns the upcast view for tools that have no keys: encrypted fields are null. */
export const redactEventStore = (raw: EventStore, modules: readonly Module[]): EventStore =>
  upcastingStore(redactedStore(raw), createModuleEventVersions(modules))
