import type { ClientBase } from 'pg'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Recorded } from '#eventstore/event.ts'
import { foldBatch } from '#projections/fold.ts'
import { type AnyProjection, getHandledTypes } from '#projections/projection.ts'

/** The owner of a checkpoint row: a projection, or a process manager, which has no table. */
export type CheckpointOwner = {
  readonly kind: 'projection' | 'process-manager'
  readonly name: string
  readonly version: number
}

/**
 * A projection or process manager as the runner sees it: a checkpoint, and a function that processes events. The layer
 * above supplies process managers; they start at the end of the event store (ADR 12).
 */
export type Subscriber = CheckpointOwner & {
  /** The types of events it handles. All others only move its position. */
  readonly eventTypes: ReadonlySet<string>
  /** True when it reads no encrypted field. */
  readonly isMetadataOnly: boolean
  /** The projection whose table it keeps; undefined for a process manager. */
  readonly projection?: AnyProjection
  /** Processes events within the transaction that moves the checkpoint. */
  processEvents(client: ClientBase, events: readonly Recorded[]): Promise<void>
}

/** Subscribes the table of a projection. Sealed columns need the key store. */
export const toSubscriber = (projection: AnyProjection, keyStore?: KeyStore): Subscriber => ({
  kind: 'projection',
  name: projection.name,
  version: projection.version,
  eventTypes: new Set(getHandledTypes(projection)),
  isMetadataOnly: projection.isMetadataOnly === true,
  projection,
  processEvents: (client, events) => foldBatch(client, projection, events, keyStore),
})
