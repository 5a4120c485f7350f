import Router from '@koa/router'
import { changes } from '#contracts/changes.ts'
import { serveStream } from '#http/serve-stream.ts'
import type { Services } from '#modules/module.ts'
import { createChangeFeed } from './change-feed.ts'

/** What a screen may have to fetch again, as it happens. */
export function changeRoutes(services: Services): Router {
  const router = new Router()
  const follower = createChangeFeed(services)
  serveStream(router, changes, ({ practiceId }, send) => follower.subscribe(practiceId, send))
  return router
}
