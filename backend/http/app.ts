import type Router from '@koa/router'
import Koa from 'koa'
import compose from 'koa-compose'
import compress from 'koa-compress'
import helmet from 'koa-helmet'
import type { Logger } from 'pino'
import { health, type HealthReport } from '#contracts/health.ts'
import { subscribeToNewsletter } from '#contracts/newsletter.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { startDeadline } from '#runtime/deadline.ts'
import { createApiDocsRouter } from './api-docs/routes.ts'
import { ProblemError, handleProblems } from './problems.ts'
import { mergeRouters } from './merge-routers.ts'
import {
  assignCorrelationId,
  logRequests,
  rejectInvalidRequest,
  replaceInvalidTarget,
  requireJson,
  requireOwnHost,
  requireSameOrigin,
} from './request-middleware.ts'
import { readAhead } from './read-ahead.ts'
import { type Refusal, reportRefusals } from './refusals.ts'
import type { RunWrite } from './run-write.ts'
import { type Caller, cookieName, sessionCookieName } from './session.ts'
import { loadSite } from './site.ts'
import { serveWebApp } from './static.ts'
import { createStreamRegistry } from './stream-registry.ts'
import { createSupportRouter } from './support.ts'
import type { WriteQuotas } from './write-quotas.ts'

export type AppOptions = {
  logger: Logger
  health: () => Promise<HealthReport>
  /** The folder with the built web app. */
  webFolder: string
  /** The public address, if it differs from the listening address: `https://practice.example`. */
  publicUrl?: string
  /** The number of reverse proxies in front that add to X-Forwarded-For; 0: the headers X-Forwarded-* are ignored. */
  trustedProxies: number
  /** True if all subdomains of the public address are served over TLS too: HSTS then includes them. */
  hasSecureSubdomains?: boolean
  /** True if the payment step shows Stripe's card fields, which are loaded from Stripe. */
  usesStripeCardFields?: boolean
  /** The operator's e-mail address, for links of the public pages. */
  contactEmail?: string | undefined
  /** The contact for security problems, a URI such as `mailto:security@practice.example`. */
  securityContact?: string | undefined
  /** True if visitors of the first page see the sample practice instead of the landing page. */
  isDemo?: boolean
  /** A request whose body stops for this long is refused with 408; 15 seconds by default. */
  bodyTimeoutMs?: number
}

type RouteParts = {
  session: (koa: Koa) => Koa.Middleware
  /** Milliseconds in which a request that may write is answered; see `Timeouts`. */
  requestMs: number
  runWrite: RunWrite
  routers: readonly Router[]
  /** Returns whether the disk has no room for writes. */
  refusesWrites?: () => boolean
  /** Quotas of the practices; without them, they may write without limit. */
  quotas?: WriteQuotas
  /** Called for every refused request; must neither wait nor throw. */
  onRefusal?: (refusal: Refusal) => void
}

/** The HTTP application. It responds from the start; routes are mounted once their dependencies are running. */
export type App = {
  koa: Koa
  mountRoutes(parts: RouteParts): void
  /** Checks at once whether the event streams of a user, or all of them, may still be read, and ends those that may not. */
  verifyStreams(userId?: string): void
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
  trustedProxies,
  hasSecureSubdomains = false,
  usesStripeCardFields = false,
  contactEmail,
  securityContact,
  isDemo,
  bodyTimeoutMs = 15_000,
}: AppOptions): App {
  const isBehindProxy = trustedProxies > 0
  // Each proxy appends the address that it was called from: entries further left may be forged.
  const koa = new Koa({ proxy: isBehindProxy, maxIpsCount: trustedProxies })
  const streams = createStreamRegistry()
  koa.context['streams'] = streams
  koa.context['bodyTimeoutMs'] = bodyTimeoutMs
  const secure = publicUrl?.startsWith('https:') ?? false
  const publicOrigin = publicUrl && new URL(publicUrl).origin
  const sessionCookie = cookieName(sessionCookieName, secure)
  const site = loadSite({
    webFolder,
    publicUrl: publicOrigin,
    contactEmail,
    securityContact,
    isDemo,
    hasSession: (ctx) => ctx.cookies.get(sessionCookie, { signed: false }) !== undefined,
  })
  let reportRefusal: (refusal: Refusal) => void = () => undefined
  let api: Koa.Middleware = async () => {
    throw new ProblemError(503, 'starting', 'Everchart is starting. Please try again in a moment.', {
      headers: { 'Retry-After': '2' },
    })
  }
  let identifyCaller: Koa.Middleware = async () => undefined
  koa.on('error', (error: Error & { code?: string }, ctx?: Koa.Context) => {
    // A client that disconnects or does not speak HTTP is not an error of this application.
    if (disconnectCodes.has(error.code ?? '') || error.code?.startsWith('HPE_')) return
    logger.error({ err: error, correlationId: ctx?.state.correlationId }, 'response failed')
  })

  koa
    .use(assignCorrelationId(isBehindProxy))
    .use(replaceInvalidTarget)
    .use(logRequests(logger))
    .use(securityHeaders({ secure, hasSecureSubdomains, usesStripeCardFields }))
    .use(hideSecretPaths)
    .use(skipUnacceptableCompression)
    // Brotli takes longer than it saves here, and Node's zstd is experimental.
    .use(compress({ br: false, zstd: false, threshold: minCompressedBytes }))
    .use(reportRefusals((refusal) => reportRefusal(refusal)))
    .use(handleProblems(logger, expectsPage))
    .use(rejectInvalidRequest)
  koa.use(async (ctx, next) => {
    if (ctx.path !== health.path || ctx.method !== 'GET') return next()
    const report = await checkHealth()
    ctx.state.route = health.path
    ctx.status = report.status === 'down' || report.status === 'starting' ? 503 : 200
    ctx.set('Cache-Control', 'no-store')
    // Without the database, no caller can be identified.
    if (report.services.database === 'ok') await identifyCaller(ctx, async () => undefined).catch(() => undefined)
    const caller = ctx.state.caller as Caller | undefined
    const isOpen = caller && !caller.mustSetUpTwoFactor && hasPermission(caller, 'settings')
    ctx.body = isOpen ? report : { status: report.status }
  })
  if (publicUrl !== undefined) koa.use(requireOwnHost(publicUrl, isBehindProxy))
  koa.use(async (ctx, next) => (isApi(ctx.path) || isPage(ctx.path) ? api(ctx, next) : next()))
  koa.use(site.servePages)
  koa.use(serveWebApp(webFolder, site))

  return {
    koa,
    verifyStreams: streams.verify,
    closeStreams: streams.closeAll,
    mountRoutes({ session, requestMs, runWrite, routers, quotas, onRefusal, refusesWrites = () => false }) {
      koa.context['refusesWrites'] = refusesWrites
      koa.context['quotas'] = quotas
      identifyCaller = compose([beginDeadline(requestMs), session(koa)])
      if (onRefusal) reportRefusal = onRefusal
      const served = [...routers, createSupportRouter(contactEmail)]
      const chain = [
        requireSameOrigin(publicOrigin),
        requireJson((ctx) => expectsPage(ctx) || isVendorCall(ctx)),
        readAhead(served, sessionCookie),
        identifyCaller,
        provideRunWrite(runWrite),
        withRoutePattern(mergeRouters([...served, createApiDocsRouter(served)])),
      ]
      api = compose([...chain, rejectNotFound])
    },
  }
}

