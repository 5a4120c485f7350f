import type Router from '@koa/router'
import { bodyParser } from '@koa/bodyparser'
import type Koa from 'koa'
import type { z } from 'zod'
import { type Endpoint, mayWrite, type Reply, type Request } from '#contracts/endpoint.ts'
import { hasPermission, type Permission } from '#contracts/values/roles.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { authorize } from './access.ts'
import { readWithTimeout } from './body-timeout.ts'
import { createLargeRequestLimiter } from './large-request-limiter.ts'
import { type Deadline, startDeadline } from '#runtime/deadline.ts'
import { parsePart } from './parse-part.ts'
import { ProblemError, storageFull } from './problems.ts'
import { declareReadAhead } from './read-ahead.ts'
import type { RunWrite } from './run-write.ts'
import { type Caller, cookieName, type Member } from './session.ts'
import { writeShared } from './shared-replies.ts'
import type { WriteQuotas } from './write-quotas.ts'

type CallerOf<E extends Endpoint> = E['access'] extends 'public'
  ? Caller | undefined
  : E['access'] extends 'signed-in'
    ? Caller
    : Member

/** The part of Koa's context that the application sets. */
type WriteGate = { refusesWrites(): boolean }

/** The request context of a handler, beside its parsed input. */
export type RequestContext = {
  correlationId: string
  /** True for a HEAD request, which only asks whether GET would succeed. */
  isHead: boolean
  /** The client's address; stored only as a keyed hash. */
  clientAddress: string
  /** The origin under which the client opens Everchart, such as "https://practice.example". */
  origin: string
  /** The context of the commands that the caller causes. */
  commandContext: CommandContext
  setHeader(name: string, value: string): void
  /** Returns a signed cookie of this browser that outlives its sessions; undefined if there is none. */
  getCookie(name: string): string | undefined
  /** Keeps a value in a signed cookie of this browser, by default for a year. */
  setCookie(name: string, value: string, maxAgeMs?: number): void
  /**
   * Creates a new session for the client and ends its previous one. It works as long as the password has the version with which
   * the user signed in; that of a new account is 0.
   */
  signIn(userId: string, sessionId: string, credentialVersion?: number): Promise<void>
  /** Ends the session of the client. */
  signOut(): Promise<void>
}

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

const defaultCookieMaxAgeMs = 365 * 24 * 3_600_000
const defaultMaxBodyBytes = 1024 * 1024
/** Milliseconds after which a caller is looked up again, because the body took so long. */
const maxReadMs = 1_000
/** A large upload is parsed and stored before it is answered: its deadline begins when it has arrived, and is longer. */
const largeDeadlineFactor = 12
/** One limiter per process, because the requests share its memory. */
const limitLargeRequests = createLargeRequestLimiter()

