import type Router from '@koa/router'
import type Koa from 'koa'

/** Starts to read for the parameters of a route; undefined when they are not valid. */
type Start = (params: Record<string, string>) => Promise<unknown> | undefined

const starts = new WeakMap<object, Start>()

/** Declares what the middleware of a route reads before its caller is identified. */
export const declareReadAhead = (middleware: object, start: Start): void => void starts.set(middleware, start)

/**
 * Returns a middleware that starts these reads for requests with the cookie of a session, before the session is looked up (ADR
 * 45). What they read is discarded when the request is refused.
 */
export function readAhead(routers: readonly Router[], sessionCookie: string): Koa.Middleware {
  const routes = routers
    .flatMap(({ stack }) => stack)
    // A route that was mounted in another router is a copy, with the same middleware.
    .flatMap((route) => route.stack.flatMap((middleware) => ({ route, start: starts.get(middleware) })))
    .flatMap(({ route, start }) => (start ? [{ route, start }] : []))
  return (ctx, next) => {
    if (ctx.method === 'GET' && ctx.cookies.get(sessionCookie, { signed: false }) !== undefined) {
      const found = routes.find(({ route }) => route.match(ctx.path))
      const ahead = found?.start(found.route.params(ctx.path, found.route.captures(ctx.path)))
      // A refused request does not wait for it.
      ahead?.catch(() => undefined)
      ctx.state.ahead = ahead
    }
    return next()
  }
}
