import { type EventStoreDbStore, openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { StartError } from '#runtime/start-error.ts'

/** Opens the EventStoreDB or KurrentDB at an address. Throws StartError when a certificate it names cannot be read. */
export function openExternalEventStore(address: string): EventStoreDbStore {
  try {
    return openEventStoreDb(address)
  } catch (error) {
    throw new StartError(`A certificate of the event store cannot be read: ${(error as Error).message}`)
  }
}
