import { createWakeableSleep } from '#eventstore/wakeable-sleep.ts'

type Options = {
  /** Does one unit of work. Returns whether more may be waiting. */
  poll: () => Promise<boolean>
  /** Handles an error of `poll`. Returns whether to continue, after a pause that grows. */
  onError: (error: unknown) => boolean
  /** Called when the loop ends because it was stopped. */
  onStopped: () => Promise<void>
  /** Milliseconds between two polls when nothing wakes the loop. */
  intervalMs: number
}

const minRetryDelayMs = 100
const maxRetryDelayMs = 5_000

/**
 * Creates a loop that polls until it is stopped: at once while there is work, otherwise when woken or after an
 * interval.
 */
export function createPollLoop({ poll, onError, onStopped, intervalMs }: Options) {
  let isStopped = false
  let isPolling = false
  /** Conditions that the poll in progress may fulfil. */
  let wanted: (() => boolean)[] = []
  let running: Promise<void> = Promise.resolve()
  const { reset, sleep, wakeUp } = createWakeableSleep()

  async function pollOnce(): Promise<boolean> {
    isPolling = true
    try {
      return await poll()
    } finally {
      isPolling = false
      if (wanted.some((isFulfilled) => !isFulfilled())) wakeUp()
      wanted = []
    }
  }

  async function run(): Promise<void> {
    let retryDelayMs = minRetryDelayMs
    while (!isStopped) {
      try {
        reset()
        const hasMore = await pollOnce()
        retryDelayMs = minRetryDelayMs
        if (!hasMore) await sleep(intervalMs)
      } catch (error) {
        if (!onError(error)) return
        if (isStopped) break
        reset()
        await sleep(retryDelayMs)
        retryDelayMs = Math.min(retryDelayMs * 2, maxRetryDelayMs)
      }
    }
    await onStopped()
  }

  return {
    start(): void {
      running = run()
    },
    wakeUp,
    /** Wakes the loop unless a condition holds, now or at the end of the poll in progress. */
    wakeUpUnless(isFulfilled: () => boolean): void {
      if (isPolling) wanted.push(isFulfilled)
      else if (!isFulfilled()) wakeUp()
    },
    /** Stops the loop and resolves when the poll in progress has ended. */
    async stop(): Promise<void> {
      isStopped = true
      wakeUp()
      await running
    },
    isStopped: () => isStopped,
  }
}
