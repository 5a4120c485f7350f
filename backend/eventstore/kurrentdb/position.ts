import type { Position } from '#eventstore/event.ts'
import { ForeignPosition } from '#eventstore/event-store.ts'

const positionPattern = /^es-(\d{20})-(\d{20})$/

/** Formats a position so that it sorts as text, and names the kind of store it belongs to. */
export const formatPosition = ({ commit, prepare }: { commit: bigint; prepare: bigint }): Position =>
  `es-${String(commit).padStart(20, '0')}-${String(prepare).padStart(20, '0')}`

/** Returns whether a position was issued by a store of this kind. */
export const isPosition = (position: Position): boolean => positionPattern.test(position)

/** Returns the two log offsets of a position, in bytes. Throws ForeignPosition. */
export function parsePosition(position: Position): { commit: bigint; prepare: bigint } {
  const [, commit, prepare] = positionPattern.exec(position) ?? []
  if (commit === undefined || prepare === undefined)
    throw new ForeignPosition(`Not a position of EventStoreDB: ${position}`)
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}
