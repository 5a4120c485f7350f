import Router from '@koa/router'
import { changes } from '#contracts/changes.ts'
import { serveStream } from '#http/serve-stream.ts'
import type { Services } from '#modules/module.ts'
import { createChangeFeed } from './change-feed.ts'

/** The stream of hints about stale data. */
export function changeRoutes(services: Services): Router {
  const router = new Router()
  const feed = createChangeFeed(services)
  serveStream(router, changes, feed.subscribe)
  return router
}
