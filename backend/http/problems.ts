import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Problem } from '#contracts/problem.ts'
import { isDamaged } from '#database/damaged-pages.ts'
import { isDatabaseStarting, isDatabaseUnavailable, isStorageFull } from '#database/transient-errors.ts'
import { ConcurrencyError, CommandRejected, RetriesExhausted, AppendTooLarge } from '#eventstore/command-errors.ts'
import { UnsupportedEventVersion } from '#eventstore/event.ts'
import { StorageFull, StoreUnavailable } from '#eventstore/event-store.ts'
import { OutcomeUnknown } from '#eventstore/request-scope.ts'
import { KeyDestroyed } from '#encryption/key-store.ts'
import { sendNoticePage } from './notice-page.ts'

type FieldError = { path: string; message: string }
type Extra = { errors?: readonly FieldError[]; headers?: Record<string, string>; [member: string]: unknown }

/** A refusal or failure with its HTTP status. Thrown anywhere below a route and sent as problem+json. */
export class ProblemError extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Extra
  constructor(status: number, code: string, message: string, extra: Extra = {}) {
    super(message)
    this.status = status
    this.code = code
    this.extra = extra
  }
}

/** Returns the problem for a request that violates the contract: 422 with the invalid fields. */
export function invalidRequest(errors: readonly FieldError[]): ProblemError {
  const [first] = errors
  return new ProblemError(422, 'invalid-request', first ? first.message : 'The request is not valid', { errors })
}

/** Returns the 422 for one field. */
export const fieldError = (path: string, message: string): ProblemError => invalidRequest([{ path, message }])

/** Returns the 404 for a record that does not exist or belongs to another practice, named like "patient". */
export const notFound = (what: string): ProblemError => new ProblemError(404, 'not-found', `There is no such ${what}.`)

/** Converts zod issues to a 422 problem. Paths look like `medications.0.name`. */
export function invalidRequestFromZod(
  issues: readonly z.core.$ZodIssue[],
  within: readonly PropertyKey[] = [],
): ProblemError {
  return invalidRequest(
    issues.slice(0, 50).flatMap((issue) => {
      const path = [...within, ...issue.path].map(String).join('.').slice(0, 200)
      if (issue.code === 'unrecognized_keys')
        return issue.keys.slice(0, 20).map((key) => ({
          path: (path ? `${path}.${key}` : key).slice(0, 200),
          message: 'This field is not known',
        }))
      return [{ path, message: plainMessage(issue) }]
    }),
  )
}

/** Returns a message for users: zod's default messages, used where a contract has none, describe types. */
function plainMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return issue.input === undefined && issue.message.includes('undefined')
      ? 'This field is required'
      : 'Not a valid value'
  return /^(Invalid |Too (big|small): )/.test(issue.message) ? 'Not a valid value' : issue.message
}

const titles: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'Sign in first',
  402: 'Not in your plan',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible here',
  408: 'Too slow',
  409: 'Conflict',
  410: 'No longer here',
  413: 'Too large',
  415: 'Not accepted in this form',
  422: 'Please check the fields',
  429: 'Too many attempts',
  500: 'Something broke on our side',
  503: 'Not available right now',
  507: 'The disk is full',
}

/** Returns the 507 for a write that the full disk of the installation refused, or would refuse. */
export const storageFull = (): ProblemError =>
  new ProblemError(
    507,
    'storage-full',
    'This was not saved, because the disk of this installation is full. Everything can still be read. Please tell the person who looks after Everchart.',
    { headers: { 'Retry-After': '60' } },
  )

/** Returns the 503 for a request of which it is unknown whether it changed something. */
export const outcomeUnknown = (message: string): ProblemError =>
  new ProblemError(503, 'outcome-unknown', message, { headers: { 'Retry-After': '5' } })

/** Titles of refusals that the title of their status does not describe. */
const titlesByCode: Readonly<Record<string, string>> = {
  'card-declined': 'Payment declined',
  'link-expired': 'This link has expired',
}

/** Returns the problem that is sent for an error. Its text is true for a request that has written nothing. */
export function toProblemError(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (error instanceof CommandRejected) {
    const { rejected, message, path } = error.rejection
    return new ProblemError(409, rejected, message, { errors: path === undefined ? [] : [{ path, message }] })
  }
  if (error instanceof ConcurrencyError)
    return new ProblemError(409, 'changed-meanwhile', 'Someone else changed this in the meantime. Please review it.')
  if (error instanceof RetriesExhausted)
    return new ProblemError(409, 'busy', 'Several people are changing this right now. Please try again.')
  if (error instanceof AppendTooLarge) return new ProblemError(413, 'too-large', 'This is too much to save at once.')
  if (error instanceof KeyDestroyed) return new ProblemError(404, 'not-found', 'This patient was erased.')
  if (error instanceof OutcomeUnknown) return outcomeUnknown(error.message)
  if (error instanceof StorageFull || isStorageFull(error)) return storageFull()
  if (isDamaged(error))
    return new ProblemError(
      503,
      'store-damaged',
      'A part of the stored data is damaged and cannot be read. Please tell the person who looks after Everchart.',
    )
  const isDatabaseDown = isDatabaseUnavailable(error)
  // Events of a newer version cannot be handled by this instance; its health reports that too.
  if (isDatabaseDown || error instanceof StoreUnavailable || error instanceof UnsupportedEventVersion) {
    const what = isDatabaseDown ? 'Nothing can be read or saved' : 'Nothing can be saved'
    return new ProblemError(503, 'store-unavailable', `${what} right now. Please try again in a moment.`, {
      headers: { 'Retry-After': '5' },
    })
  }
  return new ProblemError(500, 'internal', 'Something broke on our side. Nothing was saved.')
}

/**
 * Returns the outermost middleware: sends every refusal and failure as problem+json, or as a page where a person without script
 * would see it, and logs bugs with their correlation id.
 */
export const handleProblems =
  (logger: Logger, expectsPage: (ctx: Context) => boolean = () => false): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const failure = toProblemError(error)
      // The rest of the body is read and dropped; otherwise the next request on this connection would fail.
      ctx.req.resume()
      // While PostgreSQL starts, every request says the same; the reason is in the log once, from its start.
      if (failure.status >= 500 && !isDatabaseStarting(error))
        logger.error({ err: error, correlationId: ctx.state.correlationId }, 'request failed')
      const { errors = [], headers = {}, ...members } = failure.extra
      const problem: Problem = {
        ...members,
        type: 'about:blank',
        title: titlesByCode[failure.code] ?? titles[failure.status] ?? 'Not possible',
        status: failure.status,
        code: failure.code,
        message: failure.message,
        errors: [...errors],
      }
      ctx.state.problemCode = failure.code
      ctx.status = failure.status
      ctx.set({ ...headers, 'Cache-Control': 'no-store' })
      if (expectsPage(ctx)) {
        const messages = new Set([problem.message, ...problem.errors.map(({ message }) => message)])
        return sendNoticePage(ctx, { title: problem.title, text: [...messages].join('. ') })
      }
      ctx.body = JSON.stringify(problem)
      ctx.type = 'application/problem+json'
    }
  }
