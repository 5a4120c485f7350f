import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { send } from '@koa/send'
import type { Middleware } from 'koa'

const year = 365 * 24 * 3_600_000

/**
 * The web app: files of the build by their name, and `index.html` for every other address, because the browser's router
 * knows them. Names in `/assets/` carry a hash of their content and are kept for a year; the page itself is always asked for.
 */
export function webApp(folder: string): Middleware {
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.status = 405
      return
    }
    const hashed = ctx.path.startsWith('/assets/')
    const isFile = ctx.path !== '/' && !ctx.path.includes('\0') && existsSync(join(folder, decoded(ctx.path)))
    if (isFile || hashed) {
      await send(ctx, ctx.path, { root: folder, maxAge: hashed ? year : 0, immutable: hashed })
      return
    }
    ctx.set('Cache-Control', 'no-cache')
    await send(ctx, '/index.html', { root: folder })
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return '/index.html'
  }
}
