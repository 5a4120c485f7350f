import { setTimeout as sleep } from 'node:timers/promises'

/** Ends a hang, even on a slow machine. Shorter than the time-out of a test, so that the last result is reported. */
const maxWaitMs = 100_000

/**
 * Polls until the result satisfies `isExpected` and returns it; by default until it is truthy.
 * Throws with the last result after `timeoutMs`.
 */
export async function waitUntil<Result>(
  poll: () => Promise<Result> | Result,
  isExpected: (result: Result) => boolean = Boolean,
  timeoutMs = maxWaitMs,
): Promise<Result> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const result = await poll()
    if (isExpected(result)) return result
    if (performance.now() > end)
      throw new Error(`Not reached within ${timeoutMs} ms. The last result: ${JSON.stringify(result)}`)
    await sleep(25)
  }
}
