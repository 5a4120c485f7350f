import type { Logger } from 'pino'
import { createRequestScope, OutcomeUnknown, type RequestScope, runInRequest } from '#eventstore/request-scope.ts'
import type { Deadline } from '#runtime/deadline.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import type { Ended, IdempotencyStore, KeyedRequest, Started } from './idempotency-store.ts'
import { outcomeUnknown, ProblemError, toProblemError } from './problems.ts'

/** The part of a request that decides whether it may run again. */
export type WriteRequest = {
  /** Null when the request was sent without an idempotency key. */
  keyed: KeyedRequest | null
  /** False for requests of which nothing may be stored: their replies sign someone in. */
  isReplyKept: boolean
  /** Started when the request arrived. */
  deadline: Deadline
}

/** The reply of a handler as JSON. `isReplayed` when it is the reply to an earlier request with the same idempotency key. */
export type WriteResult = { reply: string; isReplayed: boolean }

/**
 * Runs the handler of a request that may write. The answer is never untrue: a request fails with a certain problem only when
 * nothing was written, and with 503 `outcome-unknown` otherwise. It is answered by its deadline in any case.
 */
export type RunWrite = (request: WriteRequest, handle: () => Promise<string>) => Promise<WriteResult>

type Dependencies = { store: IdempotencyStore; logger: Logger }

/** Limits after which an attempt without a result counts as interrupted, because its process has ended. */
const leaseFactor = 2

/** Creates the function that runs requests that may write. */
export function createWriteRunner({ store, logger }: Dependencies): RunWrite {
  /** Runs the handler once; how it ended is recorded in the background. */
  async function attempt(request: WriteRequest, scope: RequestScope, handle: () => Promise<string>): Promise<string> {
    const kept = request.isReplyKept ? request.keyed : null
    try {
      const reply = await runInRequest(scope, handle)
      if (kept) record(store.complete(kept, reply))
      return reply
    } catch (error) {
      if (kept) record(store.end(kept, getEnd(error, scope)))
      throw isTrue(error, scope) ? error : maybeSaved(request.keyed !== null, error)
    }
  }

  /**
   * Records a result while the reply is sent. Should that fail, or the process end before, a repetition finds the events
   * themselves.
   */
  function record(recording: Promise<void>): void {
    recording.catch((err: unknown) => logger.warn({ err }, 'the result of a request could not be recorded'))
  }

  /** Ends an attempt that started only after its request was answered: nothing runs for it. */
  async function endLate(keyed: KeyedRequest, starting: Promise<Started>): Promise<void> {
    try {
      const started = await starting
      if (started.status === 'started') await store.end(keyed, started.isRepetition ? 'interrupted' : 'refused')
    } catch (err) {
      logger.warn({ err }, 'a request could not be started in time')
    }
  }

  async function start(request: WriteRequest) {
    const { keyed, isReplyKept, deadline } = request
    if (!keyed) return { intentId: null, isRepetition: false }
    // Nothing is known of earlier attempts, so there may have been one.
    if (!isReplyKept) return { intentId: store.deriveIntentId(keyed), isRepetition: true }
    const starting = store.start(keyed, deadline.limitMs * leaseFactor)
    const started = await withTimeout(starting, deadline.getRemainingMs(), () => {
      void endLate(keyed, starting)
      throw tooSlow()
    })
    if (started.status === 'running') throw stillRunning()
    if (started.status === 'other-content') throw keyReused()
    return started.status === 'started' ? { ...started, wasInterrupted: started.isRepetition } : started
  }

  return async (request, handle) => {
    const { deadline } = request
    const started = await start(request)
    if ('reply' in started) return { reply: started.reply, isReplayed: true }
    const scope = createRequestScope({ ...started, deadline })
    const running = attempt(request, scope, handle)
    const reply = await withTimeout(running, deadline.getRemainingMs(), () => {
      // A late result is recorded, for the next request with the same key.
      running.catch((err: unknown) => logger.warn({ err }, 'a request failed after it was answered'))
      if (scope.getOutcome() !== 'nothing-written') throw maybeSaved(request.keyed !== null)
      scope.expire()
      throw tooSlow()
    })
    return { reply, isReplayed: false }
  }
}

/** A refusal, or a failure that a handler describes itself, is true although something was written before. */
function isTrue(error: unknown, scope: RequestScope): boolean {
  const outcome = scope.getOutcome()
  if (outcome === 'nothing-written' || error instanceof OutcomeUnknown) return true
  return outcome === 'written' && (error instanceof ProblemError || toProblemError(error).status < 500)
}

/** Returns how an attempt ended. Once interrupted, an intent stays so: the first attempt may still be written. */
function getEnd(error: unknown, scope: RequestScope): Ended {
  const outcome = scope.getOutcome()
  const hasFailed = outcome === 'unknown' || (outcome === 'written' && toProblemError(error).status >= 500)
  return hasFailed || scope.isRepetition ? 'interrupted' : 'refused'
}

function maybeSaved(isRetrySafe: boolean, cause?: unknown): ProblemError {
  const advice = isRetrySafe
    ? 'You can try again: it is not saved twice.'
    : 'Check before you try again, so that it is not saved twice.'
  const problem = outcomeUnknown(`This may have been saved. ${advice}`)
  problem.cause = cause
  return problem
}

const tooSlow = () =>
  new ProblemError(503, 'too-slow', 'Everchart is too busy right now. This attempt saved nothing. Please try again.', {
    headers: { 'Retry-After': '5' },
  })

const stillRunning = () =>
  new ProblemError(409, 'still-running', 'This is being saved already. Please wait a moment.', {
    headers: { 'Retry-After': '1' },
  })

const keyReused = () =>
  new ProblemError(422, 'idempotency-key-reused', 'This idempotency key was sent with another request before.', {
    errors: [{ path: 'Idempotency-Key', message: 'Please send a new key with a new request' }],
  })
