import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import { collectStepTimes, type StepTimes } from '#runtime/step-times.ts'
import { ProblemError } from './problems.ts'
import type { Caller } from './session.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Assigns one id to everything that a request causes, and returns it in every response. The id is new, or the UUID that a
 * trusted proxy sent: ids end up in the record, so that strangers must not choose them.
 */
export const assignCorrelationId =
  (isBehindProxy: boolean): Middleware =>
  async (ctx, next) => {
    const given = isBehindProxy ? ctx.get('X-Correlation-Id') : ''
    const correlationId = uuid.test(given) ? given.toLowerCase() : randomUUID()
    ctx.state.correlationId = correlationId
    ctx.set('X-Correlation-Id', correlationId)
    await next()
  }

function isParsable(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string'
  } catch {
    return false
  }
}

/** Replaces a target that cannot be parsed, so that the request can be logged; `rejectInvalidRequest` then rejects it. */
export const replaceInvalidTarget: Middleware = async (ctx, next) => {
  ctx.state.hasInvalidTarget = !isParsable(ctx)
  if (ctx.state.hasInvalidTarget) ctx.req.url = '/'
  await next()
}

/**
 * Rejects a request with a target that cannot be parsed, one with an expectation that is not met, and one with several Host
 * headers: a proxy in front may have checked another of them than this application uses.
 */
export const rejectInvalidRequest: Middleware = async (ctx, next) => {
  if (ctx.state.hasInvalidTarget) throw new ProblemError(400, 'invalid-target', 'The address is not valid.')
  if (!['', '100-continue'].includes(ctx.get('Expect').toLowerCase()))
    throw new ProblemError(417, 'expectation-failed', 'The request expects something that Everchart does not offer.')
  if ((ctx.req.headersDistinct['host'] ?? []).length > 1)
    throw new ProblemError(400, 'invalid-host', 'The request names more than one host.')
  await next()
}

/** Returns the host of an address, without the default port of its protocol; undefined if it is not a host. */
function normalizeHost(protocol: string, host: string): string | undefined {
  const address = `${protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : undefined
}

/**
 * Rejects requests for another host than the public address: a page of another site whose name points here would otherwise
 * share its origin with Everchart (DNS rebinding). A proxy may replace Host and name the original one in X-Forwarded-Host.
 */
export function requireOwnHost(publicUrl: string, isBehindProxy: boolean): Middleware {
  const { protocol, host, origin } = new URL(publicUrl)
  return async (ctx, next) => {
    // Of several entries, the nearest proxy wrote the last one.
    const forwarded = isBehindProxy ? ctx.get('X-Forwarded-Host').split(',').at(-1)?.trim() : ''
    // A target in absolute form names the host too, and takes precedence over Host (RFC 9112, 3.2.2).
    const target = URL.canParse(ctx.url) ? new URL(ctx.url).host : host
    if (target !== host || normalizeHost(protocol, forwarded || ctx.get('Host')) !== host)
      throw new ProblemError(421, 'unknown-host', `Everchart is not served at this address. Please open ${origin}.`)
    await next()
  }
}

/** Requests that take longer are logged with the time of their steps. */
const defaultSlowMs = 1_000

/** Logs one line per request, with the route's pattern and the caller's ids: never the URL with its search terms, no cookie, no body. */
export const logRequests =
  (logger: Logger, slowMs = defaultSlowMs): Middleware =>
  async (ctx, next) => {
    const began = performance.now()
    const times: StepTimes = new Map()
    await collectStepTimes(times, next)
    const ms = Math.round((performance.now() - began) * 10) / 10
    const caller = ctx.state.caller as Caller | undefined
    logger.info(
      {
        correlationId: ctx.state.correlationId,
        method: ctx.method,
        route: (ctx.state.route as string | undefined) ?? (ctx.path.startsWith('/api/') ? '/api/?' : 'web'),
        status: ctx.status,
        ...(ctx.state.problemCode ? { code: ctx.state.problemCode as string } : {}),
        ...(caller ? { userId: caller.userId, practiceId: caller.practiceId } : {}),
        ms,
        ...(ms < slowMs
          ? {}
          : { steps: Object.fromEntries([...times].map(([step, each]) => [step, Math.round(each)])) }),
      },
      'request',
    )
  }

const writeMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Rejects cross-site request forgery: a write must come from pages of Everchart, at the public address if there is one.
 * Browsers always send the origin of a write; other programs send none and hold no cookie of another user.
 */
export const requireSameOrigin =
  (publicOrigin: string | undefined): Middleware =>
  async (ctx, next) => {
    const ownOrigin = publicOrigin ?? `${ctx.protocol}://${ctx.host}`
    ctx.state.origin = ownOrigin
    if (writeMethods.has(ctx.method)) {
      const origin = ctx.get('Origin')
      const site = ctx.get('Sec-Fetch-Site')
      const isOwn = origin === ownOrigin
      if (origin ? !isOwn : site !== '' && site !== 'same-origin' && site !== 'none')
        throw new ProblemError(403, 'foreign-origin', 'This request does not come from Everchart itself.')
    }
    await next()
  }

/**
 * Requires JSON for writes with a body, so that a form on another site cannot send one; `acceptsForm` names the exceptions.
 * Refuses compressed bodies: a few kilobytes can unpack to the largest body, which would have to be unpacked to find out.
 */
export const requireJson =
  (acceptsForm: (ctx: Context) => boolean): Middleware =>
  async (ctx, next) => {
    const hasBody = (ctx.request.length ?? 0) > 0 || ctx.get('Transfer-Encoding') !== ''
    if (writeMethods.has(ctx.method) && hasBody && !ctx.is('application/json') && !acceptsForm(ctx))
      throw new ProblemError(415, 'json-only', 'Please send JSON, with the content type application/json.')
    if (hasBody && !['', 'identity'].includes(ctx.get('Content-Encoding')))
      throw new ProblemError(415, 'compressed', 'Please send the body without compression.')
    await next()
  }
