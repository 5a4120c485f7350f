import { existsSync, readdirSync } from 'node:fs'
import { send } from '@koa/send'
import type { Middleware } from 'koa'

const yearMs = 365 * 24 * 3_600_000

/**
 * The web app: files of the build by their name, and `index.html` for every other address, because the browser's router
 * knows them. Names in `/assets/` carry a hash of their content and are kept for a year; the page itself is always asked
 * for. What may be served is listed once at the start, so no address can lead out of the folder.
 */
export function serveWebApp(folder: string): Middleware {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  const files = new Set(
    names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath.slice(folder.length).replaceAll('\\', '/')}/${name}`),
  )
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.status = 405
      return
    }
    const hashed = ctx.path.startsWith('/assets/')
    if (files.has(ctx.path)) await send(ctx, ctx.path, { root: folder, maxage: hashed ? yearMs : 0, immutable: hashed })
    else if (!hashed) {
      ctx.set('Cache-Control', 'no-cache')
      await send(ctx, '/index.html', { root: folder })
    }
  }
}
