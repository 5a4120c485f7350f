import Router from '@koa/router'
import { listInsights } from '#contracts/insights.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { findCounts } from './queries.ts'
import { insightsOf } from './rules.ts'

/** What is worth doing, for those who may ask. */
export function insightRoutes({ db, clock }: Services): Router {
  const router = new Router()
  serve(router, listInsights, async ({ caller }) => insightsOf(await findCounts(db, caller.practiceId, clock())))
  return router
}
