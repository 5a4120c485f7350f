import { isDamaged } from '#database/damaged-pages.ts'
import { hasChangedNothing, isStorageFull } from '#database/transient-errors.ts'
import { NothingWritten, StorageFull, StoreDamaged, StoreUnavailable } from '#eventstore/event-store.ts'

/** Returns the error of a failed query in the port's terms. PostgreSQL's text about damage names a file, never content. */
export function toUnavailable(error: unknown): StoreUnavailable {
  if (isStorageFull(error)) return new StorageFull('The disk of the event store is full', { cause: error })
  if (isDamaged(error))
    return new StoreDamaged(
      `Stored events are damaged (${(error as Error).message}): npm run projections -- verify --all lists what is damaged`,
      { cause: error },
    )
  if (hasChangedNothing(error)) return new NothingWritten('The event store cannot write', { cause: error })
  return new StoreUnavailable('The event store does not respond', { cause: error })
}
