import Router from '@koa/router'
import Koa from 'koa'
import compose from 'koa-compose'
import compress from 'koa-compress'
import helmet from 'koa-helmet'
import type { Logger } from 'pino'
import { health, type Health } from '#contracts/health.ts'
import { ProblemError, handleProblems } from './problems.ts'
import {
  assignCorrelationId,
  logRequests,
  rejectInvalidTarget,
  replaceInvalidTarget,
  requireJson,
  requireSameOrigin,
} from './request-middleware.ts'
import { serveWebApp } from './static.ts'
import { createStreamRegistry } from './stream-registry.ts'

export type AppOptions = {
  logger: Logger
  health: () => Promise<Health>
  /** The folder with the built web app. */
  webFolder: string
  /** The public address, if it differs from the listening address: `https://practice.example`. */
  publicUrl?: string
  /** True if a reverse proxy in front sets X-Forwarded-*. */
  trustProxy: boolean
  /** True if the payment step shows Stripe's card fields, which are loaded from Stripe. */
  usesStripeCardFields?: boolean
}

/** The HTTP application. It responds from the start; routes are mounted once their dependencies are running. */
export type App = {
  koa: Koa
  mountRoutes(parts: { session: (koa: Koa) => Koa.Middleware; routers: readonly Router[] }): void
  /** Closes open event streams, so that a stop does not wait for them. */
  closeStreams(): void
}

/** Error codes of a client that disconnected before the response ended, as with `/api/changes`. */
const disconnectCodes = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Bytes. Compressing shorter responses costs time and saves no round trip. */
const minCompressedBytes = 8 * 1024

/** Creates the HTTP application. Until `mountRoutes` is called, `/api` responds with 503 `starting`. */
export function createApp({
  logger,
  health: checkHealth,
  webFolder,
  publicUrl,
  trustProxy,
  usesStripeCardFields = false,
}: AppOptions): App {
  const koa = new Koa({ proxy: trustProxy })
  const streams = createStreamRegistry()
  koa.context['streams'] = streams
  const secure = publicUrl?.startsWith('https:') ?? false
  let api: Koa.Middleware = async () => {
    throw new ProblemError(503, 'starting', 'Everchart is starting. Please try again in a moment.', {
      headers: { 'Retry-After': '2' },
    })
  }
  koa.on('error', (error: Error & { code?: string }, ctx?: Koa.Context) => {
    // A client that disconnects or does not speak HTTP is not an error of this application.
    if (disconnectCodes.has(error.code ?? '') || error.code?.startsWith('HPE_')) return
    logger.error({ err: error, correlationId: ctx?.state.correlationId }, 'response failed')
  })

  koa
    .use(assignCorrelationId)
    .use(replaceInvalidTarget)
    .use(logRequests(logger))
    .use(securityHeaders(secure, usesStripeCardFields))
    .use(compress({ br: false, threshold: minCompressedBytes }))
    .use(handleProblems(logger))
    .use(rejectInvalidTarget)
  koa.use(async (ctx, next) => {
    if (ctx.path !== health.path || ctx.method !== 'GET') return next()
    const state = await checkHealth()
    ctx.state.route = health.path
    ctx.status = state.status === 'down' || state.status === 'starting' ? 503 : 200
    ctx.set('Cache-Control', 'no-store')
    ctx.body = state
  })
  koa.use(async (ctx, next) => (isApi(ctx.path) ? api(ctx, next) : next()))
  koa.use(serveWebApp(webFolder))

  return {
    koa,
    closeStreams: streams.closeAll,
    mountRoutes({ session, routers }) {
      const chain = [
        requireSameOrigin(publicUrl && new URL(publicUrl).origin),
        requireJson,
        session(koa),
        ...routers.map(withRoutePattern),
      ]
      api = compose([...chain, rejectNotFound])
    },
  }
}

const rejectNotFound: Koa.Middleware = async () => {
  throw new ProblemError(404, 'not-found', 'There is nothing here.')
}

const isApi = (path: string) => path === '/api' || path.startsWith('/api/')

/** Runs a router and stores the pattern of the matched route for the log. */
const withRoutePattern = (router: Router): Koa.Middleware => {
  const run = router.routes() as unknown as Koa.Middleware
  return async (ctx, next) => {
    await run(ctx, next)
    if (ctx._matchedRoute) ctx.state.route = ctx._matchedRoute
  }
}

/** Hosts that serve Stripe's card fields. */
const stripeCspSources = {
  scriptSrc: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frameSrc: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connectSrc: ['https://api.stripe.com'],
  imgSrc: ['https://*.stripe.com'],
}
const ownCspSources = { scriptSrc: [], frameSrc: [], connectSrc: [], imgSrc: [] }

/** Returns the middleware for security headers. Stripe's script is allowed on the payment step only. */
function securityHeaders(secure: boolean, usesStripeCardFields: boolean): Koa.Middleware {
  const ownOnly = createSecurityHeaders(secure, ownCspSources)
  if (!usesStripeCardFields) return ownOnly
  const withStripe = createSecurityHeaders(secure, stripeCspSources)
  return (ctx, next) => (isPaymentStep(ctx) ? withStripe(ctx, next) : ownOnly(ctx, next))
}

const isPaymentStep = ({ path, query }: Koa.Context) =>
  path.replace(/\/$/, '') === '/subscription' && query['step'] === 'payment'

const createSecurityHeaders = (
  secure: boolean,
  thirdParty: Record<keyof typeof ownCspSources, string[]>,
): Koa.Middleware =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...thirdParty.scriptSrc],
        // Fluent UI inserts its styles at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...thirdParty.imgSrc],
        connectSrc: ["'self'", ...thirdParty.connectSrc],
        ...(thirdParty.frameSrc.length > 0 ? { frameSrc: thirdParty.frameSrc } : {}),
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
