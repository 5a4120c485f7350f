import Router from '@koa/router'
import { checkSafeguards } from '#contracts/safeguards.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { assessSafeguards } from './assess.ts'
import { collectEvidence } from './collect-evidence.ts'

/** The endpoint that checks the safeguards of the caller's practice. */
export function safeguardRoutes(services: Services): Router {
  const router = new Router()
  serve(router, checkSafeguards, async ({ caller: { practiceId } }) =>
    assessSafeguards(await collectEvidence(services, practiceId), services.clock().toISOString()),
  )
  return router
}