/**
 * Leaves responses uncompressed for a client that accepts no encoding at all (`*;q=0`), not even none: RFC 9110 allows to
 * ignore that, and koa-compress fails.
 */
const skipUnacceptableCompression: Koa.Middleware = (ctx, next) => {
  if (!ctx.acceptsEncodings('gzip', 'deflate', 'identity')) ctx.compress = false
  return next()
}

/** Starts the one deadline of a request, which the look-up of its session shares with everything that follows. */
const beginDeadline =
  (requestMs: number): Koa.Middleware =>
  async (ctx, next) => {
    ctx.state.deadline = startDeadline(requestMs)
    await next()
  }

const provideRunWrite =
  (runWrite: RunWrite): Koa.Middleware =>
  async (ctx, next) => {
    ctx.state.runWrite = runWrite
    await next()
  }

const rejectNotFound: Koa.Middleware = async () => {
  throw new ProblemError(404, 'not-found', 'There is nothing here.')
}

const isApi = (path: string) => path === '/api' || path.startsWith('/api/')

/** Returns whether the routes of a module serve a path as a page without script. */
const isPage = (path: string) => /^\/(newsletter|confirm|offer|survey)\//.test(path)

/** Returns whether a path is called by a vendor with a form. Each call is signed, so that no page of another site can send one. */
const isVendorCall = (ctx: Koa.Context): boolean => ctx.path.startsWith('/api/twilio/')

/** Returns whether a person without script sees the reply: on a page, or to the plain form of the newsletter. */
const expectsPage = (ctx: Koa.Context): boolean =>
  isPage(ctx.path) || (ctx.path === subscribeToNewsletter.path && Boolean(ctx.is('application/x-www-form-urlencoded')))

/** Runs routes and stores the pattern of the matched route, also of a refused request, for the log and the audit trail. */
const withRoutePattern =
  (run: Koa.Middleware): Koa.Middleware =>
  async (ctx, next) => {
    try {
      await run(ctx, next)
    } finally {
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

/** Screens whose path is a secret link, which the requests of the page must not tell a proxy's log. They send no plain forms. */
const secretPaths = /^\/(reset|email|invitations|f)\//

/** Makes the browser leave the path of such a screen out of its requests. */
const hideSecretPaths: Koa.Middleware = async (ctx, next) => {
  if (secretPaths.test(ctx.path)) ctx.set('Referrer-Policy', 'no-referrer')
  await next()
}

type SecurityHeaderOptions = { secure: boolean; hasSecureSubdomains: boolean; usesStripeCardFields: boolean }

/** Returns the middleware for security headers. Stripe's script is allowed on the payment step only. */
function securityHeaders({ usesStripeCardFields, ...options }: SecurityHeaderOptions): Koa.Middleware {
  const ownOnly = createSecurityHeaders(options, ownCspSources)
  if (!usesStripeCardFields) return ownOnly
  const withStripe = createSecurityHeaders(options, stripeCspSources)
  return (ctx, next) => (isPaymentStep(ctx) ? withStripe(ctx, next) : ownOnly(ctx, next))
}

const isPaymentStep = ({ path, query }: Koa.Context) =>
  path.replace(/\/$/, '') === '/subscription' && query['step'] === 'payment'

const createSecurityHeaders = (
  { secure, hasSecureSubdomains }: Omit<SecurityHeaderOptions, 'usesStripeCardFields'>,
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
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: hasSecureSubdomains } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    // With no-referrer, browsers would send the plain forms of these pages with the origin null.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
