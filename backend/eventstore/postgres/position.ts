import type { Position } from '#eventstore/event.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'

/** Formats a position so that it sorts as text, and names the kind of store it belongs to. */
export const formatPosition = (position: string | bigint): Position => `pg-${String(position).padStart(19, '0')}`

/** Returns whether a position was issued by a store of this kind. */
export const isPosition = (position: Position): boolean => /^pg-\d{19}$/.test(position)

/**
 * Returns the number in a position: how many events there are up to it, because positions have no gaps. Throws
 * ForeignPosition.
 */
export function parsePosition(position: Position | null): bigint {
  if (position === null) return 0n
  if (!isPosition(position)) throw new ForeignPosition(`Not a position of the PostgreSQL store: ${position}`)
  return BigInt(position.slice('pg-'.length))
}
