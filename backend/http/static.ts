import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { send } from '@koa/send'
import type { Context, Middleware } from 'koa'
import { isAppPath } from '#contracts/app-paths.ts'
import type { Site } from './site.ts'
import { perBuild } from './web-build.ts'

const page = '/index.html'
const yearMs = 365 * 24 * 3_600_000

/** The names of the files of the build, as paths of URLs. */
function listFiles(folder: string): Set<string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  return new Set(
    names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath.slice(folder.length).replaceAll('\\', '/')}/${name}`)
      // The public pages as they were built, before the addresses of this installation are filled in, and the packed files, which
      // are sent in place of the others.
      .filter((name) => !name.startsWith('/site/') && !/\.(?:br|gz)$/.test(name)),
  )
}

/** Returns the scripts in the page itself as sources of a security policy: by their hashes, so that no other can run. */
function listScriptSources(folder: string): string {
  const file = path.join(folder, page)
  const html = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    createHash('sha256').update(script).digest('base64'),
  )
  return hashes.map((hash) => ` 'sha256-${hash}'`).join('')
}

/** Adds sources to those from which the page of a reply may run scripts. */
function allowScripts(ctx: Context, sources: string): void {
  const policy = ctx.res.getHeader('Content-Security-Policy')
  if (typeof policy === 'string')
    ctx.set(
      'Content-Security-Policy',
      policy.replace("script-src 'self'", (own) => `${own}${sources}`),
    )
}

/**
 * Serves the web app: files of the build by name, and `index.html` for the paths of its screens, which the browser's router
 * handles. Names in `/assets/` contain a content hash and are cached for a year; the page itself is always revalidated. The servable
 * files are listed once per build, so no path can leave the folder. A file of an earlier build is not found.
 */
export function serveWebApp(folder: string, { replyNotFound }: Pick<Site, 'replyNotFound'>): Middleware {
  const getFiles = perBuild(folder, () => listFiles(folder))
  const getScriptSources = perBuild(folder, () => listScriptSources(folder))
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.status = 405
      return
    }
    const files = getFiles()
    const isHashed = ctx.path.startsWith('/assets/')
    if (files.has(ctx.path)) {
      const isSent = await sendFile(ctx, ctx.path, {
        root: folder,
        maxage: isHashed ? yearMs : 0,
        immutable: isHashed,
      })
      if (!isSent && !isHashed) replyNotFound(ctx)
    } else if (isAppPath(ctx.path) && files.has(page)) {
      ctx.set('Cache-Control', 'no-cache')
      allowScripts(ctx, getScriptSources())
      await sendFile(ctx, page, { root: folder })
    } else if (!isHashed) replyNotFound(ctx)
  }
}

/** Sends a file; returns false, with status 404, for one that has been deleted since the build was listed. */
async function sendFile(ctx: Context, name: string, options: Parameters<typeof send>[2]): Promise<boolean> {
  try {
    await send(ctx, name, options)
    return true
  } catch (error) {
    if ((error as { status?: number }).status !== 404) throw error
    ctx.remove('Cache-Control')
    ctx.status = 404
    return false
  }
}
