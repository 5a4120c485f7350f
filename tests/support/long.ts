import { it } from 'vitest'

/** True in `npm run test:long`. */
export const isLongRun = process.env['LONG'] === '1'

/** Returns how many cases a loop runs: `usual` by default, `long` with LONG=1. */
export const cases = (usual: number, long: number) => (isLongRun ? long : usual)

/** Returns all items in a long run, in the gate the first few. */
export const someOf = <Item>(items: readonly Item[], inGate: number): readonly Item[] =>
  isLongRun ? items : items.slice(0, inGate)

/**
 * A test of long runs: it takes two seconds or more, and what it holds is held in the gate by a shorter one, or is too rare to
 * stop every change.
 */
export const itLong = isLongRun ? it : it.skip
