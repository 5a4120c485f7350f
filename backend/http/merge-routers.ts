import Router from '@koa/router'
import type Koa from 'koa'

/** The first parts of a path that its routes share, in lower case, because patterns match either case: `/api/patients`. */
const groupOf = (path: string) => path.split('/', 3).join('/').toLowerCase()

/** A part of a pattern that stands for a text of the client. */
const isVariable = (group: string) => /[:*{(]/.test(group)

/**
 * Returns a middleware with the routes of all routers, in their order. A request is compared with the patterns that begin as its path
 * does, instead of with all of several hundred.
 */
export function mergeRouters(routers: readonly Router[]): Koa.Middleware {
  const layers = routers.flatMap(({ stack }) => stack)
  const groups = new Set(layers.map(({ path }) => groupOf(String(path))).filter((group) => !isVariable(group)))
  const select = (group: string) => {
    const router = new Router()
    router.stack = layers.filter(({ path }) => {
      const own = groupOf(String(path))
      return own === group || isVariable(own)
    })
    return router.routes() as unknown as Koa.Middleware
  }
  const byGroup = new Map([...groups].map((group) => [group, select(group)]))
  const others = select('')
  return (ctx, next) => (byGroup.get(groupOf(ctx.path)) ?? others)(ctx, next)
}
