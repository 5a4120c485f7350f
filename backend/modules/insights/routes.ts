import Router from '@koa/router'
import { listInsights } from '#contracts/insights.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { findInsightCounts } from './queries.ts'
import { deriveInsights } from './rules.ts'

/** The endpoint that lists insights. */
export function insightRoutes({ db, clock }: Services): Router {
  const router = new Router()
  serve(router, listInsights, async ({ caller }) =>
    deriveInsights(await findInsightCounts(db, caller.practiceId, clock())),
  )
  return router
}
