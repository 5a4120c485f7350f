import Router from '@koa/router'
import { listInsights } from '#contracts/insights.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { findInsightCounts } from './queries.ts'
import { deriveInsights } from './rules.ts'

/** What is worth doing, for those who may ask. */
export function insightRoutes({ db, clock }: Services): Router {
  const router = new Router()
  serve(router, listInsights, async ({ caller }) =>
    deriveInsights(await findInsightCounts(db, caller.practiceId, clock())),
  )
  return router
}
