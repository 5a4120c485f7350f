/** Returns how many cases a loop runs: `usual` by default, `long` with LONG=1. */
export const cases = (usual: number, long: number) => (process.env['LONG'] === '1' ? long : usual)

/** True in `npm run test:long`. */
export const isLongRun = process.env['LONG'] === '1'

/** Returns all items in a long run, in the gate the first few. */
export const someOf = <Item>(items: readonly Item[], inGate: number): readonly Item[] =>
  isLongRun ? items : items.slice(0, inGate)
