import type { z } from 'zod'

/** What a job knows of itself while it runs. */
export type JobContext = {
  /** The same at every try: the idempotency key of its one effect, and what the keys of its commands are made from. */
  readonly id: string
  /** Aborted when it takes too long, when somebody else has it, and as soon as the process is about to stop. */
  readonly signal: AbortSignal
  /** Counts from 1. */
  readonly attempt: number
}

/**
 * One kind of job: one effect, then commands. It may run again after a crash in the middle, so it looks at the current state
 * first, hands `id` to the vendor as the idempotency key, and gives its commands an `idempotencyKey` made from `id`.
 */
export type Job<Services, Data extends object> = {
  /** In kebab-case; also the name of its queue. */
  readonly name: string
  /** Ids and plain values; never a name, an e-mail address or health data. */
  readonly data: z.ZodType<Data>
  /** How often it is tried again before it is given up, and the longest pause in between. Pauses double from 1 s, with jitter. */
  readonly retry?: { readonly limit?: number; readonly maxDelaySeconds?: number }
  /** How long one try may take. */
  readonly expireSeconds?: number
  /** How many of this kind run at the same moment in one copy of the app. */
  readonly concurrency?: number
  /** Also runs by itself: a cron expression in UTC, its data being `{}`. Once, however many copies of the app there are. */
  readonly schedule?: string
  readonly run: (services: Services, data: Data, context: JobContext) => Promise<void>
  /** Follows when it is out of tries. May run again; failing, it is tried until it succeeds. */
  readonly onDeadLetter?: (services: Services, data: Data, context: { id: string; error: string }) => Promise<void>
}

/** A job as the engine sees it, whatever its data is. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJob<Services> = Job<Services, any>

/** Thrown by a job that will never succeed however often it is tried: it is given up at once. `code` says why, without data. */
export class NonRetryableError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`Given up: ${code}`)
    this.name = 'Hopeless'
    this.code = code
  }
}

/** Where jobs are put down. */
export type JobQueue = {
  /**
   * Puts a job down. With an `id` (a UUID) it is put down once, however often this is called. `inSeconds`: not before so
   * many seconds. Throws when no module declares it, and ZodError when the data is not what it takes.
   */
  send(name: string, data: object, options?: { id?: string; delaySeconds?: number }): Promise<void>
}

/** What is kept of an error: its kind and code, never its text, which may hold data. */
export function getErrorKind(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' || typeof code === 'number' ? `${error.name} ${code}` : error.name
}
