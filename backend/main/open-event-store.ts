import type { Pool } from 'pg'
import type { HistoryTarget } from '#eventstore/history-writer.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { StartError } from '#runtime/start-error.ts'

/** An event store as its adapter stores events: neither decrypted nor upcast. */
export type OpenedEventStore = HistoryTarget & { close(): Promise<void> }

type Options = {
  /** The pool on which events are written in the database. */
  appendPool?: Pool
  onDamaged?: () => void
  /** Milliseconds for a call of an EventStoreDB or KurrentDB; by default as many as a request can wait. */
  callTimeoutMs?: number | undefined
}

/**
 * Opens the event store of an installation: the EventStoreDB or KurrentDB at `url`, or the tables in the database when it is
 * undefined. Throws StartError when a certificate it names cannot be read.
 */
export const openEventStore = async (
  url: string | undefined,
  pool: Pool,
  { appendPool = pool, onDamaged, callTimeoutMs }: Options = {},
): Promise<OpenedEventStore> =>
  url === undefined
    ? await openPostgresStore(pool, { appendPool, onDamaged })
    : await openExternalEventStore(url, { pool, callTimeoutMs })

/**
 * Opens the EventStoreDB or KurrentDB at an address; `pool` is the database of the installation, through which its instances
 * wake each other. Its client is loaded here: 220 files would prolong the start without one. Throws StartError when a certificate
 * that the address names cannot be read.
 */
export async function openExternalEventStore(
  address: string,
  options: { pool?: Pool; callTimeoutMs?: number | undefined },
): Promise<OpenedEventStore> {
  const { openEventStoreDb } = await import('#eventstore/kurrentdb/store.ts')
  try {
    return openEventStoreDb(address, options)
  } catch (error) {
    throw new StartError(`A certificate of the event store cannot be read: ${(error as Error).message}`)
  }
}
