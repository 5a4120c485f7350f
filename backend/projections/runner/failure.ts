import type { Position, Recorded } from '#eventstore/event.ts'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { isTransient } from '#database/transient-errors.ts'
import { getErrorKind } from '#runtime/error-kind.ts'

/** Returns the event's type and the kind of error, never data: `PatientRegistered: RangeError`. */
export const describeFailure = ({ type }: Recorded, error: unknown): string => `${type}: ${getErrorKind(error)}`

/** Returns whether a failure is temporary: the event store or the database is unavailable. No event is at fault. */
export const isTransientFailure = (error: unknown): boolean => error instanceof StoreUnavailable || isTransient(error)

/** Consecutive events, and the position after which to continue. */
type Batch<End> = { events: readonly Recorded[]; next: End }

/** Splits a batch into two halves, to find the event that cannot be processed. */
export function splitBatch<End>({ events, next }: Batch<End>): [Batch<Position | End>, Batch<End>] {
  const middle = Math.floor(events.length / 2)
  const left = events.slice(0, middle)
  return [
    { events: left, next: left.at(-1)?.position ?? next },
    { events: events.slice(middle), next },
  ]
}
