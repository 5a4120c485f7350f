import { existsSync, readdirSync } from 'node:fs'
import { send } from '@koa/send'
import type { Middleware } from 'koa'

const page = '/index.html'
const yearMs = 365 * 24 * 3_600_000

/**
 * Serves the web app: files of the build by name, and `index.html` for every other path, which the browser's router handles.
 * Names in `/assets/` contain a content hash and are cached for a year; the page itself is always revalidated. The servable
 * files are listed once at the start, so no path can leave the folder.
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
    const isHashed = ctx.path.startsWith('/assets/')
    if (files.has(ctx.path))
      await send(ctx, ctx.path, { root: folder, maxage: isHashed ? yearMs : 0, immutable: isHashed })
    else if (!isHashed && files.has(page)) {
      ctx.set('Cache-Control', 'no-cache')
      await send(ctx, page, { root: folder })
    }
  }
}
