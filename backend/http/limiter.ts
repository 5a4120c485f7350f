import pLimit from 'p-limit'

/** Runs a task when fewer than the maximum are running. Throws `createError()` when the queue is full or too slow. */
export type Limiter = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * Creates the error of a task that does not run. `seconds` estimates when the queue will be empty, from the duration of the
 * last tasks: an honest `Retry-After`.
 */
type CreateError = (seconds: number) => Error

/** Runs at most `maxConcurrent` tasks at a time, in order of arrival; queues at most `maxQueued`, for at most `maxWaitMs`. */
export function createLimiter(
  maxConcurrent: number,
  maxQueued: number,
  createError: CreateError,
  maxWaitMs?: number,
): Limiter {
  const limit = pLimit(maxConcurrent)
  let taskMs = 0

  function createBusyError(): Error {
    const rounds = (limit.activeCount + limit.pendingCount) / maxConcurrent
    return createError(Math.max(1, Math.ceil((rounds * taskMs) / 1_000)))
  }

  async function runTask<Result>(task: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      return await task()
    } finally {
      const ms = performance.now() - began
      // One task that the machine delayed says little about the next ones.
      taskMs = taskMs === 0 ? ms : 0.8 * taskMs + 0.2 * ms
    }
  }

  async function runInTime<Result>(task: () => Promise<Result>, waitMs: number): Promise<Result> {
    const { promise: expired, reject } = Promise.withResolvers<never>()
    let isExpired = false
    const timer = setTimeout(() => {
      isExpired = true
      reject(createBusyError())
    }, waitMs)
    const queued = limit(async () => {
      clearTimeout(timer)
      // Its caller already has the error.
      return isExpired ? await expired : await runTask(task)
    })
    return await Promise.race([queued, expired])
  }

  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= maxConcurrent + maxQueued) throw createBusyError()
    return maxWaitMs === undefined ? await limit(() => runTask(task)) : await runInTime(task, maxWaitMs)
  }
}
