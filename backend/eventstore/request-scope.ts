import { AsyncLocalStorage } from 'node:async_hooks'
import type { Deadline } from '#runtime/deadline.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { NothingWritten, StoreUnavailable } from './event-store.ts'

/** The outcome of a request as far as it is known: no event was written, some were, or that cannot be known yet. */
export type WriteOutcome = 'nothing-written' | 'written' | 'unknown'

/**
 * A vendor did not confirm a change, which may have happened or may happen yet. Its message is for the user: what to check, and
 * whether a repetition is safe.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}

/** The attempt at a request that the current code runs for. Command bus and new ids consult it; nothing passes it on. */
export type RequestScope = {
  /** Id of the user's intent, shared by all attempts with one idempotency key; null for a request without a key. */
  readonly intentId: string | null
  /** True if an earlier attempt at the same intent may have written events. */
  readonly isRepetition: boolean
  /**
   * Returns whether it is certain that no other attempt at the same intent has written events until now. False after the time
   * in which the request is answered: another attempt may begin some time after that.
   */
  isFirstAttempt(): boolean
  /** Milliseconds until the request is answered, whatever it has done. */
  getRemainingMs(): number
  getOutcome(): WriteOutcome
  /** Refuses all further writes: the request is answered as not saved. */
  expire(): void
  /** Runs one append and records what became of it. Throws NothingWritten when the request has expired. */
  track<Result extends { status: string }>(append: () => Promise<Result>): Promise<Result>
  /** Runs a call that changes something outside of the event store, and records whether it did. */
  trackEffect<Result>(call: () => Promise<Result>): Promise<Result>
  /** Records that an earlier attempt has written. */
  noteEarlierWrite(): void
  /** Returns a number per name, counted from 0, which tells apart several ids or commands of one name. */
  count(name: string): number
}

const storage = new AsyncLocalStorage<RequestScope>()

/** Returns the scope of the request that the current code runs for; undefined in jobs and tools. */
export const currentRequest = (): RequestScope | undefined => storage.getStore()

/** Runs a function, and everything it calls, within the scope of a request. */
export const runInRequest = <Result>(scope: RequestScope, run: () => Promise<Result>): Promise<Result> =>
  storage.run(scope, run)

/** Returns whether an earlier attempt at the current request may have written events. */
export const isRepeatedRequest = (): boolean => currentRequest()?.isRepetition ?? false

/**
 * Returns whether nothing can have been written for the current request before, so that an id that it makes up is that of a new
 * stream. False where that is uncertain, and outside of requests.
 */
export function isFirstAttempt(): boolean {
  const request = currentRequest()
  return request !== undefined && (request.intentId === null || request.isFirstAttempt())
}

/** Runs a call to a vendor that changes something there, so that a request that fails later does not deny it. */
export const trackEffect = <Result>(call: () => Promise<Result>): Promise<Result> =>
  currentRequest()?.trackEffect(call) ?? call()

/** Milliseconds that a request keeps for its reply when it waits for something that it can do without. */
const replyMs = 500

/** Waits for work that goes on by itself, in a request no longer than leaves time for the reply. */
export async function waitWithinRequest(work: Promise<unknown>): Promise<void> {
  const request = currentRequest()
  if (!request) return void (await work)
  await withTimeout(work, Math.max(0, request.getRemainingMs() - replyMs), () => undefined)
}

type Attempt = {
  intentId: string | null
  isRepetition: boolean
  /** True if it is certain that there was no earlier attempt. */
  isFirstAttempt?: boolean
  /** True if an earlier attempt is known to have ended without a result. */
  wasInterrupted?: boolean
  deadline: Deadline
}

/** Creates the scope of one attempt at a request, which is answered at its deadline at the latest. */
export function createRequestScope({
  intentId,
  isRepetition,
  isFirstAttempt = false,
  wasInterrupted = false,
  deadline,
}: Attempt): RequestScope {
  const counts = new Map<string, number>()
  let pending = 0
  let hasExpired = false
  let hasWritten = wasInterrupted
  let isUnknown = false

  return {
    intentId,
    isRepetition,
    isFirstAttempt: () => isFirstAttempt && deadline.getRemainingMs() > 0,
    getRemainingMs: deadline.getRemainingMs,
    getOutcome: () => (pending > 0 || isUnknown ? 'unknown' : hasWritten ? 'written' : 'nothing-written'),
    expire() {
      hasExpired = true
    },
    async track(append) {
      if (hasExpired) throw new NothingWritten('The request has expired')
      pending++
      try {
        const result = await append()
        if (result.status.endsWith('appended')) hasWritten = true
        return result
      } catch (error) {
        if (error instanceof StoreUnavailable && !(error instanceof NothingWritten)) isUnknown = true
        throw error
      } finally {
        pending--
      }
    },
    async trackEffect(call) {
      if (hasExpired) throw new NothingWritten('The request has expired')
      pending++
      try {
        const result = await call()
        hasWritten = true
        return result
      } catch (error) {
        if (error instanceof OutcomeUnknown) isUnknown = true
        throw error
      } finally {
        pending--
      }
    },
    noteEarlierWrite() {
      hasWritten = true
    },
    count(name) {
      const number = counts.get(name) ?? 0
      counts.set(name, number + 1)
      return number
    },
  }
}
