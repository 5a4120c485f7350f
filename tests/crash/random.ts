/** A seeded random generator: the same seed gives the same numbers on every machine. */
export type Random = {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number
  /** Returns an integer from 0 up to, but not including, the limit. */
  integerBelow(limit: number): number
  pick<Item>(items: readonly Item[]): Item
  shuffle<Item>(items: readonly Item[]): Item[]
}

/** Creates a mulberry32 generator: small, and uniform enough for choosing moments. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integerBelow = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    integerBelow,
    pick: <Item>(items: readonly Item[]) => items[integerBelow(items.length)] as Item,
    shuffle(items) {
      const mixed = [...items]
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = integerBelow(last + 1)
        ;[mixed[last], mixed[other]] = [mixed[other] as never, mixed[last] as never]
      }
      return mixed
    },
  }
}
