import Router from '@koa/router'
import * as contract from '#contracts/insights.ts'
import { addDays, getStartOfDay, toLocalDate } from '#contracts/values/calendar.ts'
import type { InsightId } from '#contracts/values/ids.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { findModelUse } from '#modules/assistant/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { type DecidedInsight, insightDecider } from './decider.ts'
import { deriveInsights } from './derive-insights.ts'
import { findPracticeInsights } from './public.ts'
import * as queries from './queries.ts'

/** Serves the insights of a practice, and the decisions about them. */
export function insightRoutes(services: Services): Router {
  const { bus, db, clock } = services
  const router = new Router()

  serve(router, contract.listInsights, ({ caller }) => findPracticeInsights(db, recordScope(caller), clock()))

  serve(router, contract.getInsightUsage, async ({ caller }) => {
    const scope = recordScope(caller)
    const now = clock()
    const open = await findPracticeInsights(db, scope, now)
    const openIds = open.map(({ id }) => id)
    const timeZone = caller.timezone
    const monthStart = `${toLocalDate(now, timeZone).slice(0, 7)}-01`
    const [usage, model] = await Promise.all([
      queries.findInsightUsage(db, scope, now, openIds),
      findModelUse(services, caller.practiceId, getStartOfDay(monthStart, timeZone)),
    ])
    return { ...usage, model }
  })

  serve(router, contract.dismissInsight, async ({ caller, params: { insightId } }, { commandContext }) => {
    const insight = await requireInsight(services, caller, insightId)
    await bus.execute(insightDecider, insightId, { type: 'Dismiss', insight }, commandContext)
    return null
  })

  serve(router, contract.markInsightDone, async ({ caller, params: { insightId } }, { commandContext }) => {
    const insight = await requireInsight(services, caller, insightId)
    await bus.execute(insightDecider, insightId, { type: 'MarkDone', insight }, commandContext)
    return null
  })

  serve(router, contract.snoozeInsight, async ({ caller, params: { insightId }, body }, { commandContext }) => {
    const insight = await requireInsight(services, caller, insightId)
    const now = clock()
    const zone = caller.timezone
    const until = body.until
      ? new Date(body.until).toISOString()
      : getStartOfDay(addDays(toLocalDate(now, zone), body.days ?? 1), zone)
    const command = { type: 'Snooze' as const, insight, until, now: now.toISOString() }
    await bus.execute(insightDecider, insightId, command, commandContext)
    return null
  })

  serve(router, contract.reopenInsight, async ({ caller, params: { insightId } }, { commandContext }) => {
    const loaded = await bus.load(insightDecider, insightId)
    const isOfPractice = loaded.history.some(({ metadata }) => metadata.practiceId === caller.practiceId)
    if (!isOfPractice) throw notFound('insight')
    await bus.execute(insightDecider, insightId, { type: 'Reopen' }, commandContext, { loaded })
    return null
  })

  return router
}

/** Returns what a decision remembers of an insight, also of one that was decided before. Throws 404 when there is none. */
async function requireInsight(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  insightId: InsightId,
): Promise<DecidedInsight> {
  const grounds = await queries.findInsightGrounds(db, recordScope(caller), clock())
  const found = deriveInsights(caller.practiceId, grounds).find(({ insight }) => insight.id === insightId)
  if (!found) throw notFound('insight')
  return found.decided
}
