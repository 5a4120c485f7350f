import Router from '@koa/router'
import { appointmentTrends, listCountedAppointments, dashboardStats } from '#contracts/dashboard.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import { findCountedAppointments, findStats, findTrends } from './queries.ts'

/** Endpoints of the dashboard's figures. */
export function dashboardRoutes({ db, clock }: Services): Router {
  const router = new Router()
  serve(router, dashboardStats, ({ caller }) =>
    findStats(db, { scope: recordScope(caller), moment: { now: clock(), zone: caller.timezone } }),
  )
  serve(router, appointmentTrends, ({ caller, query }) =>
    findTrends(db, { ...query, scope: recordScope(caller), moment: { now: clock(), zone: caller.timezone } }),
  )
  serve(router, listCountedAppointments, ({ caller, query }) =>
    findCountedAppointments(db, recordScope(caller), query, caller.timezone),
  )
  return router
}
