import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from './event-store.ts'

const maxRetryDelayMs = 5_000
/** Attempts before an operator's command gives up, after about half a minute. */
export const maxAttempts = 12

/** Waits before the next attempt, with exponential back-off. `attempt` counts from 1. */
export const waitBeforeRetry = (attempt: number): Promise<void> => sleep(Math.min(50 * 2 ** attempt, maxRetryDelayMs))

/** Retries a call while the store is unavailable; in the end throws its error. The call must be harmless when repeated. */
export async function retryWhileUnavailable<Result>(call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === maxAttempts) throw error
      await waitBeforeRetry(attempt)
    }
  }
}