/** Serves a contract: checks access, parses the request, and sends a reply that conforms to the contract. */
export function serve<const E extends Endpoint, Ahead = never>(
  router: Router,
  endpoint: E,
  handler: Handler<E, Ahead>,
  options: ServeOptions<E, Ahead> = {},
): void {
  const { body, access, params, query, reply, status, contentType } = endpoint as Endpoint
  const limit = endpoint.bodyLimit ?? defaultMaxBodyBytes
  const read = bodyParser({
    enableTypes: ['json'],
    jsonLimit: limit,
    jsonStrict: false,
    encoding: 'utf-8',
    onError: rejectUnreadableBody,
  })

  const middleware: Koa.Middleware = async (ctx) => {
    // Checked before the body is read: a caller without access cannot make the server read 40 MB.
    const firstCaller = authorize(endpoint, ctx.state.caller as Caller | undefined)
    // Signing in and out are public: they go on as long as there is any room, so that everything can still be read.
    if (ctx.method !== 'GET' && access !== 'public' && (ctx as unknown as WriteGate).refusesWrites())
      throw storageFull()
    let deadline = ctx.state.deadline as Deadline
    const isLarge = body !== undefined && limit > defaultMaxBodyBytes && mayBeLarge(ctx)
    let hasReadSlowly = false
    const readBody = async () => {
      // The client may have disconnected while queued; reading would then never end.
      if (ctx.req.destroyed) throw new ProblemError(400, 'gone', 'The request was aborted.')
      const startedAt = performance.now()
      await deadline.pause(() => readWithTimeout(ctx, () => read(ctx, async () => undefined)))
      hasReadSlowly = performance.now() - startedAt > maxReadMs
      if (isLarge) deadline = startDeadline(deadline.limitMs * largeDeadlineFactor)
    }
    const handle = async () => {
      // A member may have been suspended while a body arrived.
      const caller = hasReadSlowly ? await authorizeAgain(ctx, endpoint) : firstCaller
      const request = {
        ...parsePart('params', params, ctx.params),
        ...parsePart('query', query, ctx.query),
        ...parsePart('body', body, ctx.request.body),
        caller,
      }
      const ahead = ctx.state.ahead as Promise<Ahead> | undefined
      return await handler(request as Parameters<Handler<E, Ahead>>[0], createRequestContext(ctx, caller), ahead)
    }
    // Signing out must always be possible.
    const isCounted = endpoint.method !== 'GET' && access !== 'public'
    const quotas = !isCounted ? undefined : (ctx as unknown as { quotas?: WriteQuotas }).quotas
    if (firstCaller) await quotas?.check(firstCaller, endpoint)
    if (body && (ctx.request.length ?? 0) > limit) throw tooLarge()
    const may = (permission: Permission) => firstCaller !== undefined && hasPermission(firstCaller, permission)
    const toReply = (result: unknown) => {
      if (result === null) return null
      const whole = reply.parse(result)
      return endpoint.withhold ? endpoint.withhold(whole, may) : whole
    }
    /** Returns the reply as the contract promises it; as JSON if it is shared, or the request may write. */
    const run = async () => {
      if (!mayWrite(endpoint)) {
        const result = await handle()
        const reader = `${endpoint.path} ${firstCaller?.role} ${firstCaller?.isOwner}`
        return writeShared(result, reader, () => JSON.stringify(toReply(result))) ?? toReply(result)
      }
      const runWrite = ctx.state.runWrite as RunWrite
      const request = toWriteRequest(ctx, endpoint, firstCaller, deadline)
      const result = await runWrite(request, async () => JSON.stringify(toReply(await handle())))
      if (result.isReplayed) ctx.set('Idempotency-Replayed', 'true')
      if (result.reply === 'null') return null
      ctx.type = 'json'
      return result.reply
    }
    if (body && !isLarge) await readBody()
    const running = isLarge
      ? limitLargeRequests(firstCaller?.practiceId ?? firstCaller?.userId ?? 'anonymous', ctx.req, readBody, run)
      : run()
    const result = await running.catch((error: unknown) => {
      // The handler may still run after a time-out, and must not begin a session of which the client knows nothing.
      ctx.state.hasFailed = true
      throw error
    })
    if (firstCaller) quotas?.recordBytes(firstCaller, Buffer.byteLength(ctx.request.rawBody ?? ''))
    // By default, replies are specific to the caller and the moment.
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store')
    if (result === null) {
      ctx.status = 204
      return
    }
    ctx.status = endpoint.statusOf?.(result) ?? status ?? 200
    if (contentType !== undefined) {
      ctx.type = contentType
      ctx.body = result
      return
    }
    // Written once here: Koa would write an object twice, to find its length and to send it.
    ctx.type = 'json'
    ctx.body = typeof result === 'string' || Buffer.isBuffer(result) ? result : JSON.stringify(result)
  }
  router.register(endpoint.path, [endpoint.method], middleware as Parameters<Router['register']>[2])
  const { readAhead } = options
  if (readAhead)
    declareReadAhead(middleware, (given) => {
      const parsed = params?.safeParse(given)
      return parsed?.success ? readAhead(parsed.data as ParamsOf<E>) : undefined
    })
}

