import type { Position } from '#eventstore/event.ts'

/** Returns whether `a` is before `b`. Null is before the first event. */
export const isBehind = (a: Position | null, b: Position | null): boolean => b !== null && (a === null || b > a)
