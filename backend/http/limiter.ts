/** Runs a task when capacity is available. Throws the error of `createError` if the queue is full. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Lets so many through at a time, in the order in which they came. */
export function createLimiter(most: number, longestQueue: number, full: () => Error): Limiter {
  let inside = 0
  const queue: (() => void)[] = []
  return async (task) => {
    if (inside >= most) {
      if (queue.length >= longestQueue) throw full()
      // The place is handed over, so that nobody who comes now can slip in before.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else inside++
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else inside--
    }
  }
}
