import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context, Middleware } from 'koa'
import { perBuild } from './web-build.ts'

/** Placeholders in the built pages, as `web/site/placeholders.ts` writes them. */
const originPlaceholder = /https:\/\/everchart\.invalid/g
const mailPlaceholder = /mailto:(?:contact|sales)@everchart\.invalid/g
const contactPlaceholder = /mailto:contact@everchart\.invalid[^"]*/g
const salesPlaceholder = /mailto:sales@everchart\.invalid[^"]*/g

const registration = '/auth?tab=register'
const contactHelp = '/help#contact'
const landing = '/landing'
const demo = '/demo'
const notFound = '/404'
const types: Record<string, string> = { '.html': 'text/html', '.xml': 'application/xml', '.txt': 'text/plain' }
const dayMs = 24 * 3_600_000
/** RFC 9116 asks for less than a year. */
const securityContactDays = 180

type SiteOptions = {
  /** The folder of the build; its folder `site` has the pages. */
  webFolder: string
  /** The address of the installation, without a trailing slash; undefined: this computer. */
  publicUrl: string | undefined
  /** The operator's e-mail address; without it, links to it lead to Create Free Account and the help. */
  contactEmail?: string | undefined
  /** The contact for security problems, a URI such as `mailto:security@practice.example`. */
  securityContact?: string | undefined
  /** True if visitors of `/` are led to the sample practice. */
  isDemo?: boolean | undefined
  /** Returns whether a request has the cookie of a session: `/` is then a screen of the application. */
  hasSession: (ctx: Context) => boolean
  clock?: () => Date
}

/** The best one first. */
const compressions = ['br', 'gzip'] as const
type Encoding = (typeof compressions)[number] | 'identity'
type Page = { etag: string; policy: string; type: string; bodies: Partial<Record<Encoding, Buffer>>; text: string }

/** The public pages. */
export type Site = {
  /** Serves the pages by their path, `/` to visitors only. */
  servePages: Middleware
  /** Replies with the page for unknown addresses; false if the build has none. */
  replyNotFound: (ctx: Context) => boolean
}

/**
 * Reads the public pages of the build. They are complete but for the address and the contact of this installation, which are
 * filled in once, and are served from memory, compressed. Nothing in them may be inline but their one style sheet, which the
 * security policy names by its hash.
 */
export function loadSite({
  webFolder,
  publicUrl,
  contactEmail,
  securityContact,
  isDemo,
  hasSession,
  clock,
}: SiteOptions): Site {
  const getBuild = perBuild(webFolder, () => ({
    sources: readPages(path.join(webFolder, 'site')),
    pages: new Map<string, Page>(),
  }))

  function getPage(name: string, ctx: Context): Page | undefined {
    const { sources, pages } = getBuild()
    const source = sources.get(name)
    if (source === undefined) return undefined
    // The port is known once a request arrives.
    const page =
      pages.get(name) ?? createPage(source, publicUrl ?? `http://localhost:${ctx.socket.localPort}`, contactEmail)
    pages.set(name, page)
    return page
  }

  return {
    servePages: (ctx, next) => {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
      if (ctx.path === '/.well-known/security.txt' && securityContact !== undefined) {
        ctx.type = 'text/plain'
        ctx.body = createSecurityText(securityContact, clock?.() ?? new Date())
        return undefined
      }
      if (ctx.path === '/') ctx.vary('Cookie')
      if (ctx.path === '/' && hasSession(ctx)) return next()
      if (ctx.path === '/' && isDemo) {
        ctx.set('Cache-Control', 'no-store')
        ctx.redirect(demo)
        return undefined
      }
      const page = getPage(ctx.path === '/' ? landing : ctx.path, ctx)
      if (!page || ctx.path === notFound) return next()
      reply(ctx, page)
      return undefined
    },
    replyNotFound: (ctx) => {
      const page = getPage(notFound, ctx)
      if (page) reply(ctx, page, 404)
      return page !== undefined
    },
  }
}

type Source = { text: string; type: string }

/** Returns the files of the pages by their path: `/features/analytics` for a page, `/robots.txt` for another file. */
function readPages(folder: string): Map<string, Source> {
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      const extension = path.extname(name)
      const address = `/${path.relative(folder, file).replaceAll(path.sep, '/')}`
      const type = types[extension] ?? 'application/octet-stream'
      return [address.replace(/\.html$/, ''), { text: readFileSync(file, 'utf8'), type }]
    }),
  )
}

function createPage({ text, type }: Source, origin: string, contactEmail: string | undefined): Page {
  const filled = (
    contactEmail === undefined
      ? text.replaceAll(salesPlaceholder, registration).replaceAll(contactPlaceholder, contactHelp)
      : text.replaceAll(mailPlaceholder, `mailto:${encodeURIComponent(contactEmail).replace('%40', '@')}`)
  ).replaceAll(originPlaceholder, origin)
  const hash = createHash('sha256').update(filled).digest('base64url')
  return { text: filled, type, etag: hash, policy: createPolicy(filled), bodies: {} }
}

/** Returns the security policy of a page: files of this installation, and the style sheet in the page, by its hash. */
function createPolicy(html: string): string {
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1]
  const styleHash = style === undefined ? '' : ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleHash}`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';')
}

/** Compresses a page once for each encoding. */
function encode(page: Page, encoding: Encoding): Buffer {
  const compress = {
    br: (text: string) =>
      brotliCompressSync(text, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      }),
    gzip: (text: string) => gzipSync(text, { level: constants.Z_BEST_COMPRESSION }),
    identity: (text: string) => Buffer.from(text),
  }
  return (page.bodies[encoding] ??= compress[encoding](page.text))
}

function reply(ctx: Context, page: Page, status = 200): void {
  const accepted = ctx.acceptsEncodings()
  const encoding = compressions.find((each) => accepted.includes(each)) ?? 'identity'
  ctx.compress = false
  ctx.vary('Accept-Encoding')
  ctx.set('Cache-Control', 'no-cache')
  if (page.type === 'text/html') ctx.set('Content-Security-Policy', page.policy)
  ctx.status = status
  ctx.etag = `${page.etag}-${encoding}`
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.type = page.type
  ctx.body = encode(page, encoding)
}

/** Returns the text of security.txt (RFC 9116). */
function createSecurityText(contact: string, now: Date): string {
  const expires = new Date(Math.floor(now.getTime() / dayMs) * dayMs + securityContactDays * dayMs)
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\n`
}
