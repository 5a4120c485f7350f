import Router from '@koa/router'
import { getSupportContact } from '#contracts/support.ts'
import { serve } from './serve.ts'

/** Creates the route that tells how users reach the operator; undefined: no address is configured. */
export function createSupportRouter(contactEmail: string | undefined): Router {
  const router = new Router()
  serve(router, getSupportContact, async () => ({ email: contactEmail ?? null }))
  return router
}
