import pLimit from 'p-limit'

/** Runs a task when fewer than the maximum are running. Throws `createError()` when the queue is full. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>

/** Runs at most `maxConcurrent` tasks at a time, in order of arrival, and queues at most `maxQueued`. */
export function createLimiter(maxConcurrent: number, maxQueued: number, createError: () => Error): Limiter {
  const limit = pLimit(maxConcurrent)
  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= maxConcurrent + maxQueued) throw createError()
    return await limit(task)
  }
}
