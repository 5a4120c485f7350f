import Router from '@koa/router'
import Koa from 'koa'
import compose from 'koa-compose'
import compress from 'koa-compress'
import helmet from 'koa-helmet'
import type { Logger } from 'pino'
import { health, type Health } from '#contracts/health.ts'
import { ProblemError, handleProblems } from './problems.ts'
import { assignCorrelationId, requireJson, logRequests, requireSameOrigin } from './request-middleware.ts'
import { serveWebApp } from './static.ts'
import { createStreamRegistry } from './stream-registry.ts'

export type AppOptions = {
  logger: Logger
  health: () => Promise<Health>
  /** The folder with the built web app. */
  webFolder: string
  /** Where people reach the app, when it is not where it listens: `https://practice.example`. */
  publicUrl?: string
  /** Whether a reverse proxy in front sets X-Forwarded-*. */
  trustProxy: boolean
  /** Whether the payment step shows Stripe's card fields, which come from Stripe itself. */
  usesStripeCardFields?: boolean
}

/** An app that answers from the first moment; its routes are plugged in once everything behind them is up. */
export type App = {
  koa: Koa
  mountRoutes(parts: { session: (koa: Koa) => Koa.Middleware; routers: readonly Router[] }): void
  /** Ends the answers that never end by themselves, so that a stop does not wait for them. */
  closeStreams(): void
}

/** How Node says that somebody closed their browser before an answer had ended, as those of `/api/changes` never do. */
const disconnectCodes = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Bytes. What is shorter reaches a browser in one go as it is; packing it only takes time. */
const minCompressedBytes = 8 * 1024

/** Builds the HTTP side. Until `open` is called, `/api` answers 503 `starting`. */
export function createApp({
  logger,
  health: look,
  webFolder,
  publicUrl,
  trustProxy,
  usesStripeCardFields: cardFieldsOfStripe = false,
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
    // Whoever went away in the middle of an answer, or never spoke HTTP, is no fault of ours.
    if (disconnectCodes.has(error.code ?? '') || error.code?.startsWith('HPE_')) return
    logger.error({ err: error, correlationId: ctx?.state.correlationId }, 'answer failed')
  })

  koa
    .use(assignCorrelationId)
    .use(logRequests(logger))
    .use(securityHeaders(secure, cardFieldsOfStripe))
    .use(compress({ br: false, threshold: minCompressedBytes }))
    .use(handleProblems(logger))
  koa.use(async (ctx, next) => {
    if (ctx.path !== health.path || ctx.method !== 'GET') return next()
    const state = await look()
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

/** Runs a router and notes the pattern of the route that matched, for the log. */
const withRoutePattern = (router: Router): Koa.Middleware => {
  const run = router.routes() as unknown as Koa.Middleware
  return async (ctx, next) => {
    await run(ctx, next)
    if (ctx._matchedRoute) ctx.state.route = ctx._matchedRoute
  }
}

/** Hosts that Stripe's card fields are made of. */
const stripeCspSources = {
  scriptSrc: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frameSrc: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connectSrc: ['https://api.stripe.com'],
  imgSrc: ['https://*.stripe.com'],
}
const ownCspSources = { scriptSrc: [], frameSrc: [], connectSrc: [], imgSrc: [] }

/** Security headers. Where a card is typed in, and there alone, Stripe's script may run beside ours. */
function securityHeaders(secure: boolean, cardFieldsOfStripe: boolean): Koa.Middleware {
  const everywhere = createSecurityHeaders(secure, ownCspSources)
  if (!cardFieldsOfStripe) return everywhere
  const whereOnePays = createSecurityHeaders(secure, stripeCspSources)
  return (ctx, next) => (isPaymentStep(ctx) ? whereOnePays(ctx, next) : everywhere(ctx, next))
}

const isPaymentStep = ({ path, query }: Koa.Context) =>
  path.replace(/\/$/, '') === '/subscription' && query['step'] === 'payment'

const createSecurityHeaders = (secure: boolean, guests: Record<keyof typeof ownCspSources, string[]>): Koa.Middleware =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...guests.scriptSrc],
        // Fluent UI writes its styles into the page while it runs.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', ...guests.imgSrc],
        connectSrc: ["'self'", ...guests.connectSrc],
        ...(guests.frameSrc.length > 0 ? { frameSrc: guests.frameSrc } : {}),
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
