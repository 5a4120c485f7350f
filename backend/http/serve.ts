import type Router from '@koa/router'
import type Koa from 'koa'
import type { z } from 'zod'
import { type Endpoint, mayWrite, type Reply, type Request } from '#contracts/endpoint.ts'
import { hasPermission, type Permission } from '#contracts/values/roles.ts'
import type { Deadline } from '#runtime/deadline.ts'
import { admit, admitAgain, recordBytes } from './admit.ts'
import { createBodyOpener, type IncomingBody } from './incoming-body.ts'
import { createLargeRequestLimiter } from './large-request-limiter.ts'
import { parsePart } from './parse-part.ts'
import { declareReadAhead } from './read-ahead.ts'
import { createRequestContext, type RequestContext } from './request-context.ts'
import type { RunWrite } from './run-write.ts'
import type { Caller, Member } from './session.ts'
import { writeShared } from './shared-replies.ts'
import { toWriteRequest } from './write-request.ts'

type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? Caller | undefined
  : E['access'] extends 'signed-in'
    ? Caller
    : Member

/** `ahead` is what the route reads ahead, if it was read. */
type Handler<E extends Endpoint, Ahead> = (
  request: Request<E> & { caller: CallerOf<E> },
  exchange: RequestContext,
  ahead: Promise<Ahead> | undefined,
) => Promise<Reply<E>>

type ServeOptions<E extends Endpoint, Ahead> = {
  /** Reads for the handler while the caller is identified: something that does not depend on the caller. */
  readAhead?: (params: ParamsOf<E>) => Promise<Ahead>
}

type ParamsOf<E extends Endpoint> = E['params'] extends z.ZodType ? z.output<E['params']> : never

/** One limiter per process, because the requests share its memory. */
const limitLargeRequests = createLargeRequestLimiter()

/** Serves a contract: checks access, parses the request, and sends a reply that conforms to the contract. */
export function serve<const E extends Endpoint, Ahead = never>(
  router: Router,
  endpoint: E,
  handler: Handler<E, Ahead>,
  { readAhead }: ServeOptions<E, Ahead> = {},
): void {
  const { body: bodySchema, params, query } = endpoint as Endpoint
  const openBody = bodySchema && createBodyOpener(endpoint)

  async function handle(ctx: Koa.Context, admitted: Caller | undefined, body: IncomingBody | undefined) {
    // A member may have been suspended while a body arrived.
    const caller = body?.wasSlow() ? await admitAgain(ctx, endpoint) : admitted
    const request = {
      ...parsePart('params', params, ctx.params),
      ...parsePart('query', query, ctx.query),
      ...parsePart('body', bodySchema, ctx.request.body),
      caller,
    }
    const ahead = ctx.state.ahead as Promise<Ahead> | undefined
    return await handler(request as Parameters<Handler<E, Ahead>>[0], createRequestContext(ctx, caller), ahead)
  }

  /** Returns the reply as the contract promises it; as JSON if it is shared, or the request may write. */
  async function reply(ctx: Koa.Context, caller: Caller | undefined, body: IncomingBody | undefined): Promise<unknown> {
    if (!mayWrite(endpoint)) {
      const result = await handle(ctx, caller, body)
      const reader = `${endpoint.path} ${caller?.role} ${caller?.isOwner}`
      const conform = () => toReply(endpoint, caller, result)
      return writeShared(result, reader, () => JSON.stringify(conform())) ?? conform()
    }
    const runWrite = ctx.state.runWrite as RunWrite
    const request = toWriteRequest(ctx, endpoint, caller, body?.getDeadline() ?? (ctx.state.deadline as Deadline))
    const written = await runWrite(request, async () =>
      JSON.stringify(toReply(endpoint, caller, await handle(ctx, caller, body))),
    )
    if (written.isReplayed) ctx.set('Idempotency-Replayed', 'true')
    return written.reply === 'null' ? null : written.reply
  }

  const middleware: Koa.Middleware = async (ctx) => {
    const caller = await admit(ctx, endpoint)
    const body = openBody?.(ctx)
    if (body && !body.isLarge) await body.read()
    const sender = caller?.practiceId ?? caller?.userId ?? 'anonymous'
    const running = body?.isLarge
      ? limitLargeRequests(sender, ctx.req, body.read, () => reply(ctx, caller, body))
      : reply(ctx, caller, body)
    const result = await running.catch((error: unknown) => {
      // The handler may still run after a time-out, and must not begin a session of which the client knows nothing.
      ctx.state.hasFailed = true
      throw error
    })
    recordBytes(ctx, endpoint, caller)
    send(ctx, endpoint, result)
  }

  router.register(endpoint.path, [endpoint.method], middleware as Parameters<Router['register']>[2])
  if (readAhead)
    declareReadAhead(middleware, (given) => {
      const parsed = params?.safeParse(given)
      return parsed?.success ? readAhead(parsed.data as ParamsOf<E>) : undefined
    })
}

/** Returns the result of a handler as the contract promises it, without what is withheld from the caller. Null stays null. */
function toReply({ reply, withhold }: Endpoint, caller: Caller | undefined, result: unknown): unknown {
  if (result === null) return null
  const whole = reply.parse(result)
  if (!withhold) return whole
  return withhold(whole, (permission: Permission) => caller !== undefined && hasPermission(caller, permission))
}

/** Sends a reply; null as 204. Text is JSON, unless the endpoint has a content type of its own. */
function send(ctx: Koa.Context, { statusOf, status = 200, contentType }: Endpoint, result: unknown): void {
  // By default, replies are specific to the caller and the moment.
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
  if (result === null) {
    ctx.status = 204
    return
  }
  ctx.status = statusOf?.(result) ?? status
  ctx.type = contentType ?? 'json'
  // Written once here: Koa would write an object twice, to find its length and to send it.
  const isWritten = contentType !== undefined || typeof result === 'string' || Buffer.isBuffer(result)
  ctx.body = isWritten ? result : JSON.stringify(result)
}
