/** Runs what concerns the same name one after the other within this process, in the order in which it was asked. */
export type KeyedQueue = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>

/** Makes a queue for each name; an empty one is forgotten. */
export function keyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>()
  return async (name, run) => {
    const before = last.get(name)
    const mine = (before ?? Promise.resolve()).then(run, run)
    last.set(name, mine)
    try {
      return await mine
    } finally {
      if (last.get(name) === mine) last.delete(name)
    }
  }
}
