import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import { ProblemError } from './problems.ts'

/** Assigns one id to everything that a request causes: the caller's UUID, else a new one; returned in every response. */
export const assignCorrelationId: Middleware = async (ctx, next) => {
  const given = ctx.get('X-Correlation-Id')
  const correlationId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given) ? given.toLowerCase() : randomUUID()
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

/** Replaces a target that cannot be parsed, so that the request can be logged; `rejectInvalidTarget` then rejects it. */
export const replaceInvalidTarget: Middleware = async (ctx, next) => {
  ctx.state.hasInvalidTarget = !isParsable(ctx)
  if (ctx.state.hasInvalidTarget) ctx.req.url = '/'
  await next()
}

/**
 * Rejects a request with a target that cannot be parsed, and one with several Host headers: a proxy in front may have checked
 * another of them than this application uses.
 */
export const rejectInvalidTarget: Middleware = async (ctx, next) => {
  if (ctx.state.hasInvalidTarget) throw new ProblemError(400, 'invalid-target', 'The address is not valid.')
  if ((ctx.req.headersDistinct['host'] ?? []).length > 1)
    throw new ProblemError(400, 'invalid-host', 'The request names more than one host.')
  await next()
}

/** Logs one line per request, with the route's pattern: never the URL with its ids and search terms, no cookie, no body. */
export const logRequests =
  (logger: Logger): Middleware =>
  async (ctx, next) => {
    const began = performance.now()
    await next()
    logger.info(
      {
        correlationId: ctx.state.correlationId,
        method: ctx.method,
        route: (ctx.state.route as string | undefined) ?? (ctx.path.startsWith('/api/') ? '/api/?' : 'web'),
        status: ctx.status,
        ms: Math.round((performance.now() - began) * 10) / 10,
      },
      'request',
    )
  }

const writeMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Rejects cross-site request forgery: a write must come from pages of Everchart. Browsers always send the origin of a write; other
 * programs send none and hold no cookie of another user.
 */
export const requireSameOrigin =
  (publicOrigin: string | undefined): Middleware =>
  async (ctx, next) => {
    if (writeMethods.has(ctx.method)) {
      const origin = ctx.get('Origin')
      const site = ctx.get('Sec-Fetch-Site')
      const own = origin === `${ctx.protocol}://${ctx.host}` || (publicOrigin !== undefined && origin === publicOrigin)
      if (origin ? !own : site !== '' && site !== 'same-origin' && site !== 'none')
        throw new ProblemError(403, 'foreign-origin', 'This request does not come from Everchart itself.')
    }
    await next()
  }

/** Requires JSON for writes with a body, so that a form on another site cannot send one. */
export const requireJson: Middleware = async (ctx, next) => {
  const hasBody = (ctx.request.length ?? 0) > 0 || ctx.get('Transfer-Encoding') !== ''
  if (writeMethods.has(ctx.method) && hasBody && !ctx.is('application/json'))
    throw new ProblemError(415, 'json-only', 'Please send JSON, with the content type application/json.')
  await next()
}
