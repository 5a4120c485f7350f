import { Router } from '@koa/router'
import * as contract from '#contracts/automation.ts'
import { computeMinutesSaved, computeSavedCents } from '#contracts/values/automation.ts'
import { getStartOfDay, toLocalDate } from '#contracts/values/calendar.ts'
import { serve } from '#http/serve.ts'
import { countCalls } from '#modules/call-logs/public.ts'
import { countDocuments } from '#modules/clinical-documentation/public.ts'
import { countConfirmations } from '#modules/confirmations/public.ts'
import type { Services } from '#modules/module.ts'
import { countOpenMessages } from '#modules/patient-communications/public.ts'
import { findPatientNames } from '#modules/patients/public.ts'
import { countAuthorizations } from '#modules/prior-authorizations/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { countOrders } from '#modules/supply-orders/public.ts'
import { estimatesDecider } from './decider.ts'
import { serveSwitches } from './switches/routes.ts'
import { countActions, findActions, findEstimates } from './queries.ts'

/** Serves what runs by itself in a practice: figures, the log of actions, and the estimates behind the savings. */
export function automationRoutes(services: Services): Router {
  const { bus, db, clock } = services
  const router = new Router()

  serve(router, contract.getAutomationStats, async ({ caller }) => {
    const { practiceId } = caller
    const zone = caller.timezone
    const since = `${toLocalDate(clock(), zone).slice(0, 8)}01`
    const scope = recordScope(caller)
    const [
      counts,
      estimates,
      appointmentConfirmations,
      authorizations,
      callLogs,
      clinicalDocs,
      supplyOrders,
      openMessages,
    ] = await Promise.all([
      countActions(db, scope, getStartOfDay(since, zone)),
      findEstimates(db, practiceId),
      countConfirmations(db, practiceId),
      countAuthorizations(db, scope),
      countCalls(db, scope),
      countDocuments(db, scope),
      countOrders(db, scope),
      countOpenMessages(db, scope),
    ])
    const minutesSaved = computeMinutesSaved(counts, estimates)
    return {
      appointmentConfirmations,
      priorAuthorizations: sumAuthorizations(authorizations),
      callLogs,
      clinicalDocs,
      supplyOrders,
      openMessages,
      summary: { since, ...counts, minutesSaved, savedCents: computeSavedCents(minutesSaved, estimates) },
      estimates,
    }
  })

  serve(router, contract.listAutomationActivity, async ({ caller, query }, { setHeader }) => {
    const { actions, next } = await findActions(db, recordScope(caller), query)
    if (next) {
      const params = new URLSearchParams({ limit: String(query.limit), cursor: next })
      setHeader('Link', `<${contract.listAutomationActivity.path}?${params}>; rel="next"`)
    }
    const patients = await findPatientNames(db, [...new Set(actions.map(({ patientId }) => patientId))])
    const names = new Map(patients.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]))
    return actions.map((action) => ({ ...action, patientName: names.get(action.patientId) ?? null }))
  })

  serve(router, contract.saveAutomationEstimates, async ({ caller: { practiceId }, body }, { commandContext }) => {
    const command = { type: 'ChangeEstimates', practiceId, estimates: body } as const
    const { state } = await bus.execute(estimatesDecider, practiceId, command, commandContext)
    return state
  })

  serveSwitches(router, services)

  return router
}

/** Returns the counts of prior authorizations; pending are those that no insurer has decided about. */
function sumAuthorizations(counts: ReadonlyMap<string, number>) {
  const count = (status: string) => counts.get(status) ?? 0
  return {
    total: [...counts.values()].reduce((sum, each) => sum + each, 0),
    approved: count('approved'),
    pending: count('draft') + count('submitted') + count('appealed'),
    denied: count('denied'),
  }
}
