import type { z } from 'zod'

/** The context of one attempt of a job. */
export type JobContext = {
  /** The same in every attempt: the idempotency key of its effect, from which those of its commands are derived. */
  readonly id: string
  /** Aborted when the attempt times out, when its claim has expired, and when the process is about to stop. */
  readonly signal: AbortSignal
  /** Counts from 1. */
  readonly attempt: number
}

/**
 * The definition of a job: one effect, then commands. It may run again after a crash, so it reads the current state
 * first, passes `id` to the vendor as the idempotency key, and gives its commands an `idempotencyKey` derived from
 * `id`.
 */
export type Job<Services, Data extends object> = {
  /** A kebab-case name, also that of its queue. */
  readonly name: string
  /** Ids and plain values; never a name, an e-mail address or health data. */
  readonly data: z.ZodType<Data>
  /**
   * The number of retries before it becomes a dead letter, and the longest delay. Delays double from 1 s, with jitter.
   */
  readonly retry?: { readonly limit?: number; readonly maxDelaySeconds?: number }
  /** Time-out of one attempt. */
  readonly expireSeconds?: number
  /** The number of jobs of this kind that one instance runs concurrently. */
  readonly concurrency?: number
  /**
   * The number of jobs that a worker takes at once, 1 unless given: for short jobs that many events require. They run side by side, and
   * are settled in one statement when the last one ends.
   */
  readonly batchSize?: number
  /**
   * Makes new jobs wait up to half a second, so that they are taken together instead of each at once: for jobs that nothing waits for.
   * Many events that require one then cost a few statements instead of several each.
   */
  readonly isGathered?: boolean
  /** A cron expression in UTC, at which it also runs with `{}` as data; once, however many instances there are. */
  readonly schedule?: string
  readonly run: (services: Services, data: Data, context: JobContext) => Promise<void>
  /** Called when no attempts are left. It may run more than once, and is retried until it succeeds. */
  readonly onDeadLetter?: (services: Services, data: Data, context: { id: string; error: string }) => Promise<void>
}

/** A job with data of any type. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJob<Services> = Job<Services, any>

/** Thrown by a job that can never succeed: it becomes a dead letter at once. `code` is the reason, without data. */
export class NonRetryableError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`Not retryable: ${code}`)
    this.name = 'NonRetryableError'
    this.code = code
  }
}

/** The interface for enqueueing jobs. */
export type JobQueue = {
  /**
   * Enqueues a job. With an `id` (a UUID) it is enqueued once, however often this is called. It does not start before
   * `delaySeconds`. Throws when no module declares it, and ZodError for invalid data.
   */
  send(name: string, data: object, options?: { id?: string; delaySeconds?: number }): Promise<void>
}