/** Finds the caller again, and throws like `authorize` if the endpoint is no longer open to them. */
async function authorizeAgain(ctx: Koa.Context, endpoint: Endpoint): Promise<Caller | undefined> {
  const findCallerAgain = ctx.state.findCallerAgain as (() => Promise<Caller | null>) | undefined
  return authorize(endpoint, (await findCallerAgain?.()) ?? undefined)
}

/** Returns the part of a request that decides whether it may run again. */
function toWriteRequest(ctx: Koa.Context, endpoint: Endpoint, caller: Caller | undefined, deadline: Deadline) {
  const key = parseIdempotencyKey(ctx.get('Idempotency-Key'))
  const isPublic = endpoint.access === 'public'
  const sender = isPublic ? 'anonymous' : caller?.userId
  // Those of a practice stay in it, also when the sender moves to another one. Setting one up begins without.
  const practice = isPublic || endpoint.access === 'signed-in' ? '' : ` ${caller?.practiceId}`
  const keyed = key !== null && {
    key,
    scope: `${sender}${practice} ${endpoint.method} ${endpoint.path}`,
    // The text, because a deeply nested value overflows the stack when it is written again.
    content: JSON.stringify([ctx.params, ctx.query, ctx.request.rawBody ?? null]),
  }
  return { keyed: keyed || null, isReplyKept: !isPublic && !endpoint.isSecret, deadline }
}

/** Parses the header of the IETF draft: a string in quotes, or as many clients send it, without. Null without the header. */
function parseIdempotencyKey(header: string): string | null {
  if (header === '') return null
  const [, key] = /^"?([\x21\x23-\x7e]{1,255})"?$/.exec(header) ?? []
  if (key !== undefined) return key
  throw new ProblemError(400, 'invalid-idempotency-key', 'The idempotency key is not valid.', {
    errors: [{ path: 'Idempotency-Key', message: 'Please send 1 to 255 visible characters, such as a UUID' }],
  })
}

/** Returns whether a body may be large: without a length, it can reach its limit. */
const mayBeLarge = ({ request }: Koa.Context) => (request.length ?? Infinity) > defaultMaxBodyBytes

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
    isHead: ctx.method === 'HEAD',
    clientAddress: ctx.ip,
    origin: ctx.state.origin as string,
    commandContext: {
      practiceId: caller?.practiceId ?? null,
      actor: caller
        ? { kind: 'user', userId: caller.userId, role: caller.role }
        : { kind: 'process', name: 'anonymous' },
      correlationId,
    },
    setHeader: (name, value) => ctx.set(name, value),
    getCookie: (name) => ctx.cookies.get(cookieName(name, ctx.cookies.secure), { signed: true }),
    setCookie: (name, value, maxAgeMs = defaultCookieMaxAgeMs) =>
      void ctx.cookies.set(cookieName(name, ctx.cookies.secure), value, {
        signed: true,
        httpOnly: true,
        sameSite: 'strict',
        maxAge: maxAgeMs,
      }),
    async signIn(userId, sessionId, credentialVersion = 0) {
      if (ctx.state.hasFailed) throw new Error('The request was answered before its session began')
      const session = ctx.session as unknown as object & { regenerate(): Promise<void> }
      Object.assign(session, { userId, sessionId, credentialVersion })
      // A new secret at every sign-in prevents session fixation.
      await session.regenerate()
    },
    async signOut() {
      const session = ctx.session as unknown as { manuallyCommit(): Promise<void> }
      ctx.session = null
      await session.manuallyCommit()
      // Not "cookies": those of a known device must stay, and the session's own is expired by itself.
      ctx.set('Clear-Site-Data', '"cache", "storage"')
    },
  }
}
