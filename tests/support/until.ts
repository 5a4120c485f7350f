import { setTimeout as sleep } from 'node:timers/promises'

/** Bounds a hang, never a slow machine. Shorter than the time limit of a test, so that the last answer is reported. */
const maxWaitMs = 100_000

/**
 * Asks again until the answer is the expected one and returns it; without `isThere`, until it is truthy.
 * Throws with the last answer after `timeoutMs`.
 */
export async function waitUntil<Answer>(
  ask: () => Promise<Answer> | Answer,
  isThere: (answer: Answer) => boolean = Boolean,
  timeoutMs = maxWaitMs,
): Promise<Answer> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (isThere(answer)) return answer
    if (performance.now() > end)
      throw new Error(`Not reached within ${timeoutMs} ms. The last answer: ${JSON.stringify(answer)}`)
    await sleep(25)
  }
}
