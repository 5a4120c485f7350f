import type Router from '@koa/router'
import { bodyParser } from '@koa/bodyparser'
import type Koa from 'koa'
import type { z } from 'zod'
import type { Endpoint, Reply, Request } from '#contracts/endpoint.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { authorize } from './access.ts'
import { createLargeRequestLimiter } from './large-request-limiter.ts'
import { invalidRequestFromZod, ProblemError } from './problems.ts'
import type { Caller, Member } from './session.ts'

type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? Caller | undefined
  : E['access'] extends 'signed-in'
    ? Caller
    : Member

/** What a handler may know and do beside its parsed input. */
export type RequestContext = {
  correlationId: string
  /** The client's address; only ever stored as a keyed hash. */
  clientAddress: string
  /** In whose name the caller's commands are given. */
  commandContext: CommandContext
  setHeader(name: string, value: string): void
  /** Gives the client a new session; the one it had before is gone. */
  signIn(userId: string, sessionId: string): Promise<void>
  signOut(): void
}

type Handler<E extends Endpoint> = (
  request: Request<E> & { caller: CallerOf<E> },
  exchange: RequestContext,
) => Promise<Reply<E>>

const defaultMaxBodyBytes = 1024 * 1024
/** The memory they share is that of the process. */
const limitLargeRequests = createLargeRequestLimiter()

/** Serves one contract: checks access, parses what came in, answers with what the contract promises. */
export function serve<const E extends Endpoint>(router: Router, endpoint: E, handler: Handler<E>): void {
  const { body, access, params, query, reply, status } = endpoint as Endpoint
  const limit = endpoint.bodyLimit ?? defaultMaxBodyBytes
  const read = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limit,
    jsonStrict: false,
    encoding: 'utf-8',
    onError: rejectUnreadableBody,
  })

  router.register(endpoint.path, [endpoint.method], async (ctx) => {
    // Before the body is read: nobody without access makes us take in 40 MB.
    const caller = authorize(access, ctx.state.caller as Caller | undefined)
    const readBody = async () => {
      // Whoever waited for their turn may be gone: there would never be an end to read to.
      if (ctx.req.destroyed) throw new ProblemError(400, 'gone', 'The request was cut off.')
      await read(ctx, async () => undefined)
    }
    const answered = async () => {
      const request = {
        ...parsePart('params', params, ctx.params),
        ...parsePart('query', query, ctx.query),
        ...parsePart('body', body, ctx.request.body),
        caller,
      }
      return await handler(request as Parameters<Handler<E>>[0], createRequestContext(ctx, caller))
    }
    if (body && (ctx.request.length ?? 0) > limit) throw tooLarge()
    const large = body !== undefined && limit > defaultMaxBodyBytes && mayBeLarge(ctx)
    if (body && !large) await readBody()
    const answer = large
      ? await limitLargeRequests(caller?.practiceId ?? caller?.userId ?? 'visitors', readBody, answered)
      : await answered()
    if (answer === null) {
      ctx.status = 204
      return
    }
    ctx.status = status ?? 200
    // Unless the handler says otherwise: answers are of this moment, and of this person.
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
    ctx.body = reply.parse(answer)
  })
}

/** Without a length, and packed, a body may be as large as its limit. */
const mayBeLarge = ({ request }: Koa.Context) =>
  (request.length ?? Infinity) > defaultMaxBodyBytes || request.get('Content-Encoding') !== ''

/** Field errors carry the path in the body alone (`email`), as forms need it. */
function parsePart(part: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return {}
  const result = schema.safeParse(value)
  if (result.success) return { [part]: result.data }
  // An id that cannot be one names nothing: the same answer as for an id of somebody else.
  if (part === 'params') throw new ProblemError(404, 'not-found', 'There is nothing here.')
  throw invalidRequestFromZod(result.error.issues)
}

function rejectUnreadableBody(error: Error & { type?: string; status?: number }): never {
  if (error.type === 'entity.too.large' || error.status === 413) throw tooLarge()
  if (error.status === 415) throw new ProblemError(415, 'json-only', 'Please send JSON in UTF-8.')
  throw new ProblemError(400, 'invalid-json', 'The request is not valid JSON.')
}

const tooLarge = () => new ProblemError(413, 'too-large', 'This is more than can be sent at once.')

function createRequestContext(ctx: Koa.Context, caller: Caller | undefined): RequestContext {
  const correlationId = ctx.state.correlationId as string
  return {
    correlationId,
    clientAddress: ctx.ip,
    commandContext: {
      practiceId: caller?.practiceId ?? null,
      actor: caller ? { kind: 'user', userId: caller.userId, role: caller.role } : { kind: 'process', name: 'visitor' },
      correlationId,
    },
    setHeader: (name, value) => ctx.set(name, value),
    async signIn(userId, sessionId) {
      const session = ctx.session as unknown as { userId?: string; sessionId?: string; regenerate(): Promise<void> }
      session.userId = userId
      session.sessionId = sessionId
      // A new secret at every sign-in: one that was planted before is worth nothing.
      await session.regenerate()
    },
    signOut() {
      ctx.session = null
    },
  }
}
