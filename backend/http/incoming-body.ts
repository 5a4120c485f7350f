import { bodyParser } from '@koa/bodyparser'
import type Koa from 'koa'
import type { Endpoint } from '#contracts/endpoint.ts'
import { type Deadline, startDeadline } from '#runtime/deadline.ts'
import { readWithTimeout } from './body-timeout.ts'
import { ProblemError } from './problems.ts'

/** The body of a request, which may still be arriving. */
export type IncomingBody = {
  /** True when it may be larger than usual: it then waits for its turn before it is handled. */
  isLarge: boolean
  /** Reads it into `ctx.request.body`. Throws 400, 408, 413 and 415. */
  read(): Promise<void>
  /** Returns whether it took so long that the caller is looked up again. */
  wasSlow(): boolean
  /** Returns the time by which the request is answered, which the wait for the client prolongs. */
  getDeadline(): Deadline
}

const defaultMaxBytes = 1024 * 1024
/** Milliseconds after which a caller is looked up again. */
const slowMs = 1_000
/** A large upload is parsed and stored before it is answered: its deadline begins when it has arrived, and is longer. */
const largeDeadlineFactor = 12

/** Creates the function that opens the body of a request for an endpoint. It throws 413 for a body that is declared as too long. */
export function createBodyOpener({ bodyLimit: limit = defaultMaxBytes }: Endpoint): (ctx: Koa.Context) => IncomingBody {
  const parse = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limit,
    jsonStrict: false,
    encoding: 'utf-8',
    onError: rejectUnreadable,
  })
  return (ctx) => {
    const { length } = ctx.request
    if ((length ?? 0) > limit) throw tooLarge()
    // Without a length, it can reach the limit.
    const isLarge = limit > defaultMaxBytes && (length ?? Infinity) > defaultMaxBytes
    let deadline = ctx.state.deadline as Deadline
    let duration = 0
    return {
      isLarge,
      async read() {
        // The client may have disconnected while queued; reading would then never end.
        if (ctx.req.destroyed) throw new ProblemError(400, 'gone', 'The request was aborted.')
        const startedAt = performance.now()
        await deadline.pause(() => readWithTimeout(ctx, () => parse(ctx, async () => undefined)))
        duration = performance.now() - startedAt
        if (isLarge) deadline = startDeadline(deadline.limitMs * largeDeadlineFactor)
      },
      wasSlow: () => duration > slowMs,
      getDeadline: () => deadline,
    }
  }
}

function rejectUnreadable(error: Error & { type?: string; status?: number }): never {
  if (error.type === 'entity.too.large' || error.status === 413) throw tooLarge()
  if (error.status === 415) throw new ProblemError(415, 'json-only', 'Please send JSON in UTF-8.')
  throw new ProblemError(400, 'invalid-json', 'The request is not valid JSON.')
}

const tooLarge = () => new ProblemError(413, 'too-large', 'This is more than can be sent at once.')
