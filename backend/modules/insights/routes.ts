import Router from '@koa/router'
import { listInsights } from '#contracts/insights.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import { findPracticeInsights } from './public.ts'

/** The endpoint that lists insights. */
export function insightRoutes({ db, clock }: Services): Router {
  const router = new Router()
  serve(router, listInsights, ({ caller }) => findPracticeInsights(db, recordScope(caller), clock()))
  return router
}
