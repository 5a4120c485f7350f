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

/** The request context of a handler, beside its parsed input. */
export type RequestContext = {
  correlationId: string
  /** The client's address; stored only as a keyed hash. */
  clientAddress: string
  /** The context of the commands that the caller causes. */
  commandContext: CommandContext
  setHeader(name: string, value: string): void
  /** Creates a new session for the client and ends its previous one. */
  signIn(userId: string, sessionId: string): Promise<void>
  signOut(): void
}

type Handler<E extends Endpoint> = (
  request: Request<E> & { caller: CallerOf<E> },
  exchange: RequestContext,
) => Promise<Reply<E>>

const defaultMaxBodyBytes = 1024 * 1024
/** One limiter per process, because the requests share its memory. */
const limitLargeRequests = createLargeRequestLimiter()

/** Serves a contract: checks access, parses the request, and sends a reply that conforms to the contract. */
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
    // Checked before the body is read: a caller without access cannot make the server read 40 MB.
    const caller = authorize(access, ctx.state.caller as Caller | undefined)
    const readBody = async () => {
      // The client may have disconnected while queued; reading would then never end.
      if (ctx.req.destroyed) throw new ProblemError(400, 'gone', 'The request was aborted.')
      await read(ctx, async () => undefined)
    }
    const handle = async () => {
      const request = {
        ...parsePart('params', params, ctx.params),
        ...parsePart('query', query, ctx.query),
        ...parsePart('body', body, ctx.request.body),
        caller,
      }
      return await handler(request as Parameters<Handler<E>>[0], createRequestContext(ctx, caller))
    }
    if (body && (ctx.request.length ?? 0) > limit) throw tooLarge()
    const isLarge = body !== undefined && limit > defaultMaxBodyBytes && mayBeLarge(ctx)
    if (body && !isLarge) await readBody()
    const result = isLarge
      ? await limitLargeRequests(caller?.practiceId ?? caller?.userId ?? 'anonymous', readBody, handle)
      : await handle()
    // By default, replies are specific to the caller and the moment.
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
    if (result === null) {
      ctx.status = 204
      return
    }
    ctx.status = status ?? 200
    ctx.body = reply.parse(result)
  })
}

/** Returns whether a body may be large: without a length or compressed, it can reach its limit. */
const mayBeLarge = ({ request }: Koa.Context) =>
  (request.length ?? Infinity) > defaultMaxBodyBytes || request.get('Content-Encoding') !== ''

/** Parses one part of the request. Field errors carry the path within the part (`email`), as forms need it. */
function parsePart(part: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return {}
  const result = schema.safeParse(value)
  if (result.success) return { [part]: result.data }
  // An invalid id gets the same reply as an id of another practice.
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
      actor: caller
        ? { kind: 'user', userId: caller.userId, role: caller.role }
        : { kind: 'process', name: 'anonymous' },
      correlationId,
    },
    setHeader: (name, value) => ctx.set(name, value),
    async signIn(userId, sessionId) {
      const session = ctx.session as unknown as { userId?: string; sessionId?: string; regenerate(): Promise<void> }
      session.userId = userId
      session.sessionId = sessionId
      // A new secret at every sign-in prevents session fixation.
      await session.regenerate()
    },
    signOut() {
      ctx.session = null
    },
  }
}
